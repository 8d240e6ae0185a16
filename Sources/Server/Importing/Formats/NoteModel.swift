import ContentModel

/// A kind of note of a flashcard program, with the names of its fields and its cards.
struct NoteModel {
    /// One card of a note: the fields on its sides.
    struct Card: Hashable {
        /// The number of its template, from 0.
        var ordinal: Int
        /// The index of the field on the front.
        var front: Int
        /// The index of the field on the back.
        var back: Int
        /// The template of the front where it has words of its own, which are a part of the question.
        var template: String?
        /// The fields that must have a text.
        var required: [Int] = []

        /// The card of a kind whose templates are unknown.
        static let first = Card(ordinal: 0, front: 0, back: 1)
    }

    /// The most templates that are read.
    private static let templatesMax = 50

    var name = ""
    var isCloze = false
    var fields: [String] = []
    /// The cards, never empty.
    private(set) var cards: [Card] = [.first]

    init(
        name: String, isCloze: Bool, fields: [String],
        templates: [(front: String, back: String)]
    ) {
        self.name = name
        self.isCloze = isCloze
        self.fields = fields
        readCards(templates)
    }

    /// Reads the JSON of old Anki collections and of CrowdAnki; unknown forms stay empty.
    init(_ value: JSONValue) {
        guard case .object(let members) = value else { return }
        if case .string(let text) = members["name"] { name = text }
        isCloze = members["type"] == 1
        fields = Self.objects(members["flds"]).compactMap { Self.text($0["name"]) }
        readCards(
            Self.objects(members["tmpls"]).map {
                (Self.text($0["qfmt"]) ?? "", Self.text($0["afmt"]) ?? "")
            })
    }

    private static func objects(_ value: JSONValue?) -> [[String: JSONValue]] {
        guard case .array(let values) = value else { return [] }
        return values.compactMap { if case .object(let members) = $0 { members } else { nil } }
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text) = value { text } else { nil }
    }

    /// Reads the fields on the sides of each template, such as `{{Front}}`.
    private mutating func readCards(_ templates: [(front: String, back: String)]) {
        let read = templates.prefix(Self.templatesMax).enumerated().compactMap { number, sides in
            card(number, sides.front, sides.back)
        }
        if !read.isEmpty { cards = read }
    }

    private func card(_ number: Int, _ front: String, _ back: String) -> Card? {
        let (shown, required) = references(front)
        guard let first = shown.first else { return nil }
        // Every field on the front is no answer, unless it is typed in.
        let answer = references(back).shown.first { $0 != first }
        guard let answer else { return nil }
        let words = MarkupText.plain(front.replacing(Pattern.templateField, with: ""))
        return Card(
            ordinal: number, front: first, back: answer,
            template: words.contains { $0.isLetter || $0.isNumber } ? front : nil,
            required: required)
    }

    /// Returns the fields that a side shows, and those that it requires as `{{#Field}}`.
    private func references(_ side: String) -> (shown: [Int], required: [Int]) {
        var shown: [Int] = []
        var required: [Int] = []
        for piece in side.split(separator: "{{").dropFirst(side.hasPrefix("{{") ? 0 : 1) {
            let inner = String(piece.prefix { $0 != "}" }).trimmed
            if inner.hasPrefix("#") {
                if let field = fields.firstIndex(of: String(inner.dropFirst()).trimmed) {
                    required.append(field)
                }
            } else if let name = inner.split(separator: ":").last,
                let field = fields.firstIndex(of: String(name).trimmed)
            {
                shown.append(field)
            }
        }
        return (shown, required)
    }
}
