public import ContentModel
import Foundation

extension DecimalNumber {
    /// Parses a number as a learner types it, with a decimal point or a decimal comma.
    ///
    /// | typed | number |
    /// |---|---|
    /// | `3.14`, `3,14`, ` 3.140 ` | 3.14 |
    /// | `−5`, `-5 °C` with the unit `°C` | -5 |
    /// | `1,234` | ambiguous; 1.234 with `commaIsDecimal` |
    /// | `1,234.5`, `1.234,5`, `1 234`, `1'234` | thousands separator |
    ///
    /// A point is always a decimal point.
    /// - Parameters:
    ///   - text: The text.
    ///   - unit: The unit of the question, which may follow the number.
    ///   - commaIsDecimal: True where people write a decimal comma, so that no comma can group thousands.
    /// - Throws: `EnteredNumberError`; ask the learner again, and show the reason.
    public init(
        entered text: String, unit: String? = nil, commaIsDecimal: Bool = false
    ) throws(EnteredNumberError) {
        var bare = text.trimmingCharacters(in: .whitespaces).replacing("\u{2212}", with: "-")
        if let unit, !unit.isEmpty, bare.hasSuffix(unit) {
            bare = bare.dropLast(unit.count).trimmingCharacters(in: .whitespaces)
        }
        guard !Self.hasThousands(bare) else { throw .thousandsSeparator }
        guard let number = DecimalNumber(bare.replacing(",", with: ".")) else { throw .noNumber }
        if !commaIsDecimal, let whole = Self.wholeNumber(bare) {
            throw .ambiguous(decimal: number, whole: whole)
        }
        self = number
    }

    /// Returns whether digits are grouped, or commas and points occur together.
    private static func hasThousands(_ text: String) -> Bool {
        text.contains(/\d[\s'’_\u{A0}\u{2009}\u{202F}]+\d/) || text.contains(/\d[.,]\d+[.,]\d/)
    }

    /// Returns the number without its comma where the comma may be a thousands separator.
    private static func wholeNumber(_ text: String) -> DecimalNumber? {
        guard text.contains(/^[+-]?[1-9]\d{0,2},\d{3}$/) else { return nil }
        return DecimalNumber(text.replacing(",", with: ""))
    }
}
