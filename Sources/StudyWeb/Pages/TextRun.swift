/// A piece of an author's text: plain, or code between backticks (CommonMark, section 6.1, one backtick).
struct TextRun: Hashable {
    var words: String
    var isCode = false
    var isRemoved = false
    var isAdded = false

    /// Splits a text; a backtick without a partner stays as it is.
    static func runs(of text: String) -> [TextRun] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        var runs: [TextRun] = []
        for (index, part) in parts.enumerated() where !part.isEmpty || index % 2 == 1 {
            let isMarked = index % 2 == 1
            let isLoose = isMarked && index == parts.count - 1
            runs.append(
                TextRun(words: (isLoose ? "`" : "") + part, isCode: isMarked && !isLoose))
        }
        return runs
    }

    /// Returns a text without the marks of code.
    static func plain(_ text: String) -> String { runs(of: text).map(\.words).joined() }
}
