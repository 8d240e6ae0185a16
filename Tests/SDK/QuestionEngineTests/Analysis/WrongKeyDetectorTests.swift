import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

@Suite struct WrongKeyDetectorTests {
    @Test func reportsRaiseTheProbabilityUpToABound() {
        let prior = WrongKeyPrior()
        #expect(isNear(prior.probability(reports: 0), 0.05, absolute: 1e-12))
        #expect(isNear(prior.probability(reports: 1), 3.0 / 22, absolute: 1e-12))
        #expect(prior.probability(reports: 50) == 0.5)
        #expect(prior.probability(reports: -3) == prior.probability(reports: 0))
        #expect(WrongKeyPrior(prevalence: .nan).prevalence == 0.05)
        #expect(WrongKeyPrior(prevalence: 7).probability(reports: 0) < 1)
    }

    @Test func aReportShiftsTheScoreByItsOdds() throws {
        let bank = try SimulatedBank(.good, people: 200, seed: 3)
        let plain = WrongKeyDetector().review(of: bank.table).findings
        let reported = WrongKeyDetector().review(of: bank.table, reports: ["q7": 2]).findings
        func score(_ list: [WrongKeyFinding]) -> Double {
            list.first { $0.id == "q7" }?.score ?? .nan
        }
        #expect(isNear(score(reported) - score(plain), log(9.0), absolute: 1e-9))
    }

    /// A bound, not the benchmark: ten banks per cell, so that a step of recall is two hundredths.
    @Test(arguments: [
        (SimulatedBank.Design.even, SimulatedBank.Quality.good, 100, 0.84, 0.76),
        (.even, .good, 300, 0.89, 0.84), (.even, .messy, 100, 0.81, 0.68),
        (.even, .messy, 300, 0.86, 0.74), (.sparse, .good, 100, 0.88, 0.65),
        (.sparse, .messy, 100, 0.84, 0.55),
    ])
    func wrongKeysAreFound(
        design: SimulatedBank.Design, quality: SimulatedBank.Quality, people: Int,
        precision: Double, recall: Double
    ) throws {
        var score = DetectorScore()
        for seed in 500..<510 {
            let bank = try SimulatedBank(
                quality, people: people, design: design, seed: UInt64(seed))
            score.add(bank, WrongKeyDetector())
        }
        #expect(score.precision >= precision, "\(score)")
        #expect(score.recall >= recall, "\(score)")
        #expect(Double(score.rightProposals) >= 0.9 * Double(score.foundWrong), "\(score)")
    }

    /// Weak and narrow groups raise few false alarms, and what is called .9 likely is true: the rule before flagged
    /// 5 to 10 % of their right keys.
    @Test(arguments: [
        SimulatedBank.Learners(mean: -1, spread: 1), .init(mean: -1.2, spread: 0.7),
        .init(mean: 0, spread: 0.4),
    ])
    func weakGroupsRaiseFewFalseAlarms(learners: SimulatedBank.Learners) throws {
        var score = DetectorScore()
        for seed in 700..<720 {
            let bank = try SimulatedBank(
                .good, items: 90, people: 100, design: .sparse, learners: learners,
                seed: UInt64(seed))
            score.add(bank, WrongKeyDetector())
        }
        #expect(score.falseAlarms <= 1.2, "\(score)")
        #expect(score.acted > 0 && score.actPrecision >= 0.9, "\(score)")
        #expect(score.undecided > 0)
    }

    @Test func fewAnswersGiveNoVerdict() throws {
        let bank = try SimulatedBank(.good, people: WrongKeyDetector.respondentsMin - 1, seed: 1)
        #expect(WrongKeyDetector().review(of: bank.table).findings.isEmpty)
    }

