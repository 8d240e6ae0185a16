import StudyModel
import Underway

/// A row of a single or multiple choice, under the names of its part.
struct OptionView {
    var isOpen: Bool
    var isRight = false
    var isWrong = false
    var isFaded = false
    var isSquare: Bool
    var kind: String
    var name = "option"
    var value: String
    var isChosen: Bool
    var isFirst: Bool
    var key: String?
    /// The longest of the marks: it reserves their place.
    var room: String
    var mark: String?
    var runs: [TextRun]
    var lang = ""
    var dir = "auto"
    var feedback: [TextRun]

    /// Returns the rows of a question.
    ///
    /// - Parameters:
    ///   - screen: The question.
    ///   - words: The words of the marks.
    ///   - typed: The options of a form that was sent and not accepted.
    /// - Returns: The rows in the order in which they are shown.
    static func rows(
        _ screen: SessionScreen, _ words: StudyWords, typed: [String]
    ) -> [OptionView] {
        let isSingle = screen.question.type != .multiChoice
        let chosen =
            typed.isEmpty || screen.verdict != nil
            ? (screen.verdict?.response ?? screen.response)?.optionIDs ?? [] : typed
        let marks = ["session.rightAnswer", "session.yourRightAnswer", "session.yourAnswer"]
            .map { words[$0] }
        let room = screen.showsVerdicts ? marks.max { $0.count < $1.count } ?? "" : ""
        return screen.options.enumerated().map { index, option in
            var row = OptionView(
                isOpen: screen.verdict == nil, isSquare: !isSingle,
                kind: isSingle ? "radio" : "checkbox", value: option.id,
                isChosen: chosen.contains(option.id), isFirst: index == 0,
                key: index < 9 ? String(index + 1) : nil, room: room, mark: nil,
                runs: TextRun.runs(of: option.text), feedback: [])
            if let verdict = screen.verdict { row.judge(option, verdict, words) }
            return row
        }
    }

    private mutating func judge(
        _ option: QuestionOption, _ verdict: SessionScreen.Verdict, _ words: StudyWords
    ) {
        isRight = verdict.grade.correctOptionIDs.contains(option.id)
        isWrong = !isRight && isChosen
        isFaded = !isRight && !isWrong
        mark =
            isRight
            ? words[isChosen ? "session.yourRightAnswer" : "session.rightAnswer"]
            : isWrong ? words["session.yourAnswer"] : nil
        feedback = TextRun.runs(of: isChosen ? option.feedback ?? "" : "")
    }
}

/// The rows of an ordering, under the names of its part.
struct OrderingView {
    struct Row {
        var value: String
        var place: Int
        var plain: String
        var runs: [TextRun]
        var lang = ""
        var dir = "auto"
        var upName: String
        var downName: String
        var isTop: Bool
        var isBottom: Bool
        var isRight: Bool
        var isWrong: Bool
        var isFaded = false
        var isOpen: Bool
        var mark: String?
        var room: String
    }

    var name = "option"
    var live: String
    /// True while rows can be moved.
    var isOpen: Bool
    var rows: [Row]

    init(_ screen: SessionScreen, _ formats: StudyFormats, typed: [String]) {
        let words = formats.words
        live = words["session.moved"].replacing("{number}", with: "{place}")
            .replacing("{total}", with: "{count}").replacing("{item}", with: "{name}")
        isOpen = screen.verdict == nil
        let shown = screen.options.map(\.id)
        let given = (screen.verdict?.response ?? screen.response)?.optionIDs ?? []
        let order = Set(typed) == Set(shown) ? typed : given.isEmpty ? shown : given
        let right = screen.verdict?.grade.correctOptionIDs ?? []
        let options = Dictionary(
            screen.options.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        rows = order.compactMap { options[$0] }.enumerated().map { index, option in
            let place = (right.firstIndex(of: option.id) ?? index) + 1
            let isHere = place == index + 1
            return Row(
                value: option.id, place: index + 1, plain: TextRun.plain(option.text),
                runs: TextRun.runs(of: option.text),
                upName: words.text("session.moveUp", ["item": TextRun.plain(option.text)]),
                downName: words.text("session.moveDown", ["item": TextRun.plain(option.text)]),
                isTop: index == 0, isBottom: index == order.count - 1,
                isRight: screen.verdict != nil && isHere,
                isWrong: screen.verdict != nil && !isHere, isOpen: screen.verdict == nil,
                mark: isHere
                    ? words["session.yourRightAnswer"]
                    : words.text("session.rightPlace", ["number": formats.number(place)]),
                room: "")
        }
    }
}
