#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of a session: one question at a time, with its verdict in the same place.
///
/// ```swift
/// SessionView(SessionModel(services, id: id)) { dismiss() } ended: { showResult($0) }
/// ```
public struct SessionView: View {
    /// A step that a control asked for.
    enum Step: Equatable {
        case answer(ResponseDraft)
        case next
        case go(Int)
        case skip(ResponseDraft)
        case previous(ResponseDraft)
        case flag(ResponseDraft, Bool)
        case favourite(Int, Bool)
        case rate(Rating, Int)
        case pause
        case handIn
        case undo(String)
        case askAgain
    }

    private let model: SessionModel
    private let close: @MainActor () -> Void
    private let ended: @MainActor (String) -> Void
    @State private var draft: ResponseDraft?
    @State private var steps = StepQueue<Step>()
    @State private var entryProblem: NumberEntryText?
    @State private var showsOverview = false
    @State private var hidesTime = false
    /// The typed texts of an exam that are no numbers yet, by the place of their questions.
    @State private var typed: [Int: String] = [:]
    /// The pictures of the question by name, once they were read.
    @State private var pictures: [String: LoadedPicture] = [:]
    @State private var player = ClipPlayer()
    /// The place that was shown when the app was left.
    @State private var leftAt: Int?
    @Environment(\.studyFormats) private var formats
    @Environment(\.scenePhase) private var phase

    /// Creates the screen of a session.
    ///
    /// - Parameters:
    ///   - model: The session.
    ///   - close: Leaves the session, which can be resumed at the same place.
    ///   - ended: Shows the result of the session with this id.
    public init(
        _ model: SessionModel, close: @escaping @MainActor () -> Void,
        ended: @escaping @MainActor (String) -> Void
    ) {
        self.model = model
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
        .task(id: model.screen?.images) { await loadPictures() }
        .performs($steps) { await take($0) }
        .onChange(of: model.screen, initial: true) { showed(model.screen) }
        .sensoryFeedback(trigger: model.screen) { before, now in
            guard let verdict = now?.verdict, before?.verdict == nil, before?.index == now?.index
            else { return nil }
            return verdict.grade.isCorrect ? .success : .error
        }
        .onChange(of: model.isOver) { if model.isOver { ended(model.id) } }
        .onChange(of: model.screen?.question.id) { player.stop() }
        .onDisappear { player.stop() }
        .onChange(of: phase) { phaseChanged() }
    }

    private func question(_ screen: SessionScreen, _ draft: ResponseDraft) -> some View {
        VStack(spacing: 0) {
            SessionHead(
                screen, hidesTime: $hidesTime, close: close,
                save: { ask(.favourite(screen.index, $0)) },
                overview: screen.mode == .exam ? showOverview : nil)
            QuestionView(
                screen, pictures: pictures, clip: clip(screen),
                draft: binding(draft), report: report(screen),
                askAgain: { ask(.askAgain) })
        }
        .safeAreaInset(edge: .bottom, spacing: 0) { foot(screen, draft) }
        .sheet(isPresented: $showsOverview) {
            NavigationStack {
                OverviewView(screen, open: open, handIn: handIn) { showsOverview = false }
            }
        }
    }

    private func clip(_ screen: SessionScreen) -> ClipRow? {
        screen.clip.map { clip in
            ClipRow(clip, player: player, hasKey: true) { [model] in await model.clip() }
        }
    }

    private func report(_ screen: SessionScreen) -> ReportButton {
        ReportButton(
            screen.reporting, question: screen.question.richStem.plainText,
            model: { [model] in model.report(at: screen.index) }
        ) { [model] in await model.load(at: screen.index) }
    }

    private func failure(_ problem: StudyProblem) -> some View {
        ContentUnavailableView {
            Label(formats.words["errors.title"], systemImage: "exclamationmark.triangle")
        } description: {
            Text(verbatim: formats.words[problem.code.key])
        } actions: {
            Button(formats.words["app.tryAgain"]) { ask(.next) }
            Button(formats.words["app.close"], action: close)
        }
    }

    // MARK: Foot

    private func foot(_ screen: SessionScreen, _ draft: ResponseDraft) -> some View {
        let words = SessionText(screen, formats, problem: model.problem)
        return VerdictFoot(
            entryProblem?.sentence ?? words.sentence,
            tone: entryProblem == nil ? words.tone : .care
        ) {
            VStack(spacing: StudyStyle.gap) {
                // Three steps beside Next have no room in one row of a phone.
                if screen.mode == .exam {
                    FittingButtons { sideSteps(screen, draft, words) }
                }
                FittingButtons {
                    if let choices = entryProblem?.choices, !choices.isEmpty {
                        readings(choices, draft)
                    } else if words.ratings.isEmpty {
                        if screen.mode != .exam { sideSteps(screen, draft, words) }
                        mainStep(screen, draft, words)
                    } else {
                        ForEach(words.ratings) { choice in
                            RatingButton(choice) { ask(.rate(choice.rating, screen.index)) }
                        }
                    }
                }
            }
        }
    }