    @Test func anItemThatAllAnswerAlikeHasNoNaN() throws {
        let people = (0..<60).map { Int32($0) }
        let table = try ResponseMatrix(
            items: [.init(id: "same", responses: ["a", "b"], key: 0)], person: people,
            item: people.map { _ in 0 }, response: people.map { _ in 1 })
        let finding = try #require(WrongKeyDetector().review(of: table).findings.first)
        #expect(finding.score.isFinite && (0...1).contains(finding.probability))
        let statistics = ItemStatistics.all(of: table)[0]
        #expect(statistics.facility == 0 && statistics.restCorrelation == 0)
        #expect(statistics.discriminativeEfficiency == 0)
    }

    @Test func brokenTablesAreRefusedWithTheirItem() {
        func make(
            _ items: [ResponseMatrix.Item], _ person: [Int32], _ item: [Int32], _ response: [Int32]
        ) throws {
            _ = try ResponseMatrix(items: items, person: person, item: item, response: response)
        }
        let sound = ResponseMatrix.Item(id: "a", responses: ["x", "y"], key: 0)
        #expect(throws: AnswerTableError.keyOutOfRange(item: "k")) {
            try make([.init(id: "k", responses: ["x", "y"], key: 2)], [], [], [])
        }
        #expect(throws: AnswerTableError.tooFewResponses(item: "t")) {
            try make([.init(id: "t", responses: ["x"], key: 0)], [], [], [])
        }
        #expect(throws: AnswerTableError.unknownItem(row: 0)) {
            try make([sound], [0], [1], [0])
        }
        #expect(throws: AnswerTableError.unknownResponse(item: "a", row: 0)) {
            try make([sound], [0], [0], [7])
        }
        #expect(throws: AnswerTableError.malformedColumns) { try make([sound], [0], [0], []) }
        #expect(throws: AnswerTableError.malformedColumns) { try make([sound], [-1], [0], [0]) }
    }

    @Test func onlyTheFirstAnswerOfAPersonCounts() throws {
        let question = Question(
            id: "q", type: .singleChoice, difficulty: 1, stem: "?",
            options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])
        var builder = try ResponseMatrixBuilder(questions: [question, question])
        builder.add(.test("p", "q", ["b"]))
        builder.add(.test("p", "q", ["a"]))
        builder.add(.test("o", "q", ["a"], exposures: 2))
        builder.add(.test("o", "x", ["a"]))
        builder.add(.test("o", "q", ["z"]))
        builder.add(.test("o", "q", []))
        #expect(builder.repeatCount == 1 && builder.unknownCount == 1 && builder.unusableCount == 1)
        let table = try builder.table()
        #expect(table.answerCount == 1)
        #expect(ItemStatistics.all(of: table)[0].facility == 0)
    }

    @Test func aWrongKeyOfAnOrderingIsFirstInItsQueue() throws {
        var random = SeededGenerator(seed: 11)
        let options = ["a", "b", "c"].map { QuestionOption(id: $0, text: $0) }
        // The published order of "odd" is wrong; able learners answer c b a.
        let odd = Question(
            id: "odd", type: .ordering, difficulty: 1, stem: "?", options: options,
            correct: [0, 1, 2])
        let sound = (0..<20).map {
            Question(
                id: "s\($0)", type: .multiChoice, difficulty: 1, stem: "?", options: options,
                correct: [0, 2])
        }
        var builder = try ResponseMatrixBuilder(questions: [odd] + sound)
        for person in 0..<200 {
            let ability = random.nextNormal()
            func isAble() -> Bool {
                Double.random(in: 0..<1, using: &random) < 1 / (1 + exp(-ability))
            }
            let orders = [["a", "b", "c"], ["b", "a", "c"], ["c", "a", "b"]]
            let answer = isAble() ? ["c", "b", "a"] : orders.randomElement(using: &random) ?? []
            builder.add(.test("\(person)", "odd", .options(answer)))
            for question in sound {
                let answer =
                    isAble()
                    ? ["c", "a"] : [["a"], ["b"], ["a", "b"]].randomElement(using: &random) ?? []
                builder.add(.test("\(person)", question.id, .options(answer)))
            }
        }
        let queue = KeyReviewQueue(try builder.table())
        #expect(queue.entries.map(\.id) == ["odd"])
        #expect(queue.entries.first?.proposedAnswer == "c b a")
    }
}
