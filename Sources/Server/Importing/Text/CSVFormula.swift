/// The escape of cells that a spreadsheet would take for formulas, as OWASP recommends: an apostrophe
/// before the cell (OWASP, CSV Injection).
///
/// | text | cell |
/// |---|---|
/// | `=1+1` | `'=1+1` |
/// | `'=1+1` | `''=1+1` |
/// | `-5` | `-5` |
/// | `'a' or 'b'` | `'a' or 'b'` |
enum CSVFormula {
    /// Escapes a cell that would be a formula; a number such as `-5` is none.
    static func escaped(_ text: String) -> String {
        isFormula(withoutApostrophes(text)) ? "'" + text : text
    }

    /// Removes the apostrophe that ``escaped(_:)`` adds.
    static func restored(_ cell: String) -> String {
        let text = String.UnicodeScalarView(cell.unicodeScalars.dropFirst())
        guard cell.unicodeScalars.first == "'", isFormula(withoutApostrophes(cell)) else {
            return cell
        }
        return String(text)
    }

    private static func withoutApostrophes(_ text: String) -> Substring.UnicodeScalarView {
        text[...].unicodeScalars.drop { $0 == "'" }
    }

    /// Returns whether a text begins like a formula, after spaces or not.
    private static func isFormula(_ text: Substring.UnicodeScalarView) -> Bool {
        switch text.drop(while: { $0 == " " }).first {
        case "=", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠": true
        case "+", "-": !isNumber(text)
        default: false
        }
    }

    /// Returns whether a text is a number such as `-5`, `+0.25` or `-1e-3`.
    private static func isNumber(_ text: Substring.UnicodeScalarView) -> Bool {
        Substring(text).wholeMatch(of: Pattern.signedNumber) != nil
    }
}
