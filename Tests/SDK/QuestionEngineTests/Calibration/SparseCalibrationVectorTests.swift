import QuestionEngine
import Testing

/// Calibration with missing answers beside `girth` and a direct maximisation by `scipy`;
/// `sparse_calibration.py` made the file.
@Suite struct SparseCalibrationVectorTests {
    private struct Model: Decodable {
        var slopes: [Double]
        var difficulties: [Double]
        var logLikelihood: Double
    }

    private struct Vector: Decodable {
        var girth: Model
        var maximum: Model
        /// One row a person: 1 is right, 0 wrong, a dot a missing answer.
        var rows: [String]
    }

    private let vector: Vector
    private let scores: SparseScoreMatrix

    init() throws {
        vector = try VectorFile.decode(Vector.self, "sparse_calibration.json")
        scores = try SparseScoreMatrix(
            rows: vector.rows.map { row in row.map { $0 == "." ? nil : $0 == "1" } })
    }

    private func greatestDistance(_ found: [Double], _ expected: [Double]) -> Double {
        zip(found, expected).map { abs($0 - $1) }.max() ?? .infinity
    }

    @Test func theFileHasMissingAnswers() {
        #expect(scores.personCount == 600 && scores.itemCount == 8)
        #expect(scores.answerCounts.allSatisfy { (300...420).contains($0) })
    }

    @Test func parametersMaximiseTheLikelihood() throws {
        let found = try MarginalCalibration(scores)
        let items = found.items.map(\.parameters)
        #expect(found.hasConverged)
        #expect(greatestDistance(items.map(\.slope), vector.maximum.slopes) < 0.002)
        #expect(greatestDistance(items.map(\.difficulty), vector.maximum.difficulties) < 0.002)
        #expect(abs(found.logLikelihood - vector.maximum.logLikelihood) < 0.001)
    }

    /// `girth` finds a difficulty from the fraction right of that question alone, so its likelihood
    /// is less than the greatest where answers are missing.
    @Test func girthIsNearAndLessLikely() throws {
        let found = try MarginalCalibration(scores)
        let items = found.items.map(\.parameters)
        #expect(greatestDistance(items.map(\.slope), vector.girth.slopes) < 0.02)
        #expect(greatestDistance(items.map(\.difficulty), vector.girth.difficulties) < 0.07)
        #expect(found.logLikelihood > vector.girth.logLikelihood)
    }

    /// The usual mistake: missing answers that count as wrong make questions harder.
    @Test func missingAnswersAreNotWrongOnes() throws {
        let zeros = try ScoreMatrix(rows: vector.rows.map { row in row.map { $0 == "1" } })
        let found = try MarginalCalibration(zeros).items.map(\.parameters.difficulty)
        let harder = zip(found, vector.maximum.difficulties).map { $0 - $1 }
        #expect(harder.allSatisfy { $0 > 0 } && harder.reduce(0, +) / 8 > 0.8)
    }
}
