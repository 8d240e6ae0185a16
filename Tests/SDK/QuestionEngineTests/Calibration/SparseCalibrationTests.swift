import Foundation
import QuestionEngine
import TestSupport
import Testing

@Suite struct SparseCalibrationTests {
    @Test func aMissingAnswerContributesNoFactor() throws {
        let (_, rows) = SparseTest.make(people: 400, missing: 0.5, seed: 3)
        let found = try MarginalCalibration(SparseScoreMatrix(rows: rows))
        let grid = AbilityGrid.calibration
        let logLikelihood = rows.reduce(0) { sum, row in
            let probability = grid.points.indices.reduce(0) { total, node in
                let factors = row.indices.map { item -> Double in
                    let p = found.items[item].parameters.probability(ability: grid.points[node])
                    return row[item].map { $0 ? p : 1 - p } ?? 1
                }
                return total + factors.reduce(grid.weights[node], *)
            }
            return sum + log(probability)
        }
        #expect(abs(found.logLikelihood - logLikelihood) < 1e-6)
    }

    @Test func completeAnswersGiveTheSameEitherWay() throws {
        let (_, rows) = SparseTest.make(people: 300, missing: 0, seed: 4)
        let complete = try ScoreMatrix(rows: rows.map { row in row.map { $0 ?? false } })
        #expect(
            try MarginalCalibration(SparseScoreMatrix(rows: rows)) == MarginalCalibration(complete))
    }

    @Test(arguments: [0.3, 0.5, 0.7])
    func parametersAreRecovered(missing: Double) throws {
        let seed: UInt64 = 16
        let (truth, rows) = SparseTest.make(people: 4000, missing: missing, seed: seed)
        let found = try MarginalCalibration(SparseScoreMatrix(rows: rows)).items
        let slopes = Recovery(truth.map(\.slope), found.map(\.parameters.slope))
        let difficulties = Recovery(truth.map(\.difficulty), found.map(\.parameters.difficulty))
        let errors = found.map { $0.slopeError * $0.slopeError }.reduce(0, +)
        let stated = (errors / Double(found.count)).squareRoot()
        print("seed \(seed), missing \(missing): slopes \(slopes), stated error \(stated)")
        print("seed \(seed), missing \(missing): difficulties \(difficulties)")
        #expect(abs(slopes.bias) < 0.1 && slopes.error < 0.2)
        #expect(abs(difficulties.bias) < 0.1 && difficulties.error < 0.2)
        #expect(difficulties.correlation > 0.98)
        #expect(slopes.error < 1.6 * stated && slopes.error > stated / 1.6)
    }

    @Test func aQuestionThatNobodyAnsweredIsRefused() throws {
        let scores = try SparseScoreMatrix(rows: [[true, false, nil], [false, true, nil]])
        #expect(throws: CalibrationError.constantItem(2)) { try MarginalCalibration(scores) }
        #expect(throws: ScoreMatrixError.unequalRow(1)) {
            try SparseScoreMatrix(rows: [[nil], [true, nil]])
        }
    }
}

/// The distance of estimates from the truth.
private struct Recovery {
    let bias: Double
    let error: Double
    let correlation: Double

    init(_ truth: [Double], _ found: [Double]) {
        let n = Double(truth.count)
        let distances = zip(found, truth).map { $0 - $1 }
        bias = distances.reduce(0, +) / n
        error = (distances.reduce(0) { $0 + $1 * $1 } / n).squareRoot()
        let (meanTruth, meanFound) = (truth.reduce(0, +) / n, found.reduce(0, +) / n)
        let products = zip(truth, found).reduce(0) {
            $0 + ($1.0 - meanTruth) * ($1.1 - meanFound)
        }
        let truths = truth.reduce(0) { $0 + ($1 - meanTruth) * ($1 - meanTruth) }
        let founds = found.reduce(0) { $0 + ($1 - meanFound) * ($1 - meanFound) }
        correlation = products / (truths * founds).squareRoot()
    }
}

/// Answers made by a two-parameter model on 20 questions, some of them missing by chance.
private enum SparseTest {
    static func make(
        people: Int, missing: Double, seed: UInt64
    ) -> (truth: [ItemParameters], rows: [[Bool?]]) {
        var random = SeededGenerator(seed: seed)
        let truth = (0..<20).map { _ in
            ItemParameters(
                slope: .random(in: 0.6...1.8, using: &random),
                difficulty: .random(in: -1.8...1.8, using: &random))
        }
        let rows = (0..<people).map { _ in
            let ability = random.nextNormal()
            return truth.map { item -> Bool? in
                let isRight =
                    Double.random(in: 0..<1, using: &random) < item.probability(ability: ability)
                return Double.random(in: 0..<1, using: &random) < missing ? nil : isRight
            }
        }
        return (truth, rows)
    }
}

/// Questions whose slope ends at its bound, as one that stands in a bank twice.
@Suite struct SlopeBoundTests {
    @Test(arguments: 1...3) func theDifficultyFitsTheSlopeThatWasAllowed(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<400).map { _ -> [Bool] in
            // Nearly normal.
            let ability = (0..<12).reduce(-6) { sum, _ in
                sum + Double.random(in: 0..<1, using: &random)
            }
            let answers = [-0.8, -0.2, 0.3, 0.9].map { difficulty in
                Double.random(in: 0..<1, using: &random) < 1 / (1 + exp(difficulty - ability))
            }
            return [answers[0]] + answers
        }
        let items = try MarginalCalibration(ScoreMatrix(rows: rows)).items
        #expect(items[0].parameters.slope == MarginalCalibration.slopes.upperBound)
        for (item, found) in items.enumerated() {
            let facility = Double(rows.count { $0[item] }) / Double(rows.count)
            // The mean of the model over the population, by a fine grid.
            let grid = stride(from: -6.0, through: 6, by: 0.01)
            var (mean, weights) = (0.0, 0.0)
            for ability in grid {
                let weight = exp(-ability * ability / 2)
                mean += weight / (1 + exp(-found.parameters.slope * ability - found.intercept))
                weights += weight
            }
            #expect(abs(mean / weights - facility) < 0.02, "seed \(seed), question \(item)")
        }
    }
}
