import ContentModel

/// A record of another program's file, with fields found by name.
///
/// The names that such files commonly use are built in; a mapping adds others.
struct MappedRecord {
    let fields: [String: JSONValue]
    private let mapping: [String: String]
    private let place: String
    private let form: TextForm
    let keysFrom: Int

    /// Our field names with their synonyms.
    private static let synonyms: [String: [String]] = [
        "id": ["id", "identifier", "number", "qid"],
        "type": ["type", "kind"],
        "stem": ["stem", "question", "text", "prompt", "title"],
        "options": ["options", "answers", "choices", "alternatives"],
        "correct": [
            "correct", "answer", "key", "correctAnswer", "correct_answer", "correctIndex",
            "solution",
        ],
        "right": ["right", "correct_answer", "correctAnswer"],
        "wrong": ["wrong", "incorrect_answers", "incorrectAnswers", "distractors"],
        "explanation": ["explanation", "feedback", "rationale", "comment"],
        "domain": ["domain", "category", "topic", "section"],
        "difficulty": ["difficulty", "level"],
        "tags": ["tags", "labels", "keywords"],
        "image": ["image", "picture"],
        "code": ["code", "snippet"],
        "language": ["language", "codeLanguage"],
    ]

    /// - Parameters:
    ///   - fields: The record.
    ///   - mapping: The file's names by ours.
    ///   - place: Its place in the file.
    ///   - form: The form of the file's texts.
    ///   - keysFrom: The number of the first option in keys that are numbers.
    init(
        _ fields: [String: JSONValue], mapping: [String: String], place: String,
        form: TextForm = .plain, keysFrom: Int = 0
    ) {
        self.form = form
        self.keysFrom = keysFrom
        self.fields = fields
        self.mapping = mapping
        self.place = place
    }

    func value(_ name: String) -> JSONValue? {
        return fieldNames(name).lazy.compactMap { fields[$0] }.first { $0 != .null && $0 != "" }
    }

    func text(_ name: String) -> String? { value(name).flatMap(text) }

