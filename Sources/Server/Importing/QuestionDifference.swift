import ContentModel
import Publishing

/// A question of a file that differs from the bank's.
public struct QuestionDifference: Sendable, Hashable, Codable {
    /// A field with its two values, in a form for people.
    public struct Field: Sendable, Hashable, Codable {
        /// The name: `stem`, `key`, `difficulty` and so on.
        public var name: String
        /// The value in the bank.
        public var old: String
        /// The value in the file.
        public var new: String

        /// Creates a field.
        public init(name: String, old: String, new: String) {
            self.name = name
            self.old = old
            self.new = new
        }
    }

    /// The place in the file.
    public var place: String
    /// The question's id in the bank.
    public var id: String
    /// The fields that differ.
    public var fields: [Field]

    init(place: String, from old: Question, to new: Question) {
        self.place = place
        id = old.id
        fields = new.changes(from: old).map { Field(name: $0.name, old: $0.old, new: $0.new) }
    }

    /// The difference in a few words; the key's whole, since that is what matters most.
    var summary: String {
        let names = fields.map(\.name).joined(separator: ", ")
        guard let key = fields.first(where: { $0.name == "key" }) else { return "other \(names)" }
        let others = fields.count == 1 ? "" : ", and other \(names)"
        return "another key: \"\(key.old)\" in the bank, \"\(key.new)\" here\(others)"
    }
}

extension Question {
    /// Returns the question with what a draft says; what its file does not say stays as it is.
    ///
    /// Options with the same text keep their ids, since answers name them.
    ///
    /// - Parameters:
    ///   - new: The question that the draft gave.
    ///   - draft: The draft, which says what its file had.
    ///   - storedNames: The names of media in the bank by their names in the file.
    /// - Returns: The updated question, of the same id.
    func updated(
        by new: Question, _ draft: QuestionDraft, storedNames: [String: String] = [:]
    ) -> Question {
        var result = new
        result.id = id
        result.domain = draft.domain == nil ? domain : new.domain
        result.difficulty = draft.difficulty == nil ? difficulty : new.difficulty
        result.code = new.code ?? code
        if new.type == .singleChoice, result.code != nil { result.type = type }
        result.image = new.image.map { storedNames[$0] ?? $0 } ?? image
        result.audio = new.audio ?? audio
        if let file = new.audio?.file { result.audio?.file = storedNames[file] ?? file }
        result.explanation = new.explanation ?? explanation
        result.tags = tags + new.tags.filter { !tags.contains($0) }
        result.shufflesOptions = shufflesOptions && new.shufflesOptions
        result.isRetired = isRetired || new.isRetired
        result.options = updatedOptions(new.options, storedNames)
        return result
    }

    private func updatedOptions(
        _ others: [QuestionOption], _ storedNames: [String: String]
    ) -> [QuestionOption] {
        var left = options
        var result = others
        var isFound = Array(repeating: false, count: others.count)
        for index in result.indices {
            result[index].image = result[index].image.map { storedNames[$0] ?? $0 }
            guard
                let match = left.firstIndex(where: {
                    $0.text == result[index].text && $0.image == result[index].image
                })
            else { continue }
            let old = left.remove(at: match)
            result[index].id = old.id
            result[index].isPinned = old.isPinned || result[index].isPinned
            result[index].feedback = result[index].feedback ?? old.feedback
            isFound[index] = true
        }
        // The texts that changed take the ids that are left, in order.
        var used = Set(zip(result, isFound).filter(\.1).map(\.0.id))
        var free = left.map(\.id)
        for index in result.indices where !isFound[index] {
            let id = free.isEmpty ? result[index].id : free.removeFirst()
            result[index].id = used.contains(id) ? "new-\(index + 1)" : id
            used.insert(result[index].id)
        }
        return result
    }
}
