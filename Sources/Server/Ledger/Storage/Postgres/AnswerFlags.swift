package import PostgresDriver
import ServiceAPI

/// The small parts of an answer in one number: 1 for a right answer, 2 for one of chance alone, from 4 on the recall.
enum AnswerFlags {
    /// Returns the number.
    static func flags(_ row: EncodedAnswers.Row) -> Int16 {
        (row.isCorrect ? 1 : 0) | (row.isRandomlySelected ? 2 : 0) | Int16(row.rating) << 2
    }

    fileprivate static func value(of field: AnswerField, _ flags: Int16) -> AnswerNumber? {
        switch field {
        case .isCorrect: .integer(Int64(flags & 1))
        case .isRandomlySelected: .integer(Int64(flags >> 1 & 1))
        case .rating: flags >> 2 == 0 ? nil : .integer(Int64(flags >> 2))
        case .credit, .takenMilliseconds, .exposuresBefore, .milliseconds, .offsetMinutes: nil
        }
    }
}

extension AnswerField {
    /// The SQL expression of the value in a row `a` of `answer`.
    package var expression: String {
        switch self {
        case .isCorrect: "a.flags & 1"
        case .isRandomlySelected: "(a.flags >> 1) & 1"
        case .rating: "nullif(a.flags >> 2, 0)"
        case .credit, .takenMilliseconds, .exposuresBefore, .milliseconds, .offsetMinutes:
            "a.\(column)"
        }
    }

    /// The column with the value.
    fileprivate var column: String {
        switch self {
        case .isCorrect, .isRandomlySelected, .rating: "flags"
        case .credit: "credit"
        case .takenMilliseconds: "taken"
        case .exposuresBefore: "exposures"
        case .milliseconds: "at"
        case .offsetMinutes: "offset_minutes"
        }
    }
}

extension EncodedAnswers.Row {
    /// The columns of a row `a` of `answer` that contain the numbers.
    package static let columns = Set(AnswerField.allCases.map(\.column)).sorted().map { "a.\($0)" }
        .joined(separator: ", ")

    /// Decodes the numbers of a row of `answer`.
    package init(
        _ row: PostgresRow, question: Int32 = 0, session: Int32 = 0, response: Int32 = 0
    ) throws {
        let flags: Int16 = try row.value("flags")
        try self.init(question: question, session: session, response: response) { field in
            switch field {
            case .isCorrect, .isRandomlySelected, .rating: AnswerFlags.value(of: field, flags)
            case .credit: try row.value("credit", as: Double?.self).map { .real($0) }
            case .takenMilliseconds, .exposuresBefore, .milliseconds, .offsetMinutes:
                try row.value(field.column, as: Int64?.self).map { .integer($0) }
            }
        }
    }

    /// The credit, unless it follows from the answer's being right or wrong.
    var storedCredit: Double? { credit == plainCredit ? nil : credit }
}
