import ContentModel
import Publishing

/// The page on which a question is edited.
struct QuestionEditView {
    /// A number of problems that leads to the first of them.
    struct Count {
        var href: String
        var words: String
    }

    /// The data of a page.
    struct Source {
        var bank: IndexedBank
        var question: BankQuestion
        /// The form: what was typed, or what the file has.
        var form: QuestionForm
        /// The question that the author saw.
        var base: JSONValue
        var conflict: QuestionConflict?
        var problem: String?
        /// The earlier state in the form; `nil` for the current one.
        var brought: String?
        var canEdit: Bool
        /// The account, whose drafts are its own.
        var user: String
        /// The address of the list that the author came from.
        var back: String
    }

    var action: String
    var check: String
    var history: String
    var user: String
    var brought: String?
    var back: String
    var id: String
    var place: String
    var bank: String
    var typeTitle: String
    var seen: String
    var base: String
    var canEdit: Bool
    /// True for an author, of a question that was never released.
    var canDelete: Bool
    var errors: Count?
    var warnings: Count?
    var problem: String?
    var conflict: QuestionConflict?
    /// The effect on earlier answers if the key differs from the release.
    var keyNote: String?
    var other: MessagesView
    var stem: TextFieldView
    var codeLanguage: TextFieldView
    var codeText: TextFieldView
    var hasCode: Bool
    /// The name of the picture; `nil` where the bank has no media.
    var picture: TextFieldView?
    /// The names of the bank's media.
    var pictures: [String]
    /// The fields of the clip.
    var clip: [TextFieldView]
    var hasClip: Bool
    /// False where the bank has no file with a sound.
    var hasClips: Bool
    /// The names of the files that the question may play.
    var clips: [String]
    var options: [OptionFieldView]
    var hasOptions: Bool
    var optionsHint: String
    var optionsMessages: MessagesView
    var numbers: [TextFieldView]
    var hasNumbers: Bool
    var numberMessages: MessagesView
    var explanation: TextFieldView
    var domain: ChoiceFieldView?
    var level: ChoiceFieldView
    var tags: TextFieldView
    var isRetired: Bool
    var shuffles: Bool
    var preview: QuestionPreview

    init(_ source: Source) {
        let (bank, question, form) = (source.bank, source.question, source.form)
        let value = form.applied(to: question.value)
        let result = QuestionCheck(value, id: question.id, in: bank)
        let messages = FieldMessages(result)
        action = Self.path(bank.name, question.id)
        check = action + "/check"
        history = action + "/history"
        brought = source.brought
        user = source.user
        back = source.back
        id = question.id
        place = "\(question.file), line \(question.line)"
        self.bank = bank.title
        typeTitle = form.type?.title ?? value["type"]?.shownText ?? "No type"
        seen = source.base.seenChecksum
        base = String(decoding: source.base.canonicalBytes, as: UTF8.self)
        canEdit = source.canEdit
        canDelete = source.canEdit && bank.released(question.id) == nil
        errors = Self.count(result, isError: true)
        warnings = Self.count(result, isError: false)
        problem = source.problem
        conflict = source.conflict
        keyNote = Self.keyNote(value, bank.released(question.id))
        other = messages.view("", id: "other")
        stem = TextFieldView(
            "stem", "Question", form.stem, hint: "backticks make code", isLong: true,
            messages.view("stem"))
        codeLanguage = TextFieldView(
            "code-language", "Language of the code", form.codeLanguage, hint: "as swift or python",
            isLong: false, messages.view("code.language"))
        codeText = TextFieldView(
            "code-text", "Code", form.codeText, isLong: true, isCode: true, messages.view("code"))
        hasCode =
            !form.codeText.isEmpty || !form.codeLanguage.isEmpty || form.type?.needsCode == true
        let hasPictures = Self.hasPictures(form, bank)
        pictures = hasPictures ? Array((bank.content.mediaNames ?? []).sorted().prefix(500)) : []
        picture =
            hasPictures
            ? TextFieldView(
                "image", "Picture", form.picture, hint: "the name of a file of the exam's media",
                isLong: false, list: "pictures", messages.view("image")) : nil
        let files = bank.content.clipNames.filter(QuestionAudio.isPlayable)
        clips = Array(files.sorted().prefix(500))
        clip = Self.clip(form, messages)
        hasClip = form.clip != QuestionForm.Clip()
        hasClips = hasClip || !clips.isEmpty
        options = Self.options(form, messages, hasPictures: hasPictures)
        hasOptions = form.options != nil
        optionsHint = Self.optionsHint(form.type)
        optionsMessages = messages.view("options")
        numbers = Self.numbers(form, messages)
        hasNumbers = form.number != nil
        numberMessages = messages.view("number")
        explanation = TextFieldView(
            "explanation", "Why", form.explanation, hint: "shown after the answer", isLong: true,
            messages.view("explanation"))
        domain = Self.domain(form, bank, messages)
        level = Self.level(form, bank, messages)
        tags = TextFieldView(
            "tags", "Tags", form.tags, hint: "separated by commas", isLong: false,
            messages.view("tags"))
        isRetired = form.isRetired
        shuffles = form.shuffles
        preview = QuestionPreview(
            form, in: bank,
            domain: bank.content.head?.domains.first { $0.id == form.domain }?.title ?? form.domain)
    }

