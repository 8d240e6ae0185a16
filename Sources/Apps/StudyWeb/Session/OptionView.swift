import PageRendering
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
    var html: String
    /// The name of the control, for a text with a formula; `nil` for another.
    var spoken: String?
    var picture: PictureView?
    var lang: String
    var dir: String

    /// Returns the rows of a question.
    ///
    /// - Parameters:
    ///   - screen: The question.
    ///   - words: The words of the marks.
    ///   - sizes: The sizes of the options' pictures.
    ///   - typed: The options of a form that was sent and not accepted.
    /// - Returns: The rows in the order in which they are shown.
    static func rows(
        _ screen: SessionScreen, _ words: StudyText, _ sizes: PictureSizes, typed: [String]
    ) -> [OptionView] {
        let isSingle = screen.question.type != .multiChoice
        let chosen = typed.isEmpty ? screen.response?.optionIDs ?? [] : typed
        let marks = OptionText.marks(words)
        let content = ContentLanguage(screen.subject.contentLanguage)
        let writer = RichTextHTML(words, images: screen.images)
        let room = screen.showsVerdicts ? marks.max { $0.count < $1.count } ?? "" : ""
        return OptionText.rows(screen, chosen: chosen, words).enumerated().map { index, row in
            let text = screen.question.richText(row.option.text)
            return OptionView(
                isOpen: row.standing == .open, isRight: row.standing == .right,
                isWrong: row.standing == .wrong, isFaded: row.standing == .faded,
                isSquare: !isSingle, kind: isSingle ? "radio" : "checkbox", value: row.id,
                isChosen: row.isChosen, isFirst: index == 0,
                key: index < 9 ? String(index + 1) : nil, room: room, mark: row.mark,
                html: writer.optionHTML(of: text), spoken: text.spokenName(words),
                picture: PictureView(row.option, screen, words, sizes), lang: content.lang,
                dir: content.dir)
        }
    }
}

/// The rows of an ordering, under the names of its part.
struct OrderingView {
    struct Row {
        var value: String
        var place: Int
        var plain: String
        var html: String
        var lang: String
        var dir: String
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

    /// A row of the right order.
    struct RightRow {
        var place: Int
        var html: String
        var lang: String
        var dir: String
    }

    /// The right order, beside a wrong one.
    struct Right {
        var rows: [RightRow]
    }

    var name = "option"
    var live: String
    /// True while rows can be moved.
    var isOpen: Bool
    var rows: [Row]
    var right: Right?

    init(_ screen: SessionScreen, _ formats: StudyFormats, typed: [String]) {
        let words = formats.words
        live = words["session.moved"].replacing("{number}", with: "{place}")
            .replacing("{total}", with: "{count}").replacing("{item}", with: "{name}")
        isOpen = screen.verdict == nil
        let shown = screen.options.map(\.id)
        let given = (screen.verdict?.response ?? screen.response)?.optionIDs ?? []
        let order = Set(typed) == Set(shown) ? typed : given.isEmpty ? shown : given
        let content = ContentLanguage(screen.subject.contentLanguage)
        let writer = RichTextHTML(words, images: screen.images)
        rows = OrderRowText.rows(screen, order: order, formats).map { row in
            let text = screen.question.richText(row.option.text)
            return Row(
                value: row.id, place: row.index + 1, plain: text.plainText,
                html: writer.optionHTML(of: text), lang: content.lang, dir: content.dir,
                upName: row.upName,
                downName: row.downName, isTop: row.index == 0,
                isBottom: row.index == order.count - 1, isRight: row.isRight == true,
                isWrong: row.isRight == false, isOpen: row.isRight == nil, mark: row.mark,
                room: "")
        }
        right = OrderRowText.right(screen, formats).map { rows in
            Right(
                rows: rows.map { row in
                    RightRow(
                        place: row.index + 1,
                        html: writer.optionHTML(of: screen.question.richText(row.option.text)),
                        lang: content.lang, dir: content.dir)
                })
        }
    }
}