    func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text):
            form == .html ? MarkupText.plain(text) : text.trimmed
        case .integer(let number): String(number)
        case .decimal(let number): String(number)
        case .bool(let truth): truth ? "True" : "False"
        default: nil
        }
    }

    /// The type, if the record names one of ours.
    var type: QuestionType? { text("type").flatMap(QuestionType.init(rawValue:)) }

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
    func draft() -> Result<QuestionDraft, SkipReason> {
        guard let stem = text("stem") else { return .failure("it has no field for the question") }
        var draft = QuestionDraft(place: place, type: .singleChoice, stem: stem)
        switch type {
        case .numericEntry:
            if let reason = readNumber(&draft) { return .failure(reason) }
        case .singleChoice, .multiChoice, .ordering, .codeSnippet, nil:
            if let reason = readOptions(&draft) { return .failure(reason) }
            draft.chooseTypeByKey()
        }
        draft.name = text("id")
        draft.explanation = text("explanation")
        draft.tags = list("tags") ?? []
        draft.image = text("image")
        readCode(&draft)
        readType(&draft)
        readDomain(&draft)
        readDifficulty(&draft)
        return .success(draft)
    }

    /// Reads the key of a numeric entry, as `9.81`, `9.81:0.01`, `9.81:2%` or `9.8..9.83`.
    private func readNumber(_ draft: inout QuestionDraft) -> SkipReason? {
        guard let key = text("correct") else { return "it has no field for the key" }
        guard let number = NumericKey(notation: key) else {
            return SkipReason("its key \"\(key)\" is no number, tolerance or range")
        }
        draft.type = .numericEntry
        draft.number = number
        return nil
    }

    private func readOptions(_ draft: inout QuestionDraft) -> SkipReason? {
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
        var names: [String] = []
        draft.options = options(&names)
        guard !draft.options.isEmpty else { return "it has no field for the options" }
        if draft.options.contains(where: \.isRight) { return nil }
        return mark(&draft, names)
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

    static func plainText(_ value: JSONValue) -> String? {
        if case .string(let text) = value { return text }
        guard case .object(let members) = value else { return nil }
        return ["text", "answer", "option", "content"].lazy.compactMap { name -> String? in
            if case .string(let text)? = members[name] { text } else { nil }
        }.first
    }

    /// The fields with content of which no part of a question is read.
    var unreadFields: [String] {
        let read = Set(Self.synonyms.keys.flatMap(fieldNames))
        let hasColumns = value("options") == nil
        return fields.compactMap { name, value in
            guard value != .null, value != "", !read.contains(name), name != "marks" else {
                return nil
            }
            let isColumn =
                hasColumns
                && (Self.optionName(name) != nil
                    || ["image_", "feedback_"].contains { mark in
                        name.hasPrefix(mark)
                            && Self.optionName(String(name.dropFirst(mark.count))) != nil
                    })
            return isColumn ? nil : name
        }
    }

    /// The names of the fields that a file may have for one of ours.
    func fieldNames(_ name: String) -> [String] {
        mapping[name].map { [$0] } ?? Self.synonyms[name] ?? [name]
    }

    /// Returns one answer, or several letters or numbers with separators.
    static func marks(_ text: String, _ options: [QuestionDraft.Option]) -> [String] {
        if options.contains(where: { $0.text == text }) { return [text] }
        let parts = text.split { ",; |".contains($0) }.map(String.init)
        return parts.allSatisfy { $0.count <= 2 } ? parts : [text]
    }

    func options(_ names: inout [String]) -> [QuestionDraft.Option] {
        switch value("options") {
        case .array(let values):
            return values.compactMap { value in
                if case .object(let members) = value { return option(members) }
                return text(value).map { .init(text: $0) }
            }
        case .object(let members):
            names = members.keys.sorted()
            return names.compactMap { name in
                members[name].flatMap(text).map { .init(text: $0) }
            }
        default:
            // Separate columns: option_a, option_b or A, B or answer1, answer2.
            let columns = fields.keys.compactMap { column in
                Self.optionName(column).map { (column: column, name: $0) }
            }.sorted { Self.order($0.name) < Self.order($1.name) }
            return columns.compactMap { column, name in
                let content = fields[column].flatMap(text) ?? ""
                let image = fields["image_" + name].flatMap(text) ?? ""
                guard !content.isEmpty || !image.isEmpty else { return nil }
                names.append(name)
                return .init(
                    text: content, image: image.isEmpty ? nil : image,
                    feedback: fields["feedback_" + name].flatMap(text))
            }
        }
    }

    /// Returns the letter or number of a column such as `option_a`, `Answer 2` or `C`; `nil` for
    /// others.
    private static func optionName(_ column: String) -> String? {
        var rest = column.lowercased()[...]
        for word in ["option", "answer", "choice"] where rest.hasPrefix(word) {
            rest = rest.dropFirst(word.count)
            break
        }
        if let mark = rest.first, mark == "_" || mark == " " { rest = rest.dropFirst() }
        let bytes = rest.utf8
        let isLetter = bytes.count == 1 && bytes.allSatisfy { (0x61...0x7A).contains($0) }
        let isNumber =
            (1...2).contains(bytes.count) && bytes.allSatisfy { (0x30...0x39).contains($0) }
        return isLetter || isNumber ? String(rest) : nil
    }

    private static func order(_ name: String) -> Int {
        Int(name) ?? Int(name.unicodeScalars.first?.value ?? 0)
    }

    private func option(_ members: [String: JSONValue]) -> QuestionDraft.Option? {
        let names = ["text", "answer", "option", "content", "value", "label"]
        guard let text = names.lazy.compactMap({ members[$0].flatMap(text) }).first else {
            return nil
        }
        let flags = ["correct", "isCorrect", "is_correct", "right"]
        let isRight = flags.contains {
            members[$0] == true || members[$0] == 1 || members[$0] == "true"
        }
        return .init(
            text: text, isRight: isRight, feedback: members["feedback"].flatMap { self.text($0) })
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
        guard let domain = text("domain") else { return }
        if Identifier.isValid(domain) {
            draft.domain = domain
        } else {
            draft.tags.append(domain)
            draft.notes.append("the category \"\(domain)\" is kept as a tag")
        }
    }

    private func readDifficulty(_ draft: inout QuestionDraft) {
        guard let text = text("difficulty") else { return }
        let words = ["easy": 2, "medium": 3, "hard": 4, "very easy": 1, "very hard": 5]
        draft.difficulty = Int(text) ?? words[text.lowercased()]
        if draft.difficulty.map({ (1...5).contains($0) }) != true {
            draft.notes.append("the difficulty \"\(text)\" is none from 1 to 5; it became 3")
        }
    }
}

/// The reason that a record gives no question.
struct SkipReason: Error, ExpressibleByStringLiteral {
    var text: String

    init(_ text: String) { self.text = text }
    init(stringLiteral value: String) { text = value }
}
