import PageRendering
import StudyModel
import Underway

/// The values of a question's page, under the names of the parts.
struct SessionView {
    /// A question that study does not ask again, with the form that lets it.
    struct Aside {
        var bank: String
        var question: String
        var session: String
        var number: Int
        var sentence: String
    }

    struct Head {
        struct Save {
            var action: String
            var title: String
            var isSaved: Bool
            /// The form whose choice is kept; `nil` where none can be made.
            var form: String?
        }

        var close: PageFrame.Link
        var progressName: String
        var done: Int
        var count: Int
        var place: String
        var save: Save?
        var clock: ClockView?
        var overview: PageFrame.Link?
        var more: String?
    }

    struct Number {
        var text: String
        var unit: String?
        /// The ids of what describes the field: its unit, its mark, its problem.
        var descriptions: String?
        var isReadOnly: Bool
        /// The mark in the field of a checked number; `nil` before the check.
        var mark: Mark?
        var problem: String?
        /// The readings of an ambiguous number, each of which reads one way.
        var choices: [Choice]
        var hasChoices: Bool
    }

    struct Choice {
        var reading: String
    }

    /// The verdict on a number, in its field.
    struct Mark {
        var tone: String
        var icon: String
        var title: String
        /// The sentence with the right number; `nil` beside a right one.
        var right: String?
    }

    /// The text of the question without marks.
    var title: String
    var head: Head
    /// The address that takes the step, and the method: a checked question only goes on.
    var action: String
    var method: String
    /// False for the form that only goes on: its address must not show the secret.
    var isPost: Bool
    /// The step that every button of the form takes; `nil` where a button names its own.
    var step: String?
    /// The id of the question that the form answers; `nil` for the form that only goes on.
    var asked: String?
    var path: String
    var stem: StemView
    /// The name of the group of answers, for a question with a formula; `nil` for another.
    var spoken: String?
    /// The ids of what the question shows besides its words, which describes the group; `nil` for nothing.
    var described: String?
    /// The language of the question.
    var content: ContentLanguage
    var code: CodeView?
    var picture: PictureView?
    var clip: ClipView?
    var rows: [OptionView]
    var hasRows: Bool
    var ordering: OrderingView?
    var number: Number?
    var why: WhyView?
    /// The reason why study does not ask the question again; `nil` for one that it asks.
    var aside: Aside?
    /// The link to the question's report; `nil` where it cannot be reported.
    var report: PageFrame.Link?
    /// The form that takes the newest answer back, which a button of the foot sends; `nil` without one.
    var undo: UndoView?
    var foot: SessionFoot
    var enter: DefaultButton
    var keys: KeysView

    init(
        _ screen: SessionScreen, _ formats: StudyFormats, sizes: PictureSizes,
        problem: StudyProblem?, form: FormFields, typed: String? = nil,
        entry: NumberEntryText? = nil
    ) {
        let (question, words) = (screen.question, formats.words)
        let isRating = !(screen.verdict?.nextByRating.isEmpty ?? true)
        let isOpen = screen.verdict == nil || isRating
        step = isRating ? "rate" : nil
        asked = isOpen ? question.id : nil
        let writer = RichTextHTML(words, images: screen.images)
        title = question.richStem.titleText
        head = Head(screen, formats)
        let address = "/session/\(screen.id)"
        action =
            isOpen
            ? "\(address)/\(screen.index + 1)"
            : screen.next.map { "\(address)/\($0 + 1)" } ?? "\(address)/result"
        method = isOpen ? "post" : "get"
        isPost = isOpen
        path = screen.crumbs
        stem = StemView(question.richStem, writer)
        spoken = question.richStem.spokenName(words)
        content = ContentLanguage(screen.subject.contentLanguage)
        code = question.code.map { CodeView($0, name: words["session.code"], id: "code") }
        picture = question.image.flatMap { screen.images[$0] }.map {
            PictureView($0, sizes.size($0, in: PictureSizes.question), words: words)
        }
        let given = [
            stem.passage == nil ? nil : "passage", code == nil ? nil : "code",
            picture == nil ? nil : "picture",
        ].compactMap(\.self)
        described = given.isEmpty ? nil : given.joined(separator: " ")
        clip = ClipView(screen.clip, id: "clip", of: screen.subject, words)
        ordering =
            question.type == .ordering
            ? OrderingView(screen, formats, typed: form.all("option")) : nil
        rows =
            ordering == nil ? OptionView.rows(screen, words, sizes, typed: form.all("option")) : []
        hasRows = !rows.isEmpty
        number =
            question.type == .numericEntry
            ? Number(
                screen, formats, typed: form["number"] ?? typed, problem: problem, entry: entry)
            : nil
        why = screen.verdict.flatMap {
            WhyView($0.response, to: question, of: screen.subject, words, writer)
        }
        let aside = Aside(screen, words)
        self.aside = aside
        report = screen.reporting.key.map {
            .init(
                href: ReportPages.path(
                    screen.id, screen.index, from: .question,
                    reason: aside == nil ? nil : .unclear), title: words[$0])
        }
        undo = UndoView(screen.undoKey, session: screen.id, words)
        foot = SessionFoot(screen, formats, problem: problem)
        enter = foot.enter
        keys = KeysView(words)
    }
}

