import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

/// Values that a store, a file or a broken clock may bring.
@Suite struct RobustnessTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [
        (0.0, 5.0), (-3, 5), (.infinity, 5), (.nan, 5), (3, .nan), (3, 0), (3, .infinity),
        (.leastNonzeroMagnitude, -.infinity), (.greatestFiniteMagnitude, 10),
    ])
    func aStoredMemoryThatNoReviewGivesEndsNothing(stability: Double, difficulty: Double) throws {
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let card = CardSchedule(
            phase: .review, step: 7,
            memory: MemoryState(stability: stability, difficulty: difficulty),
            lastReview: now - 86_400 * 30, due: now)
        for rating in Rating.allCases {
            let next = scheduler.schedule(card, after: rating, at: now)
            let memory = try #require(next.memory)
            #expect(memory.stability > 0 && memory.stability.isFinite)
            #expect((1...10).contains(memory.difficulty))
            let due = try #require(next.due)
            #expect(due > now && due <= now + 86_400 * 36_500)
        }
        #expect((0...1).contains(scheduler.retrievability(of: card, at: now)))
        #expect(scheduler.intervalDays(stability: stability) >= 1)
    }

    @Test func numbersOfPeopleDoNotSizeMemory() throws {
        let people: [Int32] = [.max, 7, .max - 1, 7]
        let items = [AnswerTable.Item(id: "q", responses: ["a", "b"], key: 0)]
        let table = try AnswerTable(
            items: items, person: people, item: [0, 0, 0, 0], response: [0, 1, 0, 0])
        let plain = try AnswerTable(
            items: items, person: [2, 0, 1, 0], item: [0, 0, 0, 0], response: [0, 1, 0, 0])

        #expect(table.personCount == 3 && table.answerCount == 3)
        #expect(ItemStatistics.all(of: table) == ItemStatistics.all(of: plain))
    }

    @Test func resultsParametersAndGradesAreCodable() throws {
        func copy<Value: Codable & Equatable>(_ value: Value) throws -> Bool {
            try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value)) == value
        }
        let question = makeQuestion(.multiChoice, [0, 2])
        let grade = try Grading.grade(["a"], to: question)
        #expect(try copy(grade))
        var random = SeededRandom(seed: 1)
        let session = StudySession(
            id: "s", mode: .exam,
            entries: [.init(question, contentVersion: "v", exposuresBefore: 0)], timeLimit: 60,
            now: now, using: &random)
        #expect(try copy(SessionResult(session, passFraction: 0.5)))
        #expect(
            try JSONDecoder().decode(StudySession.self, from: JSONEncoder().encode(session))
                .timeLimit == 60)
        #expect(try copy(FSRSParameters.standard))
        #expect(try copy(ReviewScheduler.Settings.rightOrWrong))
        #expect(try copy(DueQueue.Limits()))
        let bank = try SimulatedBank(.good, items: 6, people: 60, seed: 2).table
        #expect(try copy(ItemStatistics.all(of: bank)))
        #expect(try copy(WrongKeyDetector().review(of: bank)))
    }

    @Test(arguments: [
        #"{"slope": 0, "difficulty": 1}"#, #"{"slope": -1, "difficulty": 1}"#,
        #"{"slope": "Infinity", "difficulty": 1}"#, #"{"slope": 1, "difficulty": "NaN"}"#,
    ])
    func parametersThatAreNoneAreRefused(text: String) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        #expect(throws: DecodingError.self) {
            try decoder.decode(ItemParameters.self, from: Data(text.utf8))
        }
    }

    @Test func parametersOfSchedulingOutOfBoundsAreRefused() throws {
        for list in ["[1]", "[]", String(describing: Array(repeating: 1000.0, count: 21))] {
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(FSRSParameters.self, from: Data(list.utf8))
            }
        }
    }
}
