import PageRendering
import StudyModel
import Underway

/// The form of a learner's note, with the names of `part_note`.
struct NoteView {
    var bank: String
    var question: String
    var text: String
    /// The id of the field, different for each question of a page.
    var place: String
    var most: Int
    /// The sentence about a note that is too long.
    var problem: String?
    /// The session whose review shows the form; `nil` for the question's own page.
    var session: String?
    var number: Int?
    /// The id of the element with the question's text, in a review.
    var about: String?
    var hasText: Bool

    init(_ subject: Subject, question: String, text: String?, place: String) {
        bank = subject.id
        self.question = question
        self.text = text ?? ""
        self.place = place
        hasText = !self.text.isEmpty
        most = QuestionNote.lengthMax
    }

    /// The note on a question of a review.
    init(_ reviewed: ResultScreen.Reviewed, in screen: ResultScreen, _ notes: [String: String]) {
        let place = ReviewView.Row.place(reviewed)
        self.init(
            screen.subject, question: reviewed.id, text: notes[reviewed.id],
            place: place + "-note")
        session = screen.id
        number = reviewed.number
        about = place + "-text"
    }
}

/// The values of a question's page.
struct QuestionView {
    struct Secret {
        var sentence: String
    }

    var back: PageFrame.Link
    var language: String?
    var path: String
    var content: ContentLanguage
    var stem: StemView
    var code: CodeView?
    var picture: PictureView?
    var clip: ClipView?
    var rows: [OptionView]
    var hasRows: Bool
    /// True for an order, whose rows are numbered once the key is shown.
    var isOrdered: Bool
    var rightNumber: String?
    var secret: Secret?
    var why: WhyView?
    var standing: String
    /// The reason why study does not ask the question; `nil` for one that it asks.
    var aside: String?
    var note: NoteView

    /// Shows a question.
    ///
    /// - Parameters:
    ///   - screen: The question.
    ///   - formats: The language.
    ///   - sizes: The sizes of its pictures.
    ///   - typed: A note that is too long; `nil` for the stored one.
    init(
        _ screen: QuestionScreen, _ formats: StudyFormats, sizes: PictureSizes, typed: String?
    ) {
        let (words, question) = (formats.words, screen.question)
        back = .init(
            href: QuestionPages.path(screen.subject.id, QuestionQuery()),
            title: words["questions.title"])
        path = screen.crumbs
        let content = ContentLanguage(screen.subject.contentLanguage)
        let writer = RichTextHTML(words, images: screen.images)
        self.content = content
        stem = StemView(question.richStem, writer)
        code = question.code.map { CodeView($0, name: words["session.code"]) }
        picture = question.image.flatMap { screen.images[$0] }
            .map { PictureView($0, sizes.size($0, in: PictureSizes.question), words: words) }
        clip = ClipView(screen.clip, id: "clip", of: screen.subject, words)
        rows = OptionView.rows(screen, formats, sizes)
        hasRows = !rows.isEmpty
        isOrdered = question.type == .ordering && screen.secret == nil
        rightNumber = screen.rightNumber(formats)
        secret = screen.secret.map { Secret(sentence: words[$0.key]) }
        why =
            screen.secret == nil
            ? WhyView(nil, to: question, of: screen.subject, words, writer) : nil
        standing = screen.standing(words)
        aside = screen.setAside?.sentence(words)
        note = NoteView(
            screen.subject, question: question.id, text: typed ?? screen.note, place: "note")
        if typed != nil {
            note.problem = words.text(
                "questions.noteTooLong", ["most": formats.number(QuestionNote.lengthMax)])
        }
    }
}

extension OptionView {
    /// Returns the rows of a question outside of a session: the right ones marked once the key is shown.
    static func rows(
        _ screen: QuestionScreen, _ formats: StudyFormats, _ sizes: PictureSizes
    ) -> [OptionView] {
        let isOrdered = screen.question.type == .ordering
        let content = ContentLanguage(screen.subject.contentLanguage)
        let writer = RichTextHTML(formats.words, images: screen.images)
        return screen.options.enumerated().map { index, option in
            let isRight = screen.isRight(option)
            return OptionView(
                isOpen: false, isRight: isRight, isFaded: !isRight,
                isSquare: screen.question.type == .multiChoice, kind: "", value: option.id,
                isChosen: false, isFirst: false, room: "",
                mark: isRight
                    ? isOrdered
                        ? formats.number(index + 1) : formats.words["session.rightAnswer"]
                    : nil,
                html: writer.optionHTML(of: screen.question.richText(option.text)),
                picture: PictureView(option, screen.images, formats.words, sizes),
                lang: content.lang,
                dir: content.dir)
        }
    }
}

extension PictureView {
    /// Shows the picture of an option, whose text names it already; `nil` for one without a picture here.
    fileprivate init?(
        _ option: QuestionOption, _ images: [String: Checksum], _ words: StudyText,
        _ sizes: PictureSizes
    ) {
        guard let checksum = option.image.flatMap({ images[$0] }) else { return nil }
        self.init(checksum, sizes.size(checksum, in: PictureSizes.option), words: words)
        name = option.text.isEmpty ? option.shownText : ""
    }
}
