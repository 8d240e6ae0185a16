import Foundation

/// An error of building a matrix.
///
/// ```swift
/// do throws(ScoreMatrixError) {
///     _ = try ScoreMatrix(rows: [[true, false], [true]])
/// } catch {
///     print(error.code == .malformedTable, error.row == 1)
/// }
/// ```
public struct ScoreMatrixError: EngineError {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The row, from 0, that the error concerns, if any.
    public var row: Int?
}

extension ScoreMatrixError {
    /// The error of a matrix without a row or without a question.
    public static var empty: Self {
        Self(
            code: .tooFewAnswers,
            message: "The matrix has no row or no question: give at least one of each.")
    }

    /// Reports that the row of that index, from 0, has another length than the first.
    public static func unequalRow(_ row: Int) -> Self {
        Self(
            code: .malformedTable,
            message:
                "The row \(row) has another length than the first: give one value for each question.",
            row: row)
    }

    /// The error of a negative frequency, or of another number of frequencies than of rows.
    public static var malformedFrequencies: Self {
        Self(
            code: .malformedFrequencies,
            message:
                "A frequency is negative, or their number differs from that of the rows: give one for"
                + " each row.")
    }
}
