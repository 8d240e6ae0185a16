public import Foundation

/// An error of calibration.
///
/// ```swift
/// let matrix = try ScoreMatrix(rows: [[true, true], [true, false]])
/// do throws(CalibrationError) {
///     print(try RaschCalibration(matrix).difficulties)
/// } catch {
///     // Everyone was right on the first question, so nothing is known about its difficulty.
///     print(error.code == .constantQuestion, error.localizedDescription)
/// }
/// ```
public enum CalibrationError: Error, Hashable, Sendable {
    /// Nobody, or only one person, answered.
    case tooFewPeople(Int)
    /// One question is no scale.
    case tooFewItems(Int)
    /// All answered the question of that index alike, so it has no difficulty.
    case constantItem(Int)
    /// The answers do not determine the parameters, for instance because two groups of questions
    /// are never compared.
    case notIdentified

    /// Rejects answers without a solution.
    static func check(_ matrix: ScoreMatrix) throws(CalibrationError) {
        guard matrix.personCount >= 2 else { throw .tooFewPeople(matrix.personCount) }
        guard matrix.itemCount >= 2 else { throw .tooFewItems(matrix.itemCount) }
        for (item, right) in matrix.rightCounts.enumerated()
        where right == 0 || right == matrix.personCount {
            throw .constantItem(item)
        }
    }
}

extension CalibrationError: LocalizedError, CustomStringConvertible {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode {
        switch self {
        case .tooFewPeople: .tooFewAnswers
        case .tooFewItems: .tooFewAnswers
        case .constantItem: .constantQuestion
        case .notIdentified: .notIdentified
        }
    }

    /// The reason and the remedy, in English.
    public var description: String {
        switch self {
        case .tooFewPeople(let count):
            "A calibration needs at least two people, not \(count)."
        case .tooFewItems(let count):
            "A calibration needs at least two questions, not \(count)."
        case .constantItem(let index):
            "All people answered the question \(index) alike: leave it out."
        case .notIdentified:
            "The answers do not determine the parameters: collect more, or leave questions out."
        }
    }

    /// The reason and the remedy, in English.
    public var errorDescription: String? { description }
}
