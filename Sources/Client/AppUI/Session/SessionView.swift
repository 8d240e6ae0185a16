#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// A session: one question at a time, with its verdict in the same place.
///
/// ```swift
/// SessionView(SessionModel(services, id: id), picture: app.picture) { dismiss() } ended: { showResult($0) }
/// ```
public struct SessionView: View {
    /// A step that a control asked for.
    enum Step: Equatable {
        case answer(ResponseDraft)
        case next
        case go(Int)
        case skip(Int)
        case flag(Int, Bool)
        case favourite(Int, Bool)
        case pause
        case handIn
    }

    private let model: SessionModel
    private let picture: @MainActor (String) -> Image?
    private let close: @MainActor () -> Void
    private let ended: @MainActor (String) -> Void
    @State private var draft: ResponseDraft?
    @State private var step: Step?
    @State private var entryProblem: String?
    @State private var asksToHandIn = false
    /// The place that was shown when the app was left.
    @State private var leftAt: Int?
    @Environment(\.studyFormats) private var formats
    @Environment(\.scenePhase) private var phase

    /// Creates the screen of a session.
    ///
    /// - Parameters:
    ///   - model: The session.
    ///   - picture: Returns a picture of the exam's media by its name, where it is on the device.
    ///   - close: Leaves the session, whose place is kept.
    ///   - ended: Shows the result of the session with this id.
    public init(
        _ model: SessionModel, picture: @escaping @MainActor (String) -> Image? = { _ in nil },
        close: @escaping @MainActor () -> Void, ended: @escaping @MainActor (String) -> Void
    ) {
        self.model = model
        self.picture = picture
        self.close = close
        self.ended = ended
    }

    /// The screen.
    public var body: some View {
        Group {
            if let screen = model.screen, let draft {
                question(screen, draft)
            } else if let problem = model.problem {
                failure(problem)
            } else {
                ProgressView(formats.words["app.loading"])
            }
        }
        .background(StudyColor.page)
        .task {
            await model.load()
        }
        .performs($step) { await take($0) }
        .onChange(of: model.screen, initial: true) { showed(model.screen) }
        .onChange(of: model.isOver) { if model.isOver { ended(model.id) } }
        .onChange(of: phase) { phaseChanged() }
    }

    private func question(_ screen: SessionScreen, _ draft: ResponseDraft) -> some View {
        VStack(spacing: 0) {
            SessionHead(screen, close: close) { ask(.favourite(screen.index, $0)) }
            QuestionView(screen, picture: picture, draft: binding(draft))
        }
        .safeAreaInset(edge: .bottom, spacing: 0) {
            VerdictFoot(foot(screen)) { buttons(screen, draft) }
        }
        .confirmationDialog(
            openSentence(screen), isPresented: $asksToHandIn, titleVisibility: .visible
        ) {
            Button(formats.words["simulation.handIn"]) { ask(.handIn) }
            Button(formats.words["simulation.keepAnswering"], role: .cancel) {}
        } message: {
            EmptyView()
        }
    }

    private func failure(_ problem: StudyProblem) -> some View {
        ContentUnavailableView {
            Label(formats.words["errors.title"], systemImage: "exclamationmark.triangle")
        } description: {
            Text(verbatim: SessionWords(formats: formats).sentence(problem))
        } actions: {
            Button(formats.words["app.tryAgain"]) { ask(.next) }
            Button(formats.words["app.close"], action: close)
        }
    }

    // MARK: Foot

    private func foot(_ screen: SessionScreen) -> VerdictWords? {
        if let entryProblem { return VerdictWords(.none, entryProblem) }
        return SessionWords(formats: formats).foot(screen, problem: model.problem)
    }

    @ViewBuilder
    private func buttons(_ screen: SessionScreen, _ draft: ResponseDraft) -> some View {
        HStack(spacing: StudyStyle.gap) {
            if screen.mode == .exam {
                Button(flagTitle(screen)) { ask(.flag(screen.index, !screen.isFlagged)) }
                    .buttonStyle(.studyOutlined)
            } else if screen.verdict == nil {
                Button(formats.words["session.skip"]) { ask(.skip(screen.index)) }
                    .buttonStyle(.studyOutlined)
            }
            Button {
                ask(screen.verdict == nil ? .answer(draft) : .next)
            } label: {
                Text(verbatim: mainTitle(screen)).frame(maxWidth: .infinity)
            }
            .buttonStyle(.studyFilled)
            .keyboardShortcut(.defaultAction)
        }
        if screen.mode == .exam, screen.next == nil {
            Button(formats.words["simulation.handIn"]) { handIn(screen) }
                .buttonStyle(.studyOutlined)
        }
    }

    private func flagTitle(_ screen: SessionScreen) -> String {
        formats.words[screen.isFlagged ? "simulation.unflag" : "simulation.flag"]
    }

    private func mainTitle(_ screen: SessionScreen) -> String {
        if screen.verdict != nil { return formats.words["session.continue"] }
        return formats.words[screen.showsVerdicts ? "session.check" : "simulation.next"]
    }

    private func openSentence(_ screen: SessionScreen) -> String {
        formats.words.count(
            "simulation.handInOpen", screen.overview.count { !$0.isAnswered })
    }

    private func handIn(_ screen: SessionScreen) {
        if screen.overview.allSatisfy(\.isAnswered) { ask(.handIn) } else { asksToHandIn = true }
    }

    // MARK: Steps

    /// Asks for a step; while one is under way, another press does nothing.
    private func ask(_ wanted: Step) { if step == nil { step = wanted } }

    private func take(_ step: Step) async {
        entryProblem = nil
        switch step {
        case .answer(let draft): await answer(draft)
        case .next: await model.load()
        case .go(let index): await model.load(at: index)
        case .skip(let index): await model.skip(at: index)
        case .flag(let index, let isFlagged): await model.flag(at: index, isFlagged)
        case .favourite(let index, let isOne): await model.setFavourite(at: index, isOne)
        case .pause: await model.pause()
        case .handIn: await model.finish()
        }
    }

    private func answer(_ draft: ResponseDraft) async {
        guard let screen = model.screen else { return }
        do {
            await model.answer(try draft.response(unit: screen.unit), at: draft.index)
            guard model.problem == nil, screen.mode == .exam, let next = screen.next else { return }
            await model.load(at: next)
        } catch {
            entryProblem = formats.words.text("session.notANumber", ["example": "3.14"])
        }
    }

    /// Pauses in the background, where no time counts, and returns to what was shown.
    private func phaseChanged() {
        if phase == .background, let screen = model.screen {
            leftAt = screen.index
            ask(.pause)
        } else if phase == .active, let place = leftAt {
            leftAt = nil
            ask(.go(place))
        }
    }

    private func showed(_ screen: SessionScreen?) {
        guard let screen else { return draft = nil }
        if screen.verdict != nil, let verdict = foot(screen) {
            AccessibilityNotification.Announcement(verdict.sentence).post()
        }
        // What was chosen stays after a problem.
        if draft?.index != screen.index || screen.verdict != nil { draft = ResponseDraft(screen) }
    }

    private func binding(_ shown: ResponseDraft) -> Binding<ResponseDraft> {
        Binding($draft) ?? .constant(shown)
    }
}

extension SessionScreen {
    /// The unit of a numeric entry.
    var unit: String? {
        guard case .number(let key) = question.key else { return nil }
        return key.unit
    }
}
#endif
