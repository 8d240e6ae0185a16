/// A reader of GIFT, Moodle's text format, by its documentation.
enum GIFTReader {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - text: The file.
    ///   - form: The form of texts without a mark such as `[html]`; `nil` to decide it for all of them at once.
    /// - Returns: The questions, and the skipped ones with their reasons.
    static func read(_ text: String, form: SourceTextForm? = nil) -> ImportedDrafts {
        var result = ImportedDrafts()
        let entries = entries(text)
        let form =
            form ?? SourceTextForm(deciding: entries.lazy.flatMap { $0.question.unmarkedTexts })
        for (parsed, category) in entries {
            var question = parsed
            question.form = form
            switch question.draft() {
            case .draft(var draft):
                if let name = category.flatMap(name(ofCategory:)) { draft.setCategory(name) }
                result.add(draft)
            case .skip(let reason): result.skip(question.place, reason)
            }
        }
        return result
    }

    /// Returns the questions with the path of their category.
    private static func entries(_ text: String) -> [(question: GIFTQuestion, category: String?)] {
        var category: String?
        var entries: [(GIFTQuestion, String?)] = []
        for block in GIFTBlock.blocks(of: text) {
            var body = Substring(block.body)
            while let named = removeCategory(from: &body) { category = named }
            guard body.contains(where: { !$0.isWhitespace }) else { continue }
            let question = GIFTQuestion(
                body, tags: block.tags, id: block.id, place: "line \(block.line)")
            entries.append((question, category))
        }
        return entries
    }

    /// Removes a line `$CATEGORY: name` and returns the name.
    private static func removeCategory(from body: inout Substring) -> String? {
        let trimmed = body.drop { $0.isWhitespace }
        guard trimmed.prefix(10).uppercased().hasPrefix("$CATEGORY:") else { return nil }
        let line = trimmed.prefix { $0 != "\n" }
        body = trimmed[line.endIndex...]
        return String(line.dropFirst("$CATEGORY:".count).drop { $0 == " " })
    }

    /// Returns the last component of a category's path, in which `//` is a slash of a name; `nil`
    /// for the roots `$course$` and `top`.
    private static func name(ofCategory path: String) -> String? {
        let slash = "\u{0}"
        let last = path.replacing("//", with: slash).split(separator: "/").last
        let name = String(last ?? "").replacing(slash, with: "/").trimmed
        let isRoot = name == "top" || (name.hasPrefix("$") && name.hasSuffix("$"))
        return name.isEmpty || isRoot ? nil : name
    }
}
