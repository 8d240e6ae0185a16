import ContentModel

/// A row of a table that ``CSVQuestionWriter`` wrote, of which every cell is taken as it is.
///
/// A row whose cells an author changed is one too: the key may be letters, and tags may be separated by commas.
struct CSVExportRow {
    /// The columns by which a table is known to be an export.
    private static let columns = [
        "id", "type", "domain", "difficulty", "stem", "language", "code", "image", "correct",
        "explanation", "tags", "marks",
    ]

    private let place: String
    private let fields: [String: String]

    /// - Parameters:
    ///   - fields: The cells by column, with the escapes of formulas removed.
    ///   - place: The place in the file.
    init(_ fields: [String: String], place: String) {
        self.fields = fields
        self.place = place
    }

    /// Returns whether a table is an export of ours.
    static func isExport(_ header: [String]) -> Bool {
        Set(columns).isSubset(of: header)
    }

    /// Returns whether a column of an export belongs to it.
    static func isKnown(_ column: String) -> Bool {
        columns.contains(column)
            || ["option_", "feedback_", "image_"].contains { optionNumber(column, $0) != nil }
    }

    private static func optionNumber(_ column: String, _ prefix: String) -> Int? {
        guard column.hasPrefix(prefix) else { return nil }
        return Int(column.dropFirst(prefix.count)).flatMap { (1...1_000).contains($0) ? $0 : nil }
    }

    /// Returns the question, or the reason to skip it.
    func draft() -> Result<QuestionDraft, SkipReason> {
        guard let type = QuestionType(rawValue: text("type").trimmed) else {
            return .failure(
                SkipReason(.typeUnsupported, "its type \"\(text("type"))\" is none of ours"))
        }
        var draft = QuestionDraft(place: place, type: type, stem: text("stem"))
        if let reason = type == .numericEntry ? addNumber(&draft) : addOptions(&draft) {
            return .failure(reason)
        }
        if !text("code").isEmpty || !text("language").isEmpty {
            draft.code = CodeSnippet(language: text("language"), text: text("code"))
        }
        draft.tags = tags
        draft.apply(marks: ExportMarks.split(text("marks")))
        draft.type = type
        draft.name = text("id")
        draft.domain = optional("domain")
        draft.difficulty = Int(text("difficulty").trimmed)
        if draft.difficulty == nil {
            draft.note(.changed, "the difficulty \"\(text("difficulty"))\" became 3")
        }
        draft.image = optional("image")
        draft.explanation = optional("explanation")
        return .success(draft)
    }

    private func text(_ column: String) -> String { fields[column] ?? "" }

    private func optional(_ column: String) -> String? {
        fields[column].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func addNumber(_ draft: inout QuestionDraft) -> SkipReason? {
        guard let number = NumericKey(notation: text("correct").trimmed) else {
            return SkipReason(
                .keyUnknown,
                "its key \"\(text("correct"))\" is no number, tolerance or range")
        }
        draft.number = number
        return nil
    }

    private func addOptions(_ draft: inout QuestionDraft) -> SkipReason? {
        let numbers = fields.keys.compactMap { Self.optionNumber($0, "option_") }.sorted()
            .filter { !text("option_\($0)").isEmpty || !text("image_\($0)").isEmpty }
        draft.options = numbers.map {
            .init(
                text: text("option_\($0)"), image: optional("image_\($0)"),
                feedback: optional("feedback_\($0)"))
        }
        let key = text("correct").split { ",;| ".contains($0) }
        guard !key.isEmpty else { return SkipReason(.keyNone, "its column correct is empty") }
        var order: [Int] = []
        for mark in key {
            guard let index = Self.optionNumber(mark).flatMap(numbers.firstIndex) else {
                return SkipReason(
                    .keyUnknown,
                    "its key \"\(text("correct"))\" names no option; options are 1, 2, 3 … or A, B, C …"
                )
            }
            order.append(index)
            draft.options[index].isRight = true
        }
        if draft.type.isOrder { draft.order = order }
        return nil
    }

    /// Returns the number of an option that a key names, as `2` or `B`.
    private static func optionNumber(_ mark: Substring) -> Int? {
        if let number = Int(mark) { return number }
        guard mark.utf8.count == 1, let letter = mark.uppercased().utf8.first,
            (65...90).contains(letter)
        else { return nil }
        return Int(letter) - 64
    }

    /// The tags; only `|` separates them where it stands, as the writer does it.
    private var tags: [String] {
        let cell = text("tags")
        if cell.contains("|") {
            return cell.split(separator: "|").map(String.init)
        }
        return cell.split { ",;".contains($0) }.map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}
