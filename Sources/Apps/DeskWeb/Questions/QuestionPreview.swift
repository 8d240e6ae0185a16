import ContentModel
import PageRendering
import Publishing

/// A question as learners see it: open, and after their answer.
struct QuestionPreview {
    /// A picture; without a name beside a text.
    struct Picture {
        var source: String
        var name = ""
    }

    /// A row under the names of the shared part.
    struct Row {
        var isOpen = false
        var isRight = false
        var isWrong = false
        var isFaded = false
        var isSquare: Bool
        var kind: String
        var name = "preview"
        var value: String
        var isChosen = false
        var isFirst = false
        var key: String?
        var room = ""
        var mark: String?
        var html: String
        var picture: Picture?
        var lang: String
        var dir: String
        var feedback: String?
    }

    var domain: String
    /// The language of the bank.
    var content: ContentLanguage
    var stem: StemView
    var code: CodeView?
    var picture: Picture?
    var open: [Row]
    var answered: [Row]
    /// The right number with its unit; `nil` for a question with options.
    var number: String?
    var unit: String?
    var why: String?

    init(_ form: QuestionForm, in bank: IndexedBank, domain: String) {
        self.domain = domain
        content = ContentLanguage(bank.language)
        let texts = Texts(form, bank)
        stem = StemView(texts.rich(form.stem), texts.writer)
        code =
            form.codeText.isEmpty
            ? nil
            : CodeView(
                CodeSnippet(language: form.codeLanguage, text: form.codeText),
                name: "Code of the question")
        picture = Self.picture(form.picture, bank)
        let options = form.options ?? []
        let key = form.keyIndices
        let order = form.type?.isOrder == true ? key : Array(options.indices)
        open = options.map { Self.row($0, form.type, bank, texts, isOpen: true, isRight: false) }
        answered = order.map {
            Self.row(
                options[$0], form.type, bank, texts, isOpen: false, isRight: key.contains($0))
        }
        number = form.number.map { number in
            let value = number["value"] ?? ""
            return value.isEmpty ? "\(number["from"] ?? "") to \(number["to"] ?? "")" : value
        }
        unit = form.number?["unit"].flatMap { $0.isEmpty ? nil : $0 }
        why = form.explanation.isEmpty ? nil : texts.html(form.explanation)
    }

    /// Returns a picture of the bank's media; `nil` for a name that they do not have.
    private static func picture(_ name: String, _ bank: IndexedBank) -> Picture? {
        guard bank.content.mediaNames?.contains(name) == true else { return nil }
        return Picture(source: MediaPages.path(of: name, in: bank.name))
    }

    private static func row(
        _ option: QuestionForm.Option, _ type: QuestionType?, _ bank: IndexedBank, _ texts: Texts,
        isOpen: Bool, isRight: Bool
    ) -> Row {
        let isOrder = type?.isOrder == true
        let language = ContentLanguage(bank.language)
        return Row(
            isOpen: isOpen && !isOrder, isRight: !isOpen && isRight,
            isFaded: (!isOpen && !isRight) || (isOpen && isOrder), isSquare: type == .multiChoice,
            kind: type == .multiChoice ? "checkbox" : "radio", value: option.id,
            mark: !isOpen && isRight && !isOrder ? "Right answer" : nil,
            html: texts.writer.optionHTML(of: texts.rich(option.text)),
            picture: picture(option.picture, bank),
            lang: language.lang, dir: language.dir,
            feedback: isOpen || option.feedback.isEmpty ? nil : texts.html(option.feedback))
    }

    /// The texts of a form in the form that the question or its bank declares.
    private struct Texts {
        let form: TextForm
        let writer: RichTextHTML

        init(_ question: QuestionForm, _ bank: IndexedBank) {
            form = question.textForm ?? bank.content.head?.textForm ?? .plain
            writer = RichTextHTML(
                codeName: "Code of the question", tableName: "Table of the question"
            ) { QuestionPreview.picture($0, bank)?.source }
        }

        func rich(_ text: String) -> RichText { RichText(text, form: form) }

        func html(_ text: String) -> String { writer.html(of: rich(text)) }
    }
}
