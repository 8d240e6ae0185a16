public import ContentModel
import Foundation

/// The reason why a typed text is not one number.
///
/// ```swift
/// do throws(EnteredNumberError) {
///     print(try DecimalNumber(entered: "1,234", locale: Locale(identifier: "en")))
/// } catch {
///     if error.readings.isEmpty {
///         print(error.message)
///     } else {
///         print("Do you mean \(error.readings[0]) or \(error.readings[1])?")
///     }
/// }
/// ```
public struct EnteredNumberError: EngineError {
    /// The sign whose meaning is ambiguous.
    public enum Doubt: Sendable, Hashable {
        /// A point before three digits.
        case point
        /// A comma before three digits.
        case comma
        /// A percent sign when the unit is another one, or none.
        case percent
    }

    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The sign whose meaning is ambiguous; `nil` for a text that is not a number.
    public var doubt: Doubt?
    /// The two readings of an ambiguous text, the one with decimals first; else empty.
    public var readings: [DecimalNumber] = []
    /// A number that could be typed instead; `nil` for none.
    public var example: DecimalNumber?
    /// The unit that may be typed; `nil` for none, and for another error.
    public var unit: String?

    /// The same error of a text with a minus sign before.
    var negated: Self {
        var error = self
        error.readings = readings.map { -$0 }
        error.example = example.map { -$0 }
        return error
    }
}

extension EnteredNumberError {
    /// The error of a blank text.
    public static var empty: Self {
        Self(code: .emptyNumber, message: "Enter a number.")
    }

    /// The error of a text that is not a number.
    public static var noNumber: Self {
        Self(code: .noNumber, message: "Enter a number such as 3.14 or 3,14.")
    }

    /// The error of a number of more than `DecimalNumber.digitsMax` digits.
    public static var long: Self {
        Self(
            code: .longNumber,
            message: "The number is too long: enter at most \(DecimalNumber.digitsMax) digits.")
    }

    /// The error of signs between digits that group them in no known way, as in `12 34`.
    public static var groups: Self {
        Self(
            code: .numberGroups,
            message: "Enter the number without thousands separators, such as 1234.5 or 1234,5.")
    }

    /// The error of digits of two scripts.
    public static var mixedDigits: Self {
        Self(code: .mixedDigits, message: "Enter all digits in one script.")
    }

    /// Reports a text after the number that is not the unit of the question.
    public static func otherUnit(_ unit: String) -> Self {
        Self(
            code: .otherUnit,
            message: unit.isEmpty
                ? "Enter the number without a unit." : "Enter the number in \(unit).",
            unit: unit.isEmpty ? nil : unit)
    }

    /// Reports a fraction that is no decimal of at most `DecimalNumber.digitsMax` digits.
    public static func endless(_ text: String, example: DecimalNumber) -> Self {
        Self(
            code: .endlessFraction,
            message: "\(text) has no end as a decimal: enter \(example), for example.",
            example: example)
    }

    /// Reports that a text can be read in two ways.
    public static func ambiguous(_ doubt: Doubt, _ readings: [DecimalNumber]) -> Self {
        Self(
            code: .ambiguousNumber,
            message: "The number may be "
                + readings.map(\.description).joined(separator: " or ")
                + ": enter the one that is meant.",
            doubt: doubt, readings: readings)
    }
}
