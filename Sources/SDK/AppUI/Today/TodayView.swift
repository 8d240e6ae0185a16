#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The first screen, with the next things to do.
public struct TodayView: View {
    /// A target that the learner selected; the app opens it.
    public enum Choice: Sendable, Hashable {
        /// The session with this id, to continue.
        case resume(String)
        /// The due cards of a subject, to study.
        case study(Subject)
        /// The questions of an offer, when nothing is due.
        case offer(StudyOffer)
        /// The library.
        case library
        /// The exam dates.
        case bookings
    }

    private let model: TodayModel
    private let choose: @MainActor (Choice) -> Void
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    public init(_ model: TodayModel, choose: @escaping @MainActor (Choice) -> Void) {
        self.model = model
        self.choose = choose
    }

    /// The screen.
    public var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
                if let screen = model.screen {
                    content(screen)
                } else if let problem = model.problem {
                    ProblemCard(problem)
                } else {
                    ProgressView(formats.words["app.loading"])
                }
            }
            .padding(StudyStyle.gapLarge)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .background(StudyColor.page)
        .navigationTitle(formats.words["today.title"])
        .toolbar {
            ToolbarItem(placement: .primaryAction) {
                Button(formats.words["booking.title"]) { choose(.bookings) }
            }
        }
        .task { await model.load() }
        .refreshable { await model.load() }
    }

    @ViewBuilder
    private func content(_ screen: TodayScreen) -> some View {
        Text(verbatim: summary(screen))
        if let stopped = screen.stopped { StoppedCard(stopped, now: screen.now, choose: choose) }
        ForEach(screen.stoppedBefore) { stopped in
            Button("\(formats.words["today.continue"]): \(stopped.subject.title)") {
                choose(.resume(stopped.id))
            }
            .buttonStyle(.studyOutlined)
        }
        if let corrected = screen.corrected { card(of: corrected, in: screen) }
        if !screen.due.isEmpty { due(screen) }
        if screen.stopped == nil, screen.due.isEmpty { nothingDue(screen) }
        ForEach(screen.aside) { Text(verbatim: $0.sentence(formats.words)) }
        ForEach(screen.missing) { subject in
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                Text(verbatim: subject.title).font(StudyStyle.cardHeading)
                Text(verbatim: formats.words["subject.missing"])
            }
            .studyCard()
        }
        ForEach(screen.booked) { booked in
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                Text(verbatim: booked.subject.title).font(StudyStyle.cardHeading)
                Text(
                    verbatim: formats.words.text(
                        "today.exam", ["date": formats.text(booked.date, now: screen.now)]))
            }
            .studyCard()
        }
    }

    private func card(of corrected: TodayScreen.Corrected, in screen: TodayScreen) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            Text(verbatim: formats.words["today.corrected"]).font(StudyStyle.cardHeading)
            Text(verbatim: TodayText(screen, formats).corrected ?? "")
            Button(formats.words["today.seeQuestion"]) {
                Task { await model.see(corrected.id) }
                choose(.resume(corrected.id))
            }
            .buttonStyle(.studyOutlined)
        }
        .studyCard()
    }

    private func due(_ screen: TodayScreen) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: formats.words["today.dueToday"]).font(StudyStyle.cardHeading)
                .accessibilityAddTraits(.isHeader)
            ForEach(screen.due) { due in
                if due.id != screen.due.first?.id { Divider() }
                DueRow(due, isMain: isMain(due, screen)) { choose(.study(due.subject)) }
            }
        }
        .studyCard()
    }

    /// The most urgent subject has the filled button, unless a session waits.
    private func isMain(_ due: TodayScreen.Due, _ screen: TodayScreen) -> Bool {
        screen.stopped == nil && due.id == screen.mostUrgent?.id
    }

    private func nothingDue(_ screen: TodayScreen) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: nothingDueSentence(screen)).font(StudyStyle.cardHeading)
            ForEach(screen.offers) { offer in
                Text(verbatim: offer.details(formats)).font(StudyStyle.small)
                    .foregroundStyle(StudyColor.soft)
                if offer == screen.offers.first {
                    button(of: offer).buttonStyle(.studyFilled)
                } else {
                    button(of: offer).buttonStyle(.studyOutlined)
                }
            }
            if screen.hasStarted {
                Button(formats.words["today.anotherSubject"]) { choose(.library) }
                    .buttonStyle(.studyOutlined)
            } else {
                Button(formats.words["today.choose"]) { choose(.library) }
                    .buttonStyle(.studyFilled)
            }
        }
        .studyCard()
    }

    private func button(of offer: StudyOffer) -> some View {
        Button(offer.title(formats)) { choose(.offer(offer)) }
            .accessibilityLabel("\(offer.title(formats)): \(offer.subject.title)")
    }

    private func nothingDueSentence(_ screen: TodayScreen) -> String {
        guard screen.hasStarted else { return formats.words["today.chooseHint"] }
        guard screen.dueTomorrow > 0 else { return formats.words["today.done"] }
        return formats.words.count("today.doneTomorrow", screen.dueTomorrow)
    }

    private func summary(_ screen: TodayScreen) -> String {
        let date = formats.dateWithWeekday(screen.day, now: screen.now)
        guard screen.dueCount > 0 else { return date }
        return formats.words.count(
            "today.summary", screen.dueCount,
            ["date": date, "duration": formats.about(.seconds(screen.secondsOfDue))])
    }
}

