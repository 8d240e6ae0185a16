import ContentModel

/// A kind of note of a flashcard program, with the names of its fields.
struct NoteModel {
    var name = ""
    var isCloze = false
    var fields: [String] = []

    init(name: String, isCloze: Bool, fields: [String]) {
        self.name = name
        self.isCloze = isCloze
        self.fields = fields
    }

    /// Reads the JSON of old Anki collections and of CrowdAnki; unknown forms stay empty.
    init(_ value: JSONValue) {
        guard case .object(let members) = value else { return }
        if case .string(let text) = members["name"] { name = text }
        isCloze = members["type"] == 1
        guard case .array(let values) = members["flds"] else { return }
        fields = values.compactMap { field in
            guard case .object(let members) = field, case .string(let name) = members["name"] else {
                return nil
            }
            return name
        }
    }
}
