import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

/// Values that a store, a file or a broken clock may bring.
@Suite struct RobustnessTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private var today: LearningDay { LearningClock().day(of: now) }

    @Test(arguments: [
        (0.0, 5.0), (-3, 5), (.infinity, 5), (.nan, 5), (3, .nan), (3, 0), (3, .infinity),
        (.leastNonzeroMagnitude, -.infinity), (.greatestFiniteMagnitude, 10),
    ])
    func aStoredMemoryThatNoReviewGivesEndsNothing(stability: Double, difficulty: Double) throws {
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let card = CardSchedule(
            phase: .review, step: 7,
            memory: MemoryState(stability: stability, difficulty: difficulty),
            lastReview: now - 86_400 * 30, lastDay: today + -30, dueDay: today)
        for rating in Rating.allCases {
            let next = scheduler.schedule(card, after: rating, at: now)
            let memory = try #require(next.memory)
            #expect(memory.stability > 0 && memory.stability.isFinite)
            #expect((1...10).contains(memory.difficulty))
            let due = try #require(next.nextDay)
            #expect(due >= today && due - today <= 36_500)
        }
        #expect((0...1).contains(scheduler.retrievability(of: card, on: today)))
        #expect(scheduler.intervalDays(stability: stability) >= 1)
    }

    @Test func numbersOfPeopleDoNotSizeMemory() throws {
        let people: [Int32] = [.max, 7, .max - 1, 7]
        let items = [ResponseMatrix.Item(id: "q", responses: ["a", "b"], key: 0)]
        let table = try ResponseMatrix(
            items: items, person: people, item: [0, 0, 0, 0], response: [0, 1, 0, 0])
        let plain = try ResponseMatrix(
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

    // MARK: Numbers and dates of the caller

    private static func bank(_ count: Int) -> Blueprint {
        Blueprint(
            kind: .exam, id: "int/swift", title: "Swift", version: "1",
            questions: (1...count).map { makeQuestion(.singleChoice, [0], id: "q\($0)") })
    }

    @Test(arguments: [Int.min, -1, 0, 1, .max], [SessionMode.placement, .exam, .study])
    func aLimitOfQuestionsIsAnyNumber(limit: Int, mode: SessionMode) throws {
        let blueprint = Self.bank(3)
        for deadline in [nil, LearningClock().day(of: now) + 5] {
            var random = SeededRandom(seed: 1)
            let plan = StudyPlan(
                blueprint,
                StudyPlan.Request(
                    mode: mode, questionsMax: limit, deadline: mode == .study ? deadline : nil),
                scheduler: try ReviewScheduler(.rightOrWrong), now: now, using: &random)
            #expect(plan.entries.count <= min(max(0, limit), 3))
            #expect(limit > 0 || plan.entries.isEmpty)
        }
    }

    @Test(arguments: [Int.min, -1, .max])
    func limitsOfADayAreAnyNumbers(number: Int) throws {
        var limits = DueQueue.Limits()
        (limits.newCards, limits.reviews) = (number, number)
        for used in [Int.min, 0, .max] {
            let queue = DueQueue(
                [(id: "q1", schedule: .new)], scheduler: try ReviewScheduler(.rightOrWrong),
                limits: limits, used: DueQueue.Usage(newCards: used, reviews: used), now: now)
            #expect(queue.cards.count == (number > 0 && used <= 0 ? 1 : 0))
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func aTimeThatNoClockShowsEndsNothing(seconds: Double) throws {
        let broken = Date(timeIntervalSinceReferenceDate: seconds)
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let blueprint = Self.bank(1)
        for (time, deadline) in [(broken, now), (now, broken), (broken, broken)] {
            var random = SeededRandom(seed: 1)
            let card = scheduler.replay([Review(.good, at: time)], now: deadline)
            let plan = StudyPlan(
                blueprint,
                StudyPlan.Request(
                    mode: .study, cards: ["q1": .init(schedule: card, answerCount: 1)],
                    deadline: LearningClock().day(of: deadline)),
                scheduler: scheduler, now: time, using: &random)
            #expect(plan.forecast != nil)
            #expect(
                (0...1).contains(
                    scheduler.retrievability(of: card, on: Review(.good, at: time).day())))
        }
    }

    @Test func otherNumbersOfTheCallerEndNothing() throws {
        var settings = AdaptivePlacement.Settings()
        settings.choiceAmong = -1
        let test = AdaptivePlacement(
            items: [.init(id: "q1", parameters: ItemParameters(label: 1))],
            levels: AbilityLevels(labels: [1: "A1"]), settings: settings)
        var random = SeededRandom(seed: 1)
        #expect(test.next(using: &random)?.id == "q1")
        var card = DeadlinePlanner.Card(
            id: "q1", memory: MemoryState(stability: 1, difficulty: 5), daysSinceReview: .max)
        for days in [Int.min, .max] {
            card.daysSinceReview = days
            let plan = DeadlinePlanner().plan([card], daysToExam: days, reviewsPerDay: days)
            #expect(plan.expectedMarks >= 0)
        }
    }
}
