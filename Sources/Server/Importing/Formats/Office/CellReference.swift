/// The place of a cell: `B3` is column 1, row 3.
struct CellReference: Hashable {
    /// The most columns of a sheet.
    static let columnsMax = 1_000
    /// The last row that a spreadsheet can have.
    static let rowMax = 1_048_576

    /// The column, from 0.
    var column: Int
    /// The row, from 1.
    var row: Int

    /// Reads a place; `nil` for other texts, and for a place that no spreadsheet has.
    init?(_ text: some StringProtocol) {
        var column = 0
        var row = 0
        for byte in text.utf8 {
            switch byte {
            case 65...90 where row == 0: column = column * 26 + Int(byte) - 64
            case 48...57 where column > 0: row = row * 10 + Int(byte) - 48
            case UInt8(ascii: "$"): continue
            default: return nil
            }
            guard column <= 16_384, row <= Self.rowMax else { return nil }
        }
        guard column > 0, row > 0 else { return nil }
        self.init(column: column - 1, row: row)
    }

    init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }

    /// The letters of a column.
    static func letters(_ column: Int) -> String {
        var rest = column + 1
        var letters = ""
        while rest > 0 {
            letters = String(UnicodeScalar(UInt8(65 + (rest - 1) % 26))) + letters
            rest = (rest - 1) / 26
        }
        return letters
    }

    /// The place as text.
    var text: String { Self.letters(column) + "\(row)" }

    /// Reads an area such as `A2:B3`, or that of one cell.
    static func area(_ text: String) -> (first: CellReference, last: CellReference)? {
        let parts = text.split(separator: ":")
        guard let start = parts.first.flatMap({ CellReference($0) }),
            let end = parts.last.flatMap({ CellReference($0) }), parts.count <= 2,
            start.column <= end.column, start.row <= end.row
        else { return nil }
        return (start, end)
    }
}