extension SessionView.Aside {
    fileprivate init?(_ screen: SessionScreen, _ words: StudyText) {
        guard let record = screen.verdict?.setAside else { return nil }
        (bank, question, session) = (record.bank, record.question, screen.id)
        number = screen.index + 1
        sentence = record.sentence(words)
    }
}

extension SessionView.Head {
    init(_ screen: SessionScreen, _ formats: StudyFormats) {
        let words = formats.words
        let address = "/session/\(screen.id)"
        close = .init(href: "/", title: words["session.close"])
        (progressName, place) = (screen.positionName(formats), screen.position(formats))
        done = screen.index + (screen.verdict == nil ? 0 : 1)
        count = screen.count
        save = Save(
            action: "\(address)/\(screen.index + 1)/favourite",
            title: words[screen.isFavourite ? "session.saved" : "session.save"],
            isSaved: screen.isFavourite, form: screen.verdict == nil ? "question" : nil)
        clock = ClockView(screen, formats)
        overview =
            screen.mode == .exam
            ? .init(href: "\(address)/overview", title: words["simulation.overview"]) : nil
    }
}

extension SessionView.Number {
    init(
        _ screen: SessionScreen, _ formats: StudyFormats, typed: String?, problem: StudyProblem?,
        entry: NumberEntryText?
    ) {
        let given: String? =
            if case .number(let number)? = screen.verdict?.response ?? screen.response {
                number.entered(in: formats.words.locale)
            } else {
                nil
            }
        text = screen.verdict == nil ? typed ?? given ?? "" : given ?? ""
        unit = screen.unit
        isReadOnly = screen.verdict != nil
        mark = NumberVerdictText(screen, formats).map {
            .init(
                tone: $0.isRight ? "right" : "wrong", icon: $0.isRight ? "check" : "cross",
                title: $0.mark, right: $0.right)
        }
        self.problem =
            entry?.sentence ?? (problem == nil ? nil : formats.words["session.enterFirst"])
        choices = (entry?.choices ?? []).map { .init(reading: $0) }
        hasChoices = !choices.isEmpty
        let ids = [
            unit.map { _ in "number-unit" }, mark.map { _ in "number-mark" },
            self.problem.map { _ in "number-problem" },
        ].compactMap(\.self)
        descriptions = ids.isEmpty ? nil : ids.joined(separator: " ")
    }
}

/// A picture of a question.
struct PictureView {
    var source: String
    /// The page of the picture, for a browser without script.
    var page: String
    var name: String
    var enlarge: String
    /// The size at which it is shown; `nil` for an unknown one.
    var size: PictureSize?

    init(_ checksum: Checksum, _ size: PictureSize?, words: StudyText) {
        source = MediaPages.path(of: checksum)
        page = PicturePages.path(of: checksum)
        self.size = size
        name = words["session.picture"]
        enlarge = words["session.enlarge"]
    }

    /// Shows the picture of an option, whose text names it already; `nil` for one without a picture here.
    init?(
        _ option: QuestionOption, _ screen: SessionScreen, _ words: StudyText, _ sizes: PictureSizes
    ) {
        guard let checksum = option.image.flatMap({ screen.images[$0] }) else { return nil }
        self.init(checksum, sizes.size(checksum, in: PictureSizes.option), words: words)
        name = option.text.isEmpty ? option.shownText : ""
    }
}

/// The time left of a simulation.
struct ClockView {
    var secondsLeft: Int
    var shown: String
    var minutesPattern: String
    var secondsPattern: String
    var spoken: String
    /// The address that hands in what is there when the time is over.
    var over: String
    var hideTitle: String
    var isHidden = false

    init?(_ screen: SessionScreen, _ formats: StudyFormats) {
        guard let left = screen.secondsLeft else { return nil }
        let words = formats.words
        secondsLeft = Int(left.rounded(.up))
        shown = formats.timeLeft(.seconds(left))
        minutesPattern = words["simulation.minutesPattern"].replacing("{minutes}", with: "{count}")
        secondsPattern = "{count}"
        spoken = words["simulation.spokenPattern"].replacing("{minutes}", with: "{count}")
        over = "/session/\(screen.id)"
        hideTitle = words["simulation.hideTime"]
    }
}

/// The list of keys.
struct KeysView {
    struct Row {
        var key: String
        var meaning: String
    }

    var title: String
    var close: String
    var rows: [Row]

    init(_ words: StudyText) {
        title = words["keys.title"]
        close = words["keys.close"]
        rows = [
            ("1–9", "choose"), ("Enter", "enter"), ("Alt ↑ ↓", "move"), ("s", "save"),
            ("f", "flag"), ("z", "undo"), ("w", "why"), ("p", "play"), ("Esc", "close"),
            ("?", "list"),
        ].map { Row(key: $0.0, meaning: words["keys.\($0.1)"]) }
    }
}
