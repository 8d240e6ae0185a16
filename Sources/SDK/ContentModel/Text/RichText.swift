/// A text of an author as a tree of blocks and spans.
///
/// The same bytes give the same tree on every system. Reading never fails: what is no mark is text. A text of the form
/// `markdown` above a ``TextLimit`` is read as `plain`.
///
/// A tree of the form `markdown` has no empty or adjacent texts, and no line break at the start or end of a list of
/// spans. Reading its ``source`` again gives an equal tree, while the source is within the limits.
///
/// ```swift
/// let text = RichText("Pay $6, then solve $x^2=6$.", form: .markdown)
/// print(text.source)
/// // Pay \$6, then solve $x^2=6$.
/// ```
public struct RichText: Sendable, Hashable {
    /// The blocks, in the order of reading.
    public var blocks: [TextBlock]

    /// Creates a text from its blocks, as they are.
    public init(blocks: [TextBlock]) { self.blocks = blocks }

    /// Reads an author's text, in time linear in its size.
    public init(_ source: String, form: TextForm) {
        switch form {
        case .plain: blocks = PlainForm.blocks(of: source)
        case .markdown:
            let (tree, limit) = Self.reading(source)
            blocks = limit == nil ? tree : PlainForm.blocks(of: source)
        }
    }

    /// Returns the limit that a text of the form `markdown` exceeds, or `nil`.
    public static func exceededLimit(of source: String) -> TextLimit? { reading(source).limit }

    /// The text in the form `markdown`, in one canonical spelling.
    public var source: String { MarkdownWriter.text(of: blocks) }

    /// The text without marks: for titles, search and notices.
    ///
    /// Blocks and lines end with a line end; pictures are their alternative texts.
    public var plainText: String { PlainTextWriter.text(of: blocks) }

    private static func reading(_ source: String) -> (tree: [TextBlock], limit: TextLimit?) {
        guard source.utf8.count <= TextLimit.bytes.maximum else { return ([], .bytes) }
        let tree = BlockParser.blocks(of: SourceLines.lines(of: source), listDepth: 0)
        return (tree, TextSize(of: tree).exceededLimit)
    }
}