    /// Returns the address of a question.
    static func path(_ bank: String, _ id: String) -> String {
        "\(DeskSection.questions.path)/\(QuestionFilter.encoded(IndexedBank.pathName(of: bank)))"
            + "/\(QuestionFilter.encoded(id))"
    }

    private static func count(_ check: QuestionCheck, isError: Bool) -> Count? {
        let found = check.messages.filter { $0.isError == isError }
        guard let first = found.first else { return nil }
        let word = isError ? "error" : "warning"
        let field = first.field.isEmpty ? "other" : first.field
        return Count(
            href: "#" + field.replacing(".", with: "-") + "-messages",
            words: "\(found.count) \(word)\(found.count == 1 ? "" : "s")")
    }

    private static func keyNote(_ value: JSONValue, _ released: Question?) -> String? {
        guard let released, let node = try? JSONParser.parse(value.canonicalBytes),
            let question = Question.read(
                node, report: DecodingReport(file: "", strictness: .released)),
            question.keyLabel != released.keyLabel
        else { return nil }
        return "The release has another key: \(released.shownKey)."
            + " Answers that were given before keep their grade, unless you have them scored again on Publish."
    }

    private static func optionsHint(_ type: QuestionType?) -> String {
        switch type {
        case .multiChoice: "tick what is right"
        case .ordering: "number them in the right order"
        default: "choose the right one"
        }
    }

    /// Returns true for a bank with media, and for a question that shows a picture all the same.
    private static func hasPictures(_ form: QuestionForm, _ bank: IndexedBank) -> Bool {
        bank.content.mediaNames?.isEmpty == false || !form.picture.isEmpty
            || form.options?.contains { !$0.picture.isEmpty } == true
    }

    private static func clip(_ form: QuestionForm, _ messages: FieldMessages) -> [TextFieldView] {
        [
            TextFieldView(
                "audio-file", "Clip", form.clip.file, hint: "the name of a file with a sound",
                isLong: false, list: "clips", messages.view("audio.file")),
            TextFieldView(
                "audio-title", "Title of the clip", form.clip.title,
                hint: "what is heard, without the answer", isLong: false,
                messages.view("audio.title")),
            TextFieldView(
                "audio-transcript", "What is heard", form.clip.transcript,
                hint: "shown after the answer", isLong: true, messages.view("audio.transcript")),
        ]
    }

    private static func options(
        _ form: QuestionForm, _ messages: FieldMessages, hasPictures: Bool
    ) -> [OptionFieldView] {
        let isOrder = form.type?.isOrder == true
        return (form.options ?? []).enumerated().map { index, option in
            OptionFieldView(
                index: index, number: index + 1, id: option.id, text: option.text,
                isLong: option.text.contains("\n"),
                picture: hasPictures
                    ? TextFieldView(
                        "image-\(index)", "Picture", option.picture, hint: option.id, isLong: false,
                        list: "pictures", messages.view("options.\(index).image")) : nil,
                feedback: option.feedback,
                isRight: option.isRight, isPinned: option.isPinned, place: option.place,
                kind: isOrder ? nil : form.type == .multiChoice ? "checkbox" : "radio",
                isFirst: index == 0, messages: messages.view("options.\(index)"),
                feedbackMessages: messages.view("options.\(index).feedback"))
        }
    }

    private static func numbers(
        _ form: QuestionForm, _ messages: FieldMessages
    ) -> [TextFieldView] {
        guard let number = form.number else { return [] }
        let labels = [
            "Right number", "Tolerance", "Tolerance as a share", "Or a range from", "to", "Unit",
        ]
        let hints = [nil, "as 0.01", "0.02 for 2 %", nil, nil, "as m/s²"]
        return QuestionForm.numberFields.enumerated().map { index, name in
            TextFieldView(
                "number-\(name)", labels[index], number[name] ?? "", hint: hints[index],
                isLong: false, messages.view("number.\(name)"))
        }
    }

    private static func domain(
        _ form: QuestionForm, _ bank: IndexedBank, _ messages: FieldMessages
    ) -> ChoiceFieldView? {
        let domains = bank.content.head?.domains ?? []
        guard !domains.isEmpty || !form.domain.isEmpty else { return nil }
        var choices = domains.map {
            ChoiceView(value: $0.id, title: $0.title, isChosen: $0.id == form.domain)
        }
        if !choices.contains(where: \.isChosen) {
            let title = form.domain.isEmpty ? "None" : "\(form.domain), not declared"
            choices.insert(ChoiceView(value: form.domain, title: title, isChosen: true), at: 0)
        }
        return ChoiceFieldView(
            id: "domain", label: "Domain", choices: choices, messages: messages.view("domain"))
    }

    private static func level(
        _ form: QuestionForm, _ bank: IndexedBank, _ messages: FieldMessages
    ) -> ChoiceFieldView {
        var choices = (1...5).map { level in
            let label = bank.content.head?.levels[level].map { ", \($0)" } ?? ""
            return ChoiceView(
                value: String(level), title: "\(level)\(label)",
                isChosen: String(level) == form.level)
        }
        if !choices.contains(where: \.isChosen) {
            let title = form.level.isEmpty ? "None" : form.level
            choices.insert(ChoiceView(value: form.level, title: title, isChosen: true), at: 0)
        }
        return ChoiceFieldView(
            id: "difficulty", label: "Level", choices: choices,
            messages: messages.view("difficulty"))
    }
}
