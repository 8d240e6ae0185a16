/// A piece of an author's text: plain, or code between backticks (CommonMark, section 6.1, one backtick).
///
/// ```swift
/// let runs = TextRun.runs(of: "Of which type is `2.5`?")
/// print(runs.filter(\.isCode).map(\.words))
/// ```
public struct TextRun: Sendable, Hashable {
    /// The text.
    public var words: String
    /// True for code.
    public var isCode = false
    /// True for words that an update removed.
    public var isRemoved = false
    /// True for words that an update added.
    public var isAdded = false

    /// Creates a piece of text.
    public init(
        words: String, isCode: Bool = false, isRemoved: Bool = false, isAdded: Bool = false
    ) {
        self.words = words
        self.isCode = isCode
        self.isRemoved = isRemoved
        self.isAdded = isAdded
    }

    /// Splits a text into runs; a backtick without a partner remains in the text.
    public static func runs(of text: String) -> [TextRun] {
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

    /// Returns a text without the backticks of code.
    public static func plain(_ text: String) -> String { runs(of: text).map(\.words).joined() }

    /// Returns a text as a list of questions shows it: with its code, or without the marks of another form.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - form: Its form.
    ///   - countMax: The maximum number of characters; the rest is replaced by an ellipsis.
    /// - Returns: The runs; one for another form than the plain one.
    public static func line(
        of text: String, in form: TextForm, countMax: Int = .max
    ) -> [TextRun] {
        form == .plain
            ? runs(of: shortened(text, countMax))
            : [TextRun(words: shortened(RichText(text, form: form).plainText, countMax))]
    }

    private static func shortened(_ text: String, _ countMax: Int) -> String {
        text.count > countMax ? text.prefix(countMax - 1) + "…" : text
    }
}
