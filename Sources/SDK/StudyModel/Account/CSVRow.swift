/// A row of a table for spreadsheets (RFC 4180).
enum CSVRow {
    /// The mark by which a spreadsheet knows that the text is UTF-8 (U+FEFF).
    static let byteOrderMark = "\u{FEFF}"
    /// The first characters by which a spreadsheet takes a cell for a formula.
    private static let formulaStarts: Set<Unicode.Scalar> = ["=", "+", "-", "@", "\t", "\r"]

    /// Returns cells as a row with its end.
    ///
    /// A cell that a spreadsheet would calculate gets an apostrophe before it, also a negative number. Cost: linear.
    static func text(_ cells: [String]) -> String {
        cells.map(cell).joined(separator: ",") + "\r\n"
    }

    private static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map(formulaStarts.contains) ?? false
        let text = isFormula ? "'" + text : text
        let isPlain = !text.unicodeScalars.contains { "\",\r\n".unicodeScalars.contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
