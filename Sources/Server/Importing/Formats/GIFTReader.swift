import ContentModel

/// A reader of GIFT, Moodle's text format, by its documentation.
enum GIFTReader {
    static func read(_ text: String) -> ImportedDrafts {
        var result = ImportedDrafts()
        var category: String?
        for block in GIFTBlock.blocks(of: text) {
            var body = Substring(block.body)
            if let named = removeCategory(from: &body) { category = named }
            guard body.contains(where: { !$0.isWhitespace }) else { continue }
            let place = "line \(block.line)"
            switch GIFTQuestion(body, tags: block.tags, id: block.id, place: place).draft() {
            case .draft(var draft):
                if let category, draft.domain == nil { draft.domain = domain(category) }
                result.drafts.append(draft)
            case .skip(let reason): result.skip(place, reason)
            }
        }
        return result
    }

    /// Removes a line `$CATEGORY: name` and returns the name.
    private static func removeCategory(from body: inout Substring) -> String? {
        let trimmed = body.drop { $0.isWhitespace }
        guard trimmed.uppercased().hasPrefix("$CATEGORY:") else { return nil }
        let line = trimmed.prefix { $0 != "\n" }
        body = trimmed[line.endIndex...]
        return String(line.dropFirst("$CATEGORY:".count).drop { $0 == " " })
    }

    /// Returns the last component of a category's path, if it can be a domain.
    private static func domain(_ category: String) -> String? {
        let last = category.split(separator: "/").last.map(String.init) ?? category
        return Identifier.isValid(last) ? last : nil
    }
}
