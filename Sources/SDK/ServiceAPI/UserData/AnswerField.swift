import UserData

/// A number of an answer: its names, bounds, and the form of its column.
///
/// Wire format, tables, hashes, copy and export use `allCases`, so that another number of an answer is a case here and
/// a place in `EncodedAnswers.Row`. The order is that of hashes; a value may depend on those before it.
package enum AnswerField: String, CaseIterable, Sendable {
    case isCorrect, isRandomlySelected, rating, credit
    case takenMilliseconds, exposuresBefore, milliseconds, offsetMinutes

    /// The form of a column on the wire.
    package enum WireForm: Sendable {
        /// A digit for each row.
        case digits
        /// A number for each row.
        case integers
        /// The difference from the previous row.
        case differences
        /// `[value, length, value, length …]`; `null` if it is missing.
        case runs
        /// Values by the row's place, if they do not follow from other columns.
        case exceptions
    }

    /// The name and the form of its column on the wire.
    package var wire: (name: String, form: WireForm) {
        switch self {
        case .isCorrect: ("correct", .digits)
        case .isRandomlySelected: ("random", .digits)
        case .rating: ("rating", .digits)
        case .credit: ("credit", .exceptions)
        case .takenMilliseconds: ("taken", .integers)
        case .exposuresBefore: ("exposures", .integers)
        case .milliseconds: ("date", .differences)
        case .offsetMinutes: ("offset", .runs)
        }
    }

    /// The minimum and the maximum value.
    package var bounds: ClosedRange<Int64> {
        switch self {
        case .isCorrect, .isRandomlySelected: 0...1
        case .rating: 1...4
        case .credit: -1_000_000...1_000_000
        case .takenMilliseconds: 0...AnswerRow.takenMillisecondsMax
        case .exposuresBefore: 0...1_000_000
        case .milliseconds: 0...FieldValue.integerMax
        case .offsetMinutes:
            -Int64(AnswerRow.offsetMinutesMax)...Int64(AnswerRow.offsetMinutesMax)
        }
    }

    /// True for a number that every answer has; a missing credit follows from the key.
    package var isRequired: Bool {
        switch self {
        case .rating, .credit, .offsetMinutes: false
        default: true
        }
    }

    /// True for a truth value, 0 or 1.
    package var isFlag: Bool { bounds == 0...1 }

    /// Returns true for a value within the bounds.
    package func admits(_ value: AnswerNumber) -> Bool {
        switch value {
        case .integer(let value): bounds.contains(value)
        case .real(let value): abs(value) <= Double(bounds.upperBound)
        }
    }
}

/// A value of an answer's field.
package enum AnswerNumber: Sendable, Hashable {
    case integer(Int64)
    /// A credit.
    case real(Double)

    /// The integer, 0 for a credit.
    package var integer: Int64 { if case .integer(let value) = self { value } else { 0 } }
    /// The credit, or the integer as one.
    package var real: Double {
        switch self {
        case .integer(let value): Double(value)
        case .real(let value): value
        }
    }
}

extension EncodedAnswers.Row {
    /// The value of a field; `nil` if it is missing, and for a credit that follows from the key.
    ///
    /// A credit is set after the field from which it follows.
    package subscript(field: AnswerField) -> AnswerNumber? {
        get {
            switch field {
            case .isCorrect: .integer(isCorrect ? 1 : 0)
            case .isRandomlySelected: .integer(isRandomlySelected ? 1 : 0)
            case .rating: rating == 0 ? nil : .integer(Int64(rating))
            case .credit: credit == plainCredit ? nil : .real(credit)
            case .takenMilliseconds: .integer(takenMilliseconds)
            case .exposuresBefore: .integer(exposuresBefore)
            case .milliseconds: .integer(milliseconds)
            case .offsetMinutes: offsetMinutes.map { .integer(Int64($0)) }
            }
        }
        set {
            let value = newValue?.integer ?? 0
            switch field {
            case .isCorrect: isCorrect = value == 1
            case .isRandomlySelected: isRandomlySelected = value == 1
            case .rating: rating = Int(value)
            case .credit: credit = newValue?.real ?? plainCredit
            case .takenMilliseconds: takenMilliseconds = value
            case .exposuresBefore: exposuresBefore = value
            case .milliseconds: milliseconds = value
            case .offsetMinutes: offsetMinutes = newValue.map { Int16(clamping: $0.integer) }
            }
        }
    }

    /// Creates a row of its values.
    package init(
        question: Int32 = 0, session: Int32 = 0, response: Int32 = 0,
        _ value: (AnswerField) throws -> AnswerNumber?
    ) rethrows {
        self.init(
            question: question, session: session, response: response, isCorrect: false,
            isRandomlySelected: false, credit: 0, rating: 0, takenMilliseconds: 0,
            exposuresBefore: 0, milliseconds: 0)
        for field in AnswerField.allCases { self[field] = try value(field) }
    }
}
