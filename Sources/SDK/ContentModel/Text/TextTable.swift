/// A table of rich text.
///
/// ```swift
/// let table = TextTable(
///     alignments: [.right], head: [[.text("n")]], rows: [[[.text("1")]], [[.text("2")]]])
/// print(RichText(blocks: [.table(table)]).plainText)
/// ```
public struct TextTable: Sendable, Hashable {
    /// The spans of a cell; an empty cell has none.
    public typealias Cell = [TextSpan]

    /// The side to which a column is aligned.
    public enum Alignment: String, Sendable, Hashable, CaseIterable {
        /// The side of the language.
        case natural = ""
        /// The left side.
        case left = "l"
        /// The middle.
        case center = "c"
        /// The right side.
        case right = "r"
    }

    /// The alignment of each column.
    public var alignments: [Alignment]
    /// The cells of the head, one for each column.
    public var head: [Cell]
    /// The rows below the head, each with one cell for each column.
    public var rows: [[Cell]]

    /// Creates a table; each row has as many cells as there are alignments.
    public init(alignments: [Alignment], head: [Cell], rows: [[Cell]]) {
        self.alignments = alignments
        self.head = head
        self.rows = rows
    }
}
