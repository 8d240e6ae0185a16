/// An error of calibration.
public enum CalibrationFailure: Error, Hashable, Sendable {
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
    static func check(_ matrix: ScoreMatrix) throws(CalibrationFailure) {
        guard matrix.personCount >= 2 else { throw .tooFewPeople(matrix.personCount) }
        guard matrix.itemCount >= 2 else { throw .tooFewItems(matrix.itemCount) }
        for (item, right) in matrix.rightCounts.enumerated()
        where right == 0 || right == matrix.personCount {
            throw .constantItem(item)
        }
    }
}
