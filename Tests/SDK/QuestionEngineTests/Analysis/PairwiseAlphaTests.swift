import Foundation
import QuestionEngine
import TestSupport
import Testing

@Suite struct PairwiseAlphaTests {
    private func answers(people: Int, items: Int, missing: Double, seed: UInt64) -> [[Bool?]] {
        var random = SeededGenerator(seed: seed)
        return (0..<people).map { _ in
            let ability = random.nextNormal()
            return (0..<items).map { item in
                let p = 1 / (1 + exp(-1.2 * (ability - Double(item % 5 - 2) / 2)))
                let isRight = Double.random(in: 0..<1, using: &random) < p
                return Double.random(in: 0..<1, using: &random) < missing ? nil : isRight
            }
        }
    }

    @Test func completeAnswersGiveTheAlphaOfTheTest() throws {
        let rows = answers(people: 300, items: 12, missing: 0, seed: 7)
        let found = try #require(PairwiseAlpha(SparseScoreMatrix(rows: rows)))
        let statistics = TestStatistics(try ScoreMatrix(rows: rows.map { $0.map { $0 ?? false } }))
        #expect(isNear(found.value, try #require(statistics.alpha), absolute: 1e-12))
        #expect(found.peopleCount == 300)
    }

    @Test(arguments: [0.3, 0.5, 0.7])
    func missingAnswersAreNoWrongOnes(missing: Double) throws {
        let seed: UInt64 = 11
        let whole = answers(people: 4_000, items: 20, missing: 0, seed: seed)
        let truth = try #require(PairwiseAlpha(SparseScoreMatrix(rows: whole))?.value)
        let rows = answers(people: 4_000, items: 20, missing: missing, seed: seed)
        let found = try #require(PairwiseAlpha(SparseScoreMatrix(rows: rows)))
        let zeros = TestStatistics(try ScoreMatrix(rows: rows.map { $0.map { $0 ?? false } }))
        let wrong = try #require(zeros.alpha)
        print("seed \(seed), missing \(missing): \(truth) whole, \(found), \(wrong) with zeros")
        #expect(abs(found.value - truth) < 0.02)
        #expect(abs(wrong - truth) > 0.05)
        #expect(found.peopleCount < 4_000)
    }

    @Test func pairsThatFewAnsweredGiveNoAlpha() throws {
        var rows = answers(people: 200, items: 5, missing: 0, seed: 3)
        for person in 25..<200 { rows[person][person % 2] = nil }
        let scores = try SparseScoreMatrix(rows: rows)
        #expect(PairwiseAlpha(scores) == nil)
        #expect(PairwiseAlpha(scores, peopleMin: 25)?.peopleCount == 25)
        #expect(PairwiseAlpha(try SparseScoreMatrix(rows: [[true], [false]])) == nil)
        #expect(
            PairwiseAlpha(
                try SparseScoreMatrix(rows: [[true, true], [true, true]]), peopleMin: 2)
                == nil)
    }

    @Test func aSparseReportCalibratesWhatHasEnoughAnswers() throws {
        let bank = try SimulatedBank(
            .good, items: 40, people: 900, design: .sparse, learners: .init(), seed: 4)
        let report = AnswerReport(
            CountedAnswers(
                table: bank.table, rowCount: bank.table.answerCount, repeatCount: 0, unknownCount: 0
            ))
        #expect(bank.table.completeScores() == nil)
        #expect(report.items.count { $0.slope != nil } > 30)
        #expect(try #require(report.alphaPeople) >= 30 && report.text.contains("people or more"))
    }
}
