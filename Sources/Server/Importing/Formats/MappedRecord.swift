import ContentModel

/// A record of another program's file, with fields found by name.
///
/// The names that such files commonly use are built in; a mapping adds others.
struct MappedRecord {
    let fields: [String: JSONValue]
    let settings: ImportSettings
    let place: String
    private let form: SourceTextForm
    let decimal: DecimalSign

    /// Our field names with their synonyms.
    static let synonyms: [String: [String]] = [
        "id": ["id", "identifier", "number", "qid"],
        "type": ["type", "kind", "questionType", "question_type"],
        "stem": [
            "stem", "question", "questionText", "question_text", "text", "prompt", "title",
        ],
        "options": [
            "options", "answers", "choices", "alternatives", "answerOptions", "answer_options",
        ],
        "correct": [
            "correct", "answer", "key", "correctAnswer", "correct_answer", "correctIndex",
            "solution", "answerKey", "answer_key", "cop",
        ],
        "right": ["right", "correct_answer", "correctAnswer"],
        "wrong": ["wrong", "incorrect_answers", "incorrectAnswers", "distractors"],
        "explanation": [
            "explanation", "feedback", "rationale", "comment", "answerExplanation", "exp",
        ],
        "domain": ["domain", "category", "topic", "section"],
        "difficulty": ["difficulty", "level"],
        "tags": ["tags", "labels", "keywords"],
        "image": ["image", "picture", "imageLink"],
        "code": ["code", "snippet"],
        "language": ["language", "codeLanguage"],
        "tolerance": ["tolerance"],
        "unit": ["unit"],
    ]

    /// The names of fields that are read without a mapping.
    static var knownNames: [String] { synonyms.keys.sorted().flatMap { synonyms[$0] ?? [] } }

    /// - Parameters:
    ///   - fields: The record.
    ///   - settings: The file's names by ours, and the fields that are joined to others.
    ///   - place: Its place in the file.
    ///   - form: The form of the file's texts.
    ///   - decimal: The decimal sign of the file's numbers.
    init(
        _ fields: [String: JSONValue], _ settings: ImportSettings, place: String,
        form: SourceTextForm = .plain, decimal: DecimalSign = .point
    ) {
        self.form = form
        self.decimal = decimal
        self.fields = fields
        self.settings = settings
        self.place = place
    }

    func value(_ name: String) -> JSONValue? {
        return fieldNames(name).lazy.compactMap { fields[$0] }.first { $0 != .null && $0 != "" }
    }

    func text(_ name: String) -> String? { value(name).flatMap(text) }

    func text(_ value: JSONValue) -> String? { content(value)?.text }

    /// Returns a text with the images that it shows.
    func content(_ value: JSONValue) -> MarkupText? {
        switch value {
        case .string(let text):
            // Without markup nothing says that white space has no meaning.
            form == .html
                ? MarkupText(text, readsTeX: true, keepsSpace: !SourceTextForm.hasMarkup(text))
                : MarkupText(plain: text.trimmed)
        case .integer(let number): MarkupText(plain: String(number))
        case .decimal(let number): MarkupText(plain: String(number))
        case .bool(let truth): MarkupText(plain: truth ? "True" : "False")
        default: nil
        }
    }

    /// The type, if the record names a known one.
    var type: QuestionType? { text("type").flatMap { TypeWord($0)?.type } }

    private func list(_ name: String) -> [String]? {
        switch value(name) {
        case .array(let values): values.compactMap(text)
        case .some(let value): text(value).map(Self.parts)
        case nil: nil
        }
    }

    /// Splits a text at `|`, else `;`, else `,`.
    private static func parts(_ text: String) -> [String] {
        let mark = ["|", ";"].first { text.contains($0) } ?? ","
        return text.split(separator: mark).map { String($0).trimmed }
    }

    /// Returns the question, or the reason to skip it.
    ///
    /// - Parameters:
    ///   - key: Its ``key``.
    ///   - readings: The readings of the file's keys.
    /// - Returns: The question or the reason.
    func draft(_ key: RecordKey, _ readings: KeyReadings) -> Result<QuestionDraft, SkipReason> {
        guard let stem = value("stem").flatMap(content) else {
            return .failure(missing("question", as: "stem"))
        }
        if let word = text("type"), TypeWord(word) == nil {
            return .failure(
                SkipReason(
                    .typeUnsupported,
                    "questions of the type \"\(word.prefix(60))\" are not supported"))
        }
        var draft = QuestionDraft(place: place, type: .singleChoice, stem: stem.text)
        draft.image = text("image")
        switch type ?? (isNumber ? .numericEntry : nil) {
        case .numericEntry:
            if let reason = readNumber(&draft) { return .failure(reason) }
        case .singleChoice, .multiChoice, .ordering, .codeSnippet, nil:
            if let reason = readOptions(&draft, key, readings) { return .failure(reason) }
            if type == .ordering, draft.order == nil {
                return .failure(
                    SkipReason(.keyUnknown, "its key does not say in which order its options stand")
                )
            }
            draft.chooseTypeByKey()
        }
        draft.name = text("id")
        draft.explanation = text("explanation")
        draft.tags = list("tags") ?? []
        draft.image = draft.takeMedia(of: stem, shown: draft.image)
        if let explanation = value("explanation").flatMap(content) {
            draft.noteMedia(of: explanation)
        }
        join(&draft)
        readCode(&draft)
        readType(&draft)
        readDomain(&draft)
        readDifficulty(&draft)
        return .success(draft)
    }