    /// The readings of an ambiguous number; the chosen one is what was meant.
    private func readings(_ choices: [String], _ draft: ResponseDraft) -> some View {
        ForEach(choices, id: \.self) { text in
            Button(text) {
                var meant = draft
                meant.number = text
                self.draft = meant
                ask(.answer(meant))
            }
            .buttonStyle(.studyOutlined)
        }
    }

    @ViewBuilder
    private func sideSteps(
        _ screen: SessionScreen, _ draft: ResponseDraft, _ words: SessionText
    ) -> some View {
        if let key = screen.undoKey {
            Button(formats.words["app.undo"]) { ask(.undo(key)) }
                .buttonStyle(.studyOutlined)
                .keyboardShortcut("z", modifiers: .command)
        }
        if let title = words.previous {
            Button(title) { ask(.previous(draft)) }.buttonStyle(.studyOutlined)
        }
        if let title = words.flag {
            Button(title) { ask(.flag(draft, !screen.isFlagged)) }
                .buttonStyle(.studyOutlined)
        }
        if let title = words.skip {
            Button(title) { ask(.skip(draft)) }.buttonStyle(.studyOutlined)
        }
    }

    private func mainStep(
        _ screen: SessionScreen, _ draft: ResponseDraft, _ words: SessionText
    ) -> some View {
        Button(action: { ask(screen.verdict == nil ? .answer(draft) : .next) }) {
            Text(verbatim: words.next).frame(maxWidth: .infinity)
        }
        .buttonStyle(.studyFilled)
        .keyboardShortcut(.defaultAction)
    }

    private func showOverview() { showsOverview = true }

    private func open(_ index: Int) {
        showsOverview = false
        ask(.go(index))
    }

    private func handIn() {
        showsOverview = false
        ask(.handIn)
    }

    // MARK: Steps

    /// Requests a step; it has no effect while one is under way.
    private func ask(_ wanted: Step) { steps.ask(wanted) }

    private func take(_ step: Step) async {
        entryProblem = nil
        keepTyped()
        switch step {
        case .answer(let draft): await answer(draft)
        case .next: await model.load()
        case .go(let index): await model.load(at: index)
        case .skip(let draft): await skip(draft)
        case .previous(let draft):
            await model.goBack(from: draft.index, keeping: (try? draft.response) ?? [])
        case .flag(let draft, let isFlagged):
            // A number that cannot be read yet stays in its field.
            let response = (try? draft.response) ?? []
            await model.flag(at: draft.index, isFlagged, keeping: response)
        case .favourite(let index, let isOne): await model.setFavourite(at: index, isOne)
        case .rate(let rating, let index): await model.rate(rating, at: index)
        case .pause: await model.pause()
        case .handIn: await model.finish()
        case .askAgain: await model.askAgain()
        case .undo(let key):
            // The question is asked anew, without the former choice.
            draft = nil
            await model.undo(key)
            showed(model.screen)
        }
    }

    /// Keeps a typed text that cannot be read as a number, for the way back to its question.
    private func keepTyped() {
        guard model.screen?.mode == .exam, let draft else { return }
        typed[draft.index] = (try? draft.response) == nil ? draft.number : nil
    }

    private func skip(_ draft: ResponseDraft) async {
        let isLast = model.screen?.next == nil
        await model.skip(at: draft.index, keeping: (try? draft.response) ?? [])
        // After the last question of an exam the overview says what is open, and hands in.
        if isLast, model.screen?.mode == .exam { showsOverview = true }
    }

    private func answer(_ draft: ResponseDraft) async {
        guard let screen = model.screen else { return }
        do throws(EnteredNumberError) {
            await model.answer(
                try draft.response, at: draft.index, of: draft.question)
            guard model.problem == nil, screen.mode == .exam else { return }
            // After the last question the overview says what is open, and hands in.
            guard let next = screen.next else { return showsOverview = true }
            await model.load(at: next)
        } catch {
            entryProblem = NumberEntryText(error, typed: draft.number, formats)
        }
    }

    /// Pauses in the background, where no time counts, and returns to what was shown.
    private func phaseChanged() {
        if phase == .background, let screen = model.screen {
            leftAt = screen.index
            // Never dropped: an answer may be under way when the app is left.
            steps.insist(.pause)
        } else if phase == .active, let place = leftAt {
            leftAt = nil
            steps.insist(.go(place))
        }
    }

    private func showed(_ screen: SessionScreen?) {
        guard let screen else { return draft = nil }
        if screen.verdict != nil {
            let words = SessionText(screen, formats)
            AccessibilityNotification.Announcement(words.sentence).post()
        }
        // What was chosen stays after a problem.
        let isSame = draft?.index == screen.index && draft?.question == screen.question.id
        if !isSame || screen.verdict != nil {
            draft = ResponseDraft(screen, formats)
            if let text = typed[screen.index], screen.mode == .exam { draft?.number = text }
        }
    }

    private func loadPictures() async {
        pictures = [:]
        for name in model.screen?.question.imageNames ?? [] {
            pictures[name] = LoadedPicture(await model.picture(name))
        }
    }

    private func binding(_ shown: ResponseDraft) -> Binding<ResponseDraft> {
        $draft[shown: shown]
    }
}
#endif
