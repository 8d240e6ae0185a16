/// The cells of an environment or of `\substack`.
package struct FormulaTable: Sendable, Hashable {
    /// The alignment of a column.
    package enum Alignment: String, Sendable {
        case left = "l"
        case center = "c"
        case right = "r"
    }

    /// The kind of table.
    package enum Kind: Sendable, Hashable {
        /// A matrix between delimiters; they may be empty.
        case matrix(open: String, close: String)
        case smallMatrix
        /// A matrix whose columns the author aligned.
        case array([Alignment])
        case cases
        /// Lines with pairs of columns that meet at a relation.
        case aligned
        /// Centred lines.
        case gathered
        /// Small lines under a large operator.
        case substack
    }

    /// The kind of table.
    package var kind: Kind
    /// The cells; rows may differ in length.
    package var rows: [[FormulaNode]]

    /// The number of columns of the longest row.
    package var columnCount: Int { rows.map(\.count).max() ?? 0 }

    /// The delimiter before the table.
    package var open: String {
        switch kind {
        case .matrix(let open, _): open
        case .cases: "{"
        default: ""
        }
    }

    /// The delimiter after the table.
    package var close: String {
        if case .matrix(_, let close) = kind { close } else { "" }
    }

    /// Returns the alignment of a column, from 0.
    package func alignment(ofColumn column: Int) -> Alignment {
        switch kind {
        case .cases: .left
        case .aligned: column.isMultiple(of: 2) ? .right : .left
        case .array(let columns) where column < columns.count: columns[column]
        default: .center
        }
    }
}