/// The interrupted session, with Continue.
private struct StoppedCard: View {
    let stopped: TodayScreen.Stopped
    let now: Date
    let choose: @MainActor (TodayView.Choice) -> Void
    @Environment(\.studyFormats) private var formats

    init(
        _ stopped: TodayScreen.Stopped, now: Date,
        choose: @escaping @MainActor (TodayView.Choice) -> Void
    ) {
        self.stopped = stopped
        self.now = now
        self.choose = choose
    }

    var body: some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: formats.sentence("today.stopped", stopped.stoppedAt, now: now))
                .font(StudyStyle.small).foregroundStyle(StudyColor.soft)
            Text(verbatim: stopped.subject.title).font(StudyStyle.cardHeading)
            Text(verbatim: stopped.place(formats))
            ProgressView(value: Double(stopped.index), total: Double(max(1, stopped.count)))
                .tint(StudyColor.accent)
                .accessibilityHidden(true)
            Button(formats.words["today.continue"]) { choose(.resume(stopped.id)) }
                .buttonStyle(.studyFilled)
                .keyboardShortcut(.defaultAction)
        }
        .studyCard()
    }
}

/// A subject with something to study, and its button.
private struct DueRow: View {
    let due: TodayScreen.Due
    let isMain: Bool
    let study: @MainActor () -> Void
    @Environment(\.studyFormats) private var formats

    init(_ due: TodayScreen.Due, isMain: Bool, study: @escaping @MainActor () -> Void) {
        self.due = due
        self.isMain = isMain
        self.study = study
    }

    var body: some View {
        AdaptiveRow {
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                Text(verbatim: due.subject.title).bold()
                Text(verbatim: due.details(formats)).font(StudyStyle.small)
                    .foregroundStyle(StudyColor.soft)
                if let backlog = due.backlog {
                    Text(verbatim: backlog.sentence(formats)).font(StudyStyle.small)
                        .foregroundStyle(StudyColor.soft)
                }
            }
            .frame(maxWidth: .infinity, alignment: .leading)
            if isMain {
                button.buttonStyle(.studyFilled)
            } else {
                button.buttonStyle(.studyOutlined)
            }
        }
    }

    private var button: some View {
        Button(
            formats.words.text("today.study", ["number": formats.number(due.askedCount)]),
            action: study
        )
        .accessibilityLabel(due.studyTitle(formats))
    }
}
#endif
