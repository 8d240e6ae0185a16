public import Foundation

/// An error of building a matrix.
///
/// ```swift
/// do throws(ScoreMatrixError) {
///     _ = try ScoreMatrix(rows: [[true, false], [true]])
/// } catch {
///     print(error == .unequalRow(1), error.code == .malformedTable)
/// }
/// ```
public enum ScoreMatrixError: Error, Hashable, Sendable {
    /// There is no row or no question.
    case empty
    /// The row of that index, from 0, has another length than the first.
    case unequalRow(Int)
    /// A frequency is negative, or their number differs from that of the rows.
    case malformedFrequencies
}

extension ScoreMatrixError: LocalizedError, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode {
        switch self {
        case .empty: .tooFewAnswers
        case .unequalRow: .malformedTable
        case .malformedFrequencies: .malformedTable
        }
    }

    /// The reason and the remedy, in English.
    public var description: String {
        switch self {
        case .empty:
            "The matrix has no row or no question."
        case .unequalRow(let row):
            "The row \(row) has another length than the first."
        case .malformedFrequencies:
            "A frequency is negative, or their number differs from that of the rows."
        }
    }

    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
