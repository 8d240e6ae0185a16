#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
public import StudyModel
public import SwiftUI
import Underway

/// The screen of one subject with its actions, weak topics, sessions and questions.
public struct SubjectView: View {
    /// A screen behind this one; the app opens it.
    public enum Choice: Sendable, Hashable {
        /// The result of a session that has ended.
        case result(String)
        /// All sessions of the subject.
        case sessions
        /// The questions of the subject.
        case questions
        /// The audio and pictures of the subject.
        case files
        /// The learner's settings of the subject.
        case learning
        /// The boards and live events.
        case boards
    }

    /// A step that a control asked for.
    private enum Step: Equatable {
        case begin(SessionMode)
        case study(QuestionTopic)
    }

    private let model: SubjectModel
    private let ratesAnswers: Bool
    private let hasBoards: Bool
    private let begun: @MainActor (String) -> Void
    private let choose: @MainActor (Choice) -> Void
    @State private var step: Step?
    @Environment(\.studyFormats) private var formats

    /// Creates the screen of a model.
    ///
    /// - Parameters:
    ///   - model: The subject.
    ///   - ratesAnswers: True to let the learner rate right answers.
    ///   - hasBoards: True on a device whose server may have boards.
    ///   - choose: Opens a screen behind this one.
    ///   - begun: Shows the session with this id.
    public init(
        _ model: SubjectModel, ratesAnswers: Bool = false, hasBoards: Bool = false,
        choose: @escaping @MainActor (Choice) -> Void = { _ in },
        begun: @escaping @MainActor (String) -> Void
    ) {
        self.model = model
        self.ratesAnswers = ratesAnswers
        self.hasBoards = hasBoards
        self.choose = choose
        self.begun = begun
    }

    /// The screen.
    public var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: StudyStyle.gapLarge) {
                if let problem = model.problem { ProblemCard(problem) }
                if let screen = model.screen {
                    content(screen, SubjectText(screen, formats))
                } else if model.problem == nil {
                    ProgressView(formats.words["app.loading"])
                }
            }
            .padding(StudyStyle.gapLarge)
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .background(StudyColor.page)
        .navigationTitle(model.screen?.subject.title ?? "")
        .task { await model.load() }
        .performs($step) { await take($0) }
    }

    @ViewBuilder
    private func content(_ screen: SubjectScreen, _ text: SubjectText) -> some View {
        Text(verbatim: text.level ?? text.seen)
        if screen.isNew { firstSteps(screen, text) } else { actions(screen, text) }
        if let limit = text.newLimit {
            note(limit)
            Button(formats.words["learning.own"]) { choose(.learning) }
        }
        if !screen.hasPlacement { simulation(screen) }
        if !screen.weakTopics.isEmpty { topics(screen.weakTopics) }
        if !screen.sessions.sessions.isEmpty { sessions(screen, text) }
        if hasBoards {
            Button(formats.words["board.list"]) { choose(.boards) }.buttonStyle(.studyOutlined)
        }
        Button(formats.words["questions.title"]) { choose(.questions) }
            .buttonStyle(.studyOutlined)
        if screen.fileBytes != nil {
            Button(formats.words["subject.media"]) { choose(.files) }
                .buttonStyle(.studyOutlined)
        }
    }

    // MARK: Actions

    @ViewBuilder
    private func firstSteps(_ screen: SubjectScreen, _ text: SubjectText) -> some View {
        if screen.hasPlacement {
            Button(text.findLevel) { ask(.begin(.placement)) }.buttonStyle(.studyFilled)
            note(text.placementHint)
            Button(formats.words["subject.startFirst"]) { ask(.begin(.study)) }
                .buttonStyle(.studyOutlined)
        } else {
            Button(formats.words["subject.startFirst"]) { ask(.begin(.study)) }
                .buttonStyle(.studyFilled)
        }
    }

    @ViewBuilder
    private func actions(_ screen: SubjectScreen, _ text: SubjectText) -> some View {
        if screen.dueCount > 0 {
            Button(formats.words.count("subject.studyDue", screen.dueCount)) {
                ask(.begin(.study))
            }
            .buttonStyle(.studyFilled)
        }
        note(text.studyHint)
        if screen.hasPlacement {
            Button(formats.words["subject.findMyLevel"]) { ask(.begin(.placement)) }
                .buttonStyle(.studyOutlined)
            note(text.placementHint)
        }
    }

    private func simulation(_ screen: SubjectScreen) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            Text(verbatim: screen.simulationSentence(formats))
            Button(formats.words["subject.simulate"]) { ask(.begin(.exam)) }
                .buttonStyle(.studyOutlined)
        }
        .studyCard()
    }

    private func note(_ text: String) -> some View {
        Text(verbatim: text).font(StudyStyle.small).foregroundStyle(StudyColor.soft)
    }

    // MARK: The past

    private func topics(_ topics: [WeakTopic]) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            heading("subject.weakTopics")
            ForEach(topics) { topic in
                AdaptiveRow {
                    Text(verbatim: topic.sentence(formats))
                        .frame(maxWidth: .infinity, alignment: .leading)
                    Button(formats.words["subject.studyTopic"]) { ask(.study(topic.topic)) }
                        .buttonStyle(.studyOutlined)
                        .accessibilityLabel(
                            formats.words.text(
                                "subject.studyTopicNamed", ["topic": topic.title]))
                }
            }
        }
        .studyCard()
    }

    private func sessions(_ screen: SubjectScreen, _ text: SubjectText) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gap) {
            heading("subject.sessions")
            ForEach(screen.sessions.sessions) { session in
                SessionRow(session, now: screen.now) {
                    session.isFinished ? choose(.result(session.id)) : begun(session.id)
                }
            }
            if let all = text.allSessions { Button(all) { choose(.sessions) } }
        }
        .studyCard()
    }

    private func heading(_ key: String) -> some View {
        Text(verbatim: formats.words[key]).font(StudyStyle.cardHeading)
            .accessibilityAddTraits(.isHeader)
    }

    // MARK: Steps

    /// Requests a step; while one is under way, another press does nothing.
    private func ask(_ wanted: Step) { if step == nil { step = wanted } }

    private func take(_ step: Step) async {
        let id =
            switch step {
            case .begin(let mode): await model.begin(mode, ratesAnswers: ratesAnswers)
            case .study(let topic): await model.begin(topic, ratesAnswers: ratesAnswers)
            }
        if let id { begun(id) }
    }
}
#endif