    /// Reads the key of a numeric entry, as `9.81`, `9.81:0.01`, `9.81:2%` or `9.8..9.83`.
    private func readNumber(_ draft: inout QuestionDraft) -> SkipReason? {
        guard let key = text("correct") else { return missing("key", as: "correct") }
        guard var number = NumericKey(notation: decimal.pointed(key)) else {
            return SkipReason(.keyUnknown, "its key \"\(key)\" is no number, tolerance or range")
        }
        if let tolerance = text("tolerance") {
            guard case .value(let value, _) = number.accepted,
                let distance = NumericKey(
                    notation: "\(value):\(decimal.pointed(tolerance))")
            else {
                return SkipReason(
                    .keyUnknown, "its tolerance \"\(tolerance.prefix(60))\" is no number")
            }
            number = distance
        }
        number.unit = text("unit")
        draft.type = .numericEntry
        draft.number = number
        return nil
    }

    private func readOptions(
        _ draft: inout QuestionDraft, _ key: RecordKey, _ readings: KeyReadings
    ) -> SkipReason? {
        if let wrong = list("wrong"), let right = value("right") {
            let rights: [String]
            if case .array(let values) = right {
                rights = values.compactMap(text)
            } else {
                rights = [text(right)].compactMap(\.self)
            }
            draft.options =
                rights.map { .init(text: $0, isRight: true) } + wrong.map { .init(text: $0) }
            return nil
        }
        if let reason = addOptions(&draft, key) { return reason }
        switch key.decide(readings) {
        case .failure(let reason):
            return key.facts.isEmpty ? missing("key", as: "correct") : reason
        case .success(let order):
            for index in draft.options.indices {
                draft.options[index].isRight = order.contains(index)
            }
            // Flags of options say which belong to an order, not where they stand in it.
            if type?.isOrder == true, !key.facts.allSatisfy(\.isFlags) { draft.order = order }
        }
        guard !draft.options.contains(where: { $0.isRight && $0.isBlank }) else {
            return SkipReason(.keyUnknown, "its key names an option without a text")
        }
        draft.dropBlankOptions()
        return nil
    }

    /// Adds the options of the file, or True and False to a record that is one of them.
    private func addOptions(_ draft: inout QuestionDraft, _ key: RecordKey) -> SkipReason? {
        if key.judgement != nil {
            draft.options = key.options.map { .init(text: $0) }
            return nil
        }
        draft.options = namedOptions().map(\.option)
        guard !draft.options.isEmpty else { return missing("options", as: "options") }
        guard draft.options.count <= ContentLimits.optionsMax else {
            return SkipReason(
                .limit,
                "it has \(draft.options.count) options; \(ContentLimits.optionsMax) are allowed")
        }
        return nil
    }

    /// The texts by which the form of the file is decided.
    var texts: [String] {
        fields.values.flatMap { value -> [String] in
            switch value {
            case .string(let text): [text]
            case .array(let values): values.compactMap(Self.plainText)
            case .object(let members): members.values.compactMap(Self.plainText)
            default: []
            }
        }
    }

    private static func plainText(_ value: JSONValue) -> String? {
        if case .string(let text) = value { return text }
        guard case .object(let members) = value else { return nil }
        return ["text", "answer", "answerText", "option", "content"].lazy.compactMap {
            name -> String? in
            if case .string(let text)? = members[name] { text } else { nil }
        }.first
    }

    /// Adds the texts of other fields to the stem, before it, and to the explanation, after it.
    private func join(_ draft: inout QuestionDraft) {
        for name in settings.joins["stem"]?.reversed() ?? [] {
            guard let added = joined(name, &draft) else { continue }
            draft.stem = added.text + (added.text.isEmpty ? "" : "\n\n") + draft.stem
            draft.image = draft.takeMedia(of: added, shown: draft.image)
        }
        for name in settings.joins["explanation"] ?? [] {
            guard let added = joined(name, &draft) else { continue }
            draft.explanation = [draft.explanation, added.text].compactMap(\.self)
                .filter { !$0.isEmpty }.joined(separator: "\n\n")
            draft.noteMedia(of: added)
        }
    }

    private func joined(_ name: String, _ draft: inout QuestionDraft) -> MarkupText? {
        guard let value = fields[name], value != .null, value != "" else { return nil }
        if case .array(let values) = value {
            let texts = values.compactMap(text)
            guard texts.count == values.count else {
                draft.note(.fieldUnread, "the field \"\(name)\" is no text and was not joined")
                return nil
            }
            return MarkupText(plain: texts.joined(separator: "\n"))
        }
        guard let content = content(value) else {
            draft.note(.fieldUnread, "the field \"\(name)\" is no text and was not joined")
            return nil
        }
        return content
    }

    private func readCode(_ draft: inout QuestionDraft) {
        guard case .string(let code) = value("code") else { return }
        draft.code = CodeSnippet(language: text("language") ?? "text", text: code)
    }

    private func readType(_ draft: inout QuestionDraft) {
        switch type {
        case .singleChoice: draft.type = .singleChoice
        case .multiChoice: draft.type = .multiChoice
        case .codeSnippet: draft.type = .codeSnippet
        case .ordering: if draft.order != nil { draft.type = .ordering }
        // The type of a numeric entry was set with its key.
        case .numericEntry, nil: break
        }
    }

    private func readDomain(_ draft: inout QuestionDraft) {
        draft.setCategory(text("domain") ?? "")
    }

    private func readDifficulty(_ draft: inout QuestionDraft) {
        guard let text = text("difficulty") else { return }
        let words = ["easy": 2, "medium": 3, "hard": 4, "very easy": 1, "very hard": 5]
        draft.difficulty = Int(text) ?? words[text.lowercased()]
        if draft.difficulty.map({ (1...5).contains($0) }) != true {
            draft.note(.changed, "the difficulty \"\(text)\" is none from 1 to 5; it became 3")
        }
    }
}
