import StudyModel
import Underway

/// The values of a subject's page.
struct SubjectView {
    /// A row whose button begins a session.
    struct Action {
        var mode: String
        var title: String
        /// What the session takes.
        var hint: String
        var isFilled = false
    }

    struct Topic {
        var name: String
        var sentence: String
        /// The button's name for a screen reader.
        var label: String
    }

    var bank: String
    var language: String?
    var level: String?
    var lead: String
    /// The session to continue: it comes before all else.
    var open: PageFrame.Link?
    /// The two ways to begin, for a subject of which nothing is answered yet; else empty.
    var firstSteps: [Action]
    var hasFirstSteps: Bool
    /// The longest duration of the placement test, below these.
    var firstHint: String?
    var actions: [Action]
    var hasActions: Bool
    /// The sentence in place of a button, when nothing is due.
    var doneText: String?
    var newLimit: String?
    var hasExamDate: Bool
    /// True on a device whose server may have boards.
    var hasBoards = false
    var topics: [Topic]
    var hasTopics: Bool
    var sessions: [SessionRowView]
    var hasSessions: Bool
    var allSessions: PageFrame.Link?
    var search: QuestionSearchView
    var offlineFiles: FilesView?

    init(_ screen: SubjectScreen, _ formats: StudyFormats) {
        let words = formats.words
        let text = SubjectText(screen, formats)
        bank = screen.subject.id
        language = screen.subject.language
        level = text.level
        lead =
            screen.seenCount > 0
            ? text.seen : words.count("library.questions", screen.questionCount)
        open = Self.open(screen).map {
            .init(href: "/session/\($0)", title: words["today.continue"])
        }
        firstSteps = screen.isNew ? Self.firstSteps(screen, text, words) : []
        hasFirstSteps = !firstSteps.isEmpty
        firstHint = hasFirstSteps && screen.hasPlacement ? text.placementHint : nil
        actions = Self.actions(screen, text, formats)
        hasActions = !actions.isEmpty
        doneText = screen.dueCount == 0 && open == nil ? words["today.done"] : nil
        newLimit = text.newLimit
        hasExamDate = !screen.hasPlacement
        topics = screen.weakTopics.map { Topic($0, formats) }
        hasTopics = !topics.isEmpty
        sessions = screen.sessions.sessions.map { SessionRowView($0, screen.now, formats) }
        hasSessions = !sessions.isEmpty
        allSessions = text.allSessions.map {
            .init(href: "/library/\(screen.subject.id)?part=sessions", title: $0)
        }
        search = QuestionSearchView(screen.subject, QuestionQuery(), words, current: nil)
    }

    private static func open(_ screen: SubjectScreen) -> String? {
        let open = screen.openSessions
        return open[.exam] ?? open[.placement] ?? open[.study]
    }

    private static func firstSteps(
        _ screen: SubjectScreen, _ text: SubjectText, _ words: StudyText
    ) -> [Action] {
        var first = Action(
            mode: "study", title: words["subject.startFirst"], hint: "", isFilled: true)
        guard screen.hasPlacement else { return screen.dueCount > 0 ? [first] : [] }
        let level = Action(mode: "placement", title: text.findLevel, hint: "", isFilled: true)
        first.isFilled = false
        return screen.dueCount > 0 ? [level, first] : [level]
    }

    private static func actions(
        _ screen: SubjectScreen, _ text: SubjectText, _ formats: StudyFormats
    ) -> [Action] {
        let isFree = open(screen) == nil && !screen.isNew
        let studies = screen.dueCount > 0 && screen.openSessions[.study] == nil
        var actions: [Action] = []
        if studies, !screen.isNew {
            actions.append(
                Action(
                    mode: "study", title: text.study, hint: text.studyHint,
                    isFilled: isFree && (!screen.hasPlacement || screen.placement != nil)))
        }
        if !screen.hasPlacement, screen.openSessions[.exam] == nil {
            actions.append(
                Action(
                    mode: "exam", title: formats.words["subject.simulate"],
                    hint: screen.simulationSentence(formats)))
        }
        if screen.hasPlacement, screen.openSessions[.placement] == nil, !screen.isNew {
            actions.append(
                Action(
                    mode: "placement", title: formats.words["subject.findMyLevel"],
                    hint: text.placementHint,
                    isFilled: isFree && (screen.placement == nil || !studies)))
        }
        return actions
    }
}

extension SubjectView.Topic {
    init(_ topic: WeakTopic, _ formats: StudyFormats) {
        name = topic.topic.name
        sentence = topic.sentence(formats)
        label = formats.words.text("subject.studyTopicNamed", ["topic": topic.title])
    }
}
