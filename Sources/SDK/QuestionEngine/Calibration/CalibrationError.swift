import Foundation

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
public struct CalibrationError: EngineError {
    /// The stable code of the error, by which an app chooses a translation.
    public var code: EngineErrorCode
    /// The mistake and its remedy, in English.
    public var message: String
    /// The number of people or questions, if it is too small.
    public var count: Int?
    /// The index of the question that all people answered alike.
    public var item: Int?
}

extension CalibrationError {
    /// Reports that fewer than two people answered.
    public static func tooFewPeople(_ count: Int) -> Self {
        Self(
            code: .tooFewPeople,
            message: "A calibration needs at least two people, not \(count): collect more answers.",
            count: count)
    }

    /// Reports that there are fewer than two questions.
    public static func tooFewItems(_ count: Int) -> Self {
        Self(
            code: .tooFewQuestions,
            message: "A calibration needs at least two questions, not \(count): add questions.",
            count: count)
    }

    /// Reports that all answered the question of that index alike, so it has no difficulty.
    public static func constantItem(_ item: Int) -> Self {
        Self(
            code: .constantQuestion,
            message: "All people answered the question \(item) alike: leave it out.", item: item)
    }

    /// The error of answers that do not determine the parameters, for instance because two groups of questions are
    /// never compared.
    public static var notIdentified: Self {
        Self(
            code: .notIdentified,
            message:
                "The answers do not determine the parameters: collect more, or leave questions out."
        )
    }

    /// Rejects answers without a solution.
    static func check(_ matrix: ScoreMatrix) throws(CalibrationError) {
        try check(SparseScoreMatrix(matrix))
    }

    /// Rejects answers without a solution; only the answers that exist count.
    static func check(_ matrix: SparseScoreMatrix) throws(CalibrationError) {
        guard matrix.personCount >= 2 else { throw .tooFewPeople(matrix.personCount) }
        guard matrix.itemCount >= 2 else { throw .tooFewItems(matrix.itemCount) }
        for (item, right) in matrix.rightCounts.enumerated()
        where right == 0 || right == matrix.answerCounts[item] {
            throw .constantItem(item)
        }
    }
}
