public import ContentModel
public import Foundation

/// An error of reading a typed number.
///
/// ```swift
/// do throws(EnteredNumberError) {
///     print(try DecimalNumber(entered: "1,234"))
/// } catch .ambiguous(let decimal, let whole) {
///     print("Do you mean \(decimal) or \(whole)?")
/// } catch {
///     print(error.localizedDescription)
/// }
/// ```
public enum EnteredNumberError: Error, Hashable, Sendable {
    /// The text is not a number of at most `DecimalNumber.digitsMax` digits.
    case noNumber
    /// The text has thousands separators, as in `1,234.5`, `1.234,5` or `1 234`.
    case thousandsSeparator
    /// The comma may be a decimal comma or a thousands separator, as in `1,234`.
    case ambiguous(decimal: DecimalNumber, whole: DecimalNumber)
}

extension EnteredNumberError: LocalizedError, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode {
        switch self {
        case .noNumber: .noNumber
        case .thousandsSeparator: .thousandsSeparator
        case .ambiguous: .ambiguousNumber
        }
    }

    /// The reason and the remedy, in English.
    public var description: String {
        switch self {
        case .noNumber:
            "Enter a number such as 3.14 or 3,14."
        case .thousandsSeparator:
            "Enter the number without thousands separators, such as 1234.5 or 1234,5."
        case .ambiguous(let decimal, let whole):
            "The number may be \(decimal) or \(whole): use a decimal point, or no separator."
        }
    }

    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
