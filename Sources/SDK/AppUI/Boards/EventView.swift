#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of one live event: its clock, the learner's place, and the rounds that the learner sends.
public struct EventView: View {
    /// A step that a control asked for.
    private enum Step: Equatable {
        case begin
        case send(String)
    }

    private let model: EventModel
    private let begun: @MainActor (String) -> Void
    private let openStep: @MainActor (AccountStep) -> Void
    @State private var step: Step?
    @State private var isPaused = false
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The event.
    ///   - begun: Shows the session with this id.
    ///   - openStep: Opens the form of a step with the account.
    public init(
        _ model: EventModel, begun: @escaping @MainActor (String) -> Void,
        openStep: @escaping @MainActor (AccountStep) -> Void
    ) {
        self.model = model
        self.begun = begun
        self.openStep = openStep
    }

    /// The screen.
    public var body: some View {
        List {
            if let problem = model.problem { ProblemCard(problem) }
            if let screen = model.screen {
                content(screen, EventText(screen, formats))
            } else if model.problem == nil {
                ProgressView(formats.words["app.loading"])
            }
        }
        .navigationTitle(model.screen?.event?.title ?? model.id)
        .safeAreaInset(edge: .bottom, spacing: 0) {
            OwnPlaceBar(model.screen.map { EventText($0, formats).rows } ?? [])
        }
        .task(id: isPaused) { await follow() }
        .refreshable { await model.load() }
        .performs($step) { await take($0) }
    }

    @ViewBuilder
    private func content(_ screen: EventScreen, _ text: EventText) -> some View {
        if let obstacle = screen.obstacle, let notice = text.notice {
            Section { StandingCard(obstacle, notice, take: openStep) }
        }
        if let outcome = model.outcome {
            let sentence = outcome.sentence(formats)
            Section {
                if outcome.isCounted { Text(verbatim: sentence) } else { ProblemLine(sentence) }
            }
        }
        if screen.event != nil {
            standing(text)
            PlaceSection(text.range ?? formats.words["event.best"], text.rows)
            live(screen, text)
            rounds(screen, text)
        }
    }

    private func standing(_ text: EventText) -> some View {
        Section {
            RowText(text.clock, [text.lead, text.state ?? "", text.noPoints ?? ""])
            ForEach(text.figures, id: \.self) { figure in
                HStack(spacing: StudyStyle.gap) {
                    Text(verbatim: figure.name).foregroundStyle(StudyColor.soft)
                    Spacer()
                    Text(verbatim: figure.number).font(StudyStyle.figure)
                }
                .accessibilityElement(children: .combine)
            }
        }
    }

    @ViewBuilder
    private func live(_ screen: EventScreen, _ text: EventText) -> some View {
        Section {
            RowText(screen.isLive ? formats.words["event.live"] : "", [text.asOf ?? ""])
            if screen.isLive {
                Button(formats.words[isPaused ? "board.resume" : "board.pause"]) {
                    isPaused.toggle()
                }
            }
        }
    }

    @ViewBuilder
    private func rounds(_ screen: EventScreen, _ text: EventText) -> some View {
        if let rule = text.rule {
            Section {
                RowText(rule, [text.noSubject ?? ""])
                if let title = text.step {
                    Button(title) { ask(.begin) }.buttonStyle(.studyOutlined)
                }
            }
        }
        if !text.rounds.isEmpty {
            Section(formats.words["event.rounds"]) {
                ForEach(text.rounds) { round in
                    RowText(round.sentence, [round.counted ?? ""])
                    if let send = round.send {
                        Button(send) { ask(.send(round.id)) }
                            .buttonStyle(.studyOutlined)
                            .accessibilityLabel(round.sendName)
                    }
                }
            }
        }
    }

    // MARK: Steps

    /// Loads the places, and again after each pause while they may change.
    private func follow() async {
        await model.load()
        while !isPaused, model.screen?.isLive == true {
            // Cancelled here, the screen is gone or paused.
            try? await Task.sleep(for: EventModel.pause)
            guard !Task.isCancelled else { return }
            await model.load()
        }
    }

    /// Requests a step; it has no effect while one is under way.
    private func ask(_ wanted: Step) { if step == nil { step = wanted } }

    private func take(_ step: Step) async {
        switch step {
        case .begin: if let id = await model.begin() { begun(id) }
        case .send(let round):
            await model.send(round)
            await model.load()
        }
    }
}
#endif
