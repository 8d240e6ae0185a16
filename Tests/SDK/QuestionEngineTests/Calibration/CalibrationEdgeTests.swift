import Foundation
import QuestionEngine
import TestSupport
import Testing

@Suite struct CalibrationEdgeTests {
    @Test func malformedRowsAreNamed() {
        #expect(throws: ScoreMatrixError.empty) { try ScoreMatrix(rows: []) }
        #expect(throws: ScoreMatrixError.empty) { try ScoreMatrix(rows: [[]]) }
        #expect(throws: ScoreMatrixError.unequalRow(1)) {
            try ScoreMatrix(rows: [[true], [true, false]])
        }
        #expect(throws: ScoreMatrixError.malformedFrequencies) {
            try ScoreMatrix(patterns: [[true]], frequencies: [-1])
        }
    }

    @Test func whatHasNoSolutionIsRefusedWithItsItem() throws {
        let one = try ScoreMatrix(rows: [[true, false]])
        #expect(throws: CalibrationError.tooFewPeople(1)) { try MarginalCalibration(one) }
        let single = try ScoreMatrix(rows: [[true], [false]])
        #expect(throws: CalibrationError.tooFewItems(1)) { try RaschCalibration(single) }
        let constant = try ScoreMatrix(rows: [[true, true], [false, true], [true, true]])
        #expect(throws: CalibrationError.constantItem(1)) { try MarginalCalibration(constant) }
        #expect(throws: CalibrationError.constantItem(1)) { try RaschCalibration(constant) }
        // Everybody with one right answer has the first right: no comparison fixes the distance.
        let ordered = try ScoreMatrix(rows: [
            [true, false], [true, false], [false, false], [true, true],
        ])
        #expect(throws: CalibrationError.notIdentified) { try RaschCalibration(ordered) }
    }

    @Test(arguments: 0..<8)
    func parametersAreRecovered(seed: UInt64) throws {
        let (truth, matrix) = try SimulatedTest.make(people: 3_000, items: 12, seed: seed)
        let found = try MarginalCalibration(matrix)
        for (item, expected) in zip(found.items, truth) {
            let far = abs(item.parameters.slope - expected.slope) / item.slopeError
            #expect(far < 4.5, "seed \(seed)")
            let intercept = -expected.slope * expected.difficulty
            #expect(abs(item.intercept - intercept) / item.interceptError < 4.5, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<200)
    func tinyAndOddMatricesGiveFiniteNumbersOrAnError(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let items = Int.random(in: 1...6, using: &random)
        let bias = Double.random(in: 0...1, using: &random)
        let rows = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            (0..<items).map { _ in Double.random(in: 0..<1, using: &random) < bias }
        }
        let matrix = try ScoreMatrix(rows: rows)
        let test = TestStatistics(matrix)
        let numbers =
            [test.meanScore, test.scoreVariance, test.alpha ?? 0, test.kr21 ?? 0]
            + test.totalCorrelations + test.restCorrelations
        #expect(areFinite(numbers), "seed \(seed)")
        if let found = try? MarginalCalibration(matrix) {
            let finite = found.items.allSatisfy {
                $0.intercept.isFinite && $0.slopeError.isFinite && $0.parameters.slope.isFinite
            }
            #expect(finite && found.logLikelihood.isFinite, "seed \(seed)")
        }
        if let found = try? RaschCalibration(matrix) {
            #expect(areFinite(found.difficulties + found.standardErrors), "seed \(seed)")
        }
    }

    @Test func uselessParametersDoNotMoveAnEstimate() {
        let broken = ItemParameters(slope: .nan, difficulty: 0)
        let estimate = AbilityEstimate.expectedAPosteriori([(broken, true)])
        #expect(abs(estimate.ability) < 1e-9)
        #expect(AbilityEstimate.maximumAPosteriori([(broken, false)]).ability == 0)
        let steep = ItemParameters(slope: 1e6, difficulty: 3)
        let one = AbilityEstimate.expectedAPosteriori([(steep, true), (steep, false)])
        #expect(one.ability.isFinite && one.standardError.isFinite)
    }
}

/// Answers made by a two-parameter model.
enum SimulatedTest {
    static func make(
        people: Int, items: Int, seed: UInt64
    ) throws -> (truth: [ItemParameters], matrix: ScoreMatrix) {
        var random = SeededGenerator(seed: seed)
        let truth = (0..<items).map { _ in
            ItemParameters(
                slope: .random(in: 0.6...1.8, using: &random),
                difficulty: .random(in: -1.8...1.8, using: &random))
        }
        let rows = (0..<people).map { _ in
            let ability = random.nextNormal()
            return truth.map {
                Double.random(in: 0..<1, using: &random) < $0.probability(ability: ability)
            }
        }
        return (truth, try ScoreMatrix(rows: rows))
    }
}
