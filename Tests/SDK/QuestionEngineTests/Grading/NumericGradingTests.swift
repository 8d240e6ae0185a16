import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

@Suite struct NumericGradingTests {
    private func question(_ notation: String, unit: String? = nil) throws -> Question {
        var key = try #require(NumericKey(notation: notation))
        key.unit = unit
        return Question(
            id: "n", type: .numericEntry, difficulty: 1, stem: "?", key: .number(key),
            explanation: "because")
    }

    private func number(_ text: String) throws -> QuestionResponse {
        .number(try #require(DecimalNumber(text)))
    }

    @Test func aNumberIsWorthAllOrThePenalty() throws {
        let question = try question("0.3:0.1", unit: "V")
        let policy = ScoringPolicy(
            choice: .perOption, order: .exactPosition, penalty: 0.25, timeLimit: 10)
        let right = try Grading.grade(number("0.4"), to: question, policy: policy)
        #expect(right.isCorrect && right.credit == 1 && right.correctNumber?.text == "0.3 ± 0.1 V")
        #expect(right.explanation == "because" && right.options.isEmpty)
        #expect(try Grading.grade(number("0.41"), to: question, policy: policy).credit == -0.25)
        #expect(try Grading.grade([], to: question, policy: policy).credit == 0)
        let late = try Grading.grade(number("0.3"), to: question, policy: policy, timeTaken: 11)
        #expect(late.isLate && late.isCorrect && late.credit == 0)
    }

    @Test func aResponseOfAnotherKindIsNotGraded() throws {
        let numeric = try question("1")
        let choice = makeQuestion(.singleChoice, [0])
        for response in [["a"], .unknown(["#drawing", "x"])] as [QuestionResponse] {
            #expect(throws: GradingError.wrongKind(question: "n")) {
                try Grading.grade(response, to: numeric)
            }
            #expect(!Grading.isCorrect(response, to: numeric))
        }
        #expect(throws: GradingError.wrongKind(question: "q")) {
            try Grading.grade(.number(1), to: choice)
        }
        #expect(!Grading.isCorrect(.number(1), to: choice))
        var broken = numeric
        broken.key = .options([0])
        #expect(throws: GradingError.brokenKey(question: "n")) {
            try Grading.grade(["a"], to: broken)
        }
    }

    @Test func aSessionKeepsNumbersAndReadsThoseOfEarlierVersions() throws {
        let numeric = try question("9.81:0.01")
        let choice = makeQuestion(.multiChoice, [0, 2])
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        var random = SeededGenerator(seed: 1)
        var session = StudySession(
            id: "s", mode: .study,
            entries: [
                .init(numeric, contentVersion: "v", exposuresBefore: 0),
                .init(choice, contentVersion: "v", exposuresBefore: 0),
            ],
            now: start, using: &random)
        #expect(session.current?.optionOrder == [])
        try session.answer(number("9.80"), to: numeric, now: start)
        try session.answer(["a", "c"], to: choice, now: start)
        #expect(try session.records.map(\.response) == [number("9.8"), ["a", "c"]])
        let data = try JSONEncoder().encode(session)
        #expect(try JSONDecoder().decode(StudySession.self, from: data) == session)
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.contains("\"response\":[\"a\",\"c\"]"))
        #expect(text.contains("\"response\":[\"#number\",\"9.8\"]"))
        let records = try JSONEncoder().encode(session.records)
        #expect(try JSONDecoder().decode([AnswerRecord].self, from: records) == session.records)
    }

    @Test func aCorrectedKeyRegradesNumbersAndLeavesUnknownKindsAlone() throws {
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        var random = SeededGenerator(seed: 1)
        var session = StudySession(
            id: "s", mode: .study,
            entries: [.init(try question("9.81"), contentVersion: "v", exposuresBefore: 0)],
            now: start, using: &random)
        try session.answer(number("9.8"), to: question("9.81"), now: start)
        let record = try #require(session.records.first)
        #expect(!record.isCorrect)
        #expect(record.regraded(against: try question("9.8..9.9")).isCorrect)
        var later = record
        later.response = .unknown(["#drawing", "x"])
        #expect(later.regraded(against: try question("9.8..9.9")) == later)
    }

    // MARK: Analysis

    @Test func itemAnalysisTakesANumberAsRightOrWrong() throws {
        var builder = try ResponseMatrixBuilder(questions: [try question("10:1")])
        for (person, text) in ["9", "10.5", "11.0", "12", "12.0", "13"].enumerated() {
            builder.add(.test("\(person)", "n", try number(text)))
        }
        builder.add(.test("x", "n", ["a"]))
        builder.add(.test("y", "n", .unknown(["#drawing"])))
        builder.add(.test("z", "n", []))
        #expect(builder.unusableCount == 2)
        let table = try builder.table()
        #expect(table.answerCount == 6 && table.items[0].responses == ["10:1", "12", "13"])
        let statistics = ItemStatistics.all(of: table)[0]
        #expect(statistics.facility == 0.5)
        let counts = statistics.responses.map { Int((6 * $0.share).rounded()) }
        #expect(counts == [3, 2, 1])
    }

    /// The fitted detector covers only questions with options; the review queue proposes the most
    /// telling wrong value.
    @Test func aWrongNumberIsProposedInTheReviewQueue() throws {
        var random = SeededGenerator(seed: 5)
        let sound = (0..<20).map { makeQuestion(.singleChoice, [0], id: "s\($0)") }
        // The published 314 should be 3.14.
        let odd = try question("314:1")
        var builder = try ResponseMatrixBuilder(questions: [odd] + sound)
        for person in 0..<200 {
            let ability = random.nextNormal()
            func isAble() -> Bool {
                Double.random(in: 0..<1, using: &random) < 1 / (1 + exp(-ability))
            }
            let guesses = ["314", "3.1", "6.28", "31.4"]
            let text = isAble() ? "3.14" : guesses.randomElement(using: &random) ?? ""
            builder.add(.test("\(person)", "n", try number(text)))
            for question in sound {
                builder.add(.test("\(person)", question.id, isAble() ? ["a"] : ["b"]))
            }
        }
        let table = try builder.table()
        #expect(KeyReviewQueue(table).entries.map(\.id) == ["n"])
        #expect(KeyReviewQueue(table).entries.first?.proposedAnswer == "3.14")
        #expect(!WrongKeyDetector().review(of: table).findings.map(\.id).contains("n"))
    }
}
