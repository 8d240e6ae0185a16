public import ContentModel
public import Foundation

extension DecimalNumber {
    /// Parses a number as a learner types it.
    ///
    /// | typed | in `en` | in `de` |
    /// |---|---|---|
    /// | `3.14`, `3,14`, `٣٫١٤`, `３．１４` | 3.14 | 3.14 |
    /// | `1.080` | 1.08 | 1.08 or 1080? |
    /// | `1,080` | 1.08 or 1080? | 1.08 |
    /// | `1,234.5`, `1.234,5`, `1 234,5` | 1234.5 | 1234.5 |
    /// | `12,34,567` | 1234567 | 1234567 |
    /// | `1/2`, `3 1/2`, `½` | 0.5, 3.5, 0.5 | the same |
    /// | `6.02e23`, `6,02·10²³` | 6.02e23 | the same |
    ///
    /// The key of the question is not an argument: an ambiguous text is always an error, since an error that depends on
    /// the key would reveal the key.
    /// - Parameters:
    ///   - text: The text.
    ///   - unit: The unit of the question, which may follow the number.
    ///   - locale: The locale of the interface, whose decimal separator is unambiguous.
    /// - Throws: `EnteredNumberError`: ask which of two ``EnteredNumberError/readings`` is meant, or show the reason.
    public init(
        entered text: String, unit: String? = nil, locale: Locale
    ) throws(EnteredNumberError) {
        self = try EnteredNumberReader(DecimalSign(of: locale), unit: unit ?? "").number(text)
    }

    /// Returns the number as people of a locale write it, so that it parses as the same number there.
    ///
    /// It has no grouping. If both separators are ambiguous, three decimals become four: `9.8050`.
    public func entered(in locale: Locale) -> String {
        let plain = description
        switch DecimalSign(of: locale) {
        case .point: return plain
        case .comma: return plain.replacing(".", with: ",")
        case .unknown:
            let decimals = plain.firstIndex(of: ".").map { plain[$0...].dropFirst().count }
            return decimals == 3 ? plain + "0" : plain
        }
    }
}
