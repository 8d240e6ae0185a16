public import ContentModel
import Foundation

/// An error of reading a typed number.
///
/// ```swift
/// do throws(EnteredNumberError) {
///     print(try DecimalNumber(entered: "1,234"))
/// } catch {
///     if let decimal = error.decimal, let whole = error.whole {
///         print("Do you mean \(decimal) or \(whole)?")
///     } else {
///         print(error.message)
///     }
/// }
/// ```
public struct EnteredNumberError: EngineError {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The number if the comma is a decimal comma, where that is not certain.
    public var decimal: DecimalNumber?
    /// The number if the comma separates thousands, where that is not certain.
    public var whole: DecimalNumber?
}

extension EnteredNumberError {
    /// The error of a text that is not a number of at most `DecimalNumber.digitsMax` digits.
    public static var noNumber: Self {
        Self(
            code: .noNumber,
            message: "Enter a number such as 3.14 or 3,14.")
    }

    /// The error of a text with thousands separators, as in `1,234.5`, `1.234,5` or `1 234`.
    public static var thousandsSeparator: Self {
        Self(
            code: .thousandsSeparator,
            message: "Enter the number without thousands separators, such as 1234.5 or 1234,5.")
    }

    /// Reports that the comma may be a decimal comma or a thousands separator, as in `1,234`.
    public static func ambiguous(decimal: DecimalNumber, whole: DecimalNumber) -> Self {
        Self(
            code: .ambiguousNumber,
            message:
                "The number may be \(decimal) or \(whole): use a decimal point, or no separator.",
            decimal: decimal, whole: whole)
    }
}
