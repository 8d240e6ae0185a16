import Foundation
import StudyModel
import TestSupport
import Testing
import Underway
import UnderwayTesting

/// What the app says after an answer is what it asks later: random evenings, zones, pauses, undos and answers.
@Suite struct PromisedDayTests {
    /// `UNDERWAY_PROMISED_SEEDS` plays more of them.
    private static let seedsMax = TestRun.count("UNDERWAY_PROMISED_SEEDS", orElse: UInt64(3))

    @Test(arguments: 1...seedsMax)
    func whatIsAskedIsWhatWasPromisedAndCounted(seed: UInt64) async throws {
        var learner = try PromisedLearner(seed: seed)
        for _ in 0..<12 {
            learner.sleep()
            try await learner.evening()
        }
        #expect(learner.reviewCount > 40, "seed \(seed)")
    }
}

/// A learner who notes what the app promises, and holds each evening against the notes.
private struct PromisedLearner {
    private static let zones = ["GMT", "Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles"]
    private static let newPerDay = 5

    private let fixture: ProgressFixture
    private var random: SeededRandom
    private var services: StudyServices
    /// The learner's day on which each question is asked again; `nil` for one whose step of minutes is open.
    private var promised: [String: LearningDay?] = [:]
    private var aside: Set<String> = []
    /// The number of questions that were first asked on a day.
    private var begun: [LearningDay: Int] = [:]
    private(set) var reviewCount = 0

    init(seed: UInt64) throws {
        fixture = try ProgressFixture(blueprints: [.rules(questions: 41)])
        random = SeededRandom(seed: seed)
        services = fixture.services
        var fields = LearningFields()
        fields.newPerDay = Self.newPerDay
        fields.lapseLimit = 3
        fields.rolloverHour = Int.random(in: 0...23, using: &random)
        try fixture.userData.put(fields, id: LearningFields.allBanks)
    }

    /// Comes again after 40 minutes to four days, at times in another zone.
    mutating func sleep() {
        let minutes = Int.random(in: 40...(chance(0.3) ? 600 : 5_760), using: &random)
        fixture.clock.advance(by: .seconds(60 * minutes))
        if chance(0.2), let zone = Self.zones.randomElement(using: &random) {
            services.calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        }
    }

    private mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < share
    }

    /// Studies until nothing is due.
    mutating func evening() async throws {
        let today = try await services.learningToday()
        let due = Set(promised.filter { $0.value.map { $0 <= today } ?? true }.keys)
            .subtracting(aside)
        let new = min(
            max(0, Self.newPerDay - begun[today, default: 0]), 40 - promised.count)
        let counted = try await counts()
        // Before the first answer Today lets the learner choose, and counts nothing.
        if !promised.isEmpty {
            #expect(counted.reviews == due.count && counted.new == new, "day \(today.date)")
        }
        let known = Set(promised.keys)
        let asked = try await study(on: today)
        #expect(asked.intersection(known) == due, "day \(today.date)")
        #expect(asked.subtracting(known).count == new, "day \(today.date)")
        reviewCount += due.count
        try await verify()
    }

    /// Returns what Today says.
    private func counts() async throws -> (reviews: Int, new: Int) {
        let model = await TodayModel(services)
        await model.load()
        if let problem = await model.problem { throw problem }
        let row = await model.screen?.due.first
        return ((row?.count ?? 0) - (row?.newCount ?? 0), row?.newCount ?? 0)
    }

    /// Takes sessions until nothing is due, and returns what they asked.
    private mutating func study(on today: LearningDay) async throws -> Set<String> {
        var asked: Set<String> = []
        while true {
            let id: String
            do {
                id = try await SessionStart(services).begin(ProgressFixture.bank, .study)
            } catch let problem as StudyProblem where problem.code == .nothingToAsk {
                return asked
            }
            let model = await SessionModel(services, id: id)
            await model.load()
            while let screen = await model.screen, await !model.isOver {
                let question = screen.question.id
                if promised[question] == nil { begun[today, default: 0] += 1 }
                asked.insert(question)
                try await answer(screen, model, on: today)
                await model.load()
            }
        }
    }

    /// Answers, at times twice with an undo between, and notes what the screen says.
    private mutating func answer(
        _ screen: SessionScreen, _ model: SessionModel, on today: LearningDay
    ) async throws {
        var (screen, isUndone) = (screen, chance(0.1))
        while true {
            let question = screen.question.id
            fixture.clock.advance(by: .seconds(3))
            await model.answer([chance(0.75) ? "a" : "b"], at: screen.index, of: question)
            if let problem = await model.problem { throw problem }
            let verdict = try #require(await model.screen?.verdict)
            switch try #require(verdict.next) {
            case .days(let count): promised[question] = .some(today + count)
            case .minutes: promised[question] = .some(nil)
            }
            if verdict.setAside == nil { aside.remove(question) } else { aside.insert(question) }
            guard isUndone, let key = await model.screen?.undoKey else { return }
            isUndone = false
            await model.undo(key)
            if let problem = await model.problem { throw problem }
            screen = try #require(await model.screen)
            #expect(screen.question.id == question && screen.verdict == nil)
        }
    }

    /// Holds the stored schedules and counts against a replay of all answers.
    private func verify() async throws {
        let scheduler = try fixture.userData.scheduler(of: ProgressFixture.bank)
        let check = try fixture.userData.verifySchedules(
            of: ProgressFixture.bank, by: scheduler, now: fixture.now)
        #expect(check.differences == [])
    }
}

extension StudyServices {
    /// The learner's day, by the rollover hour that the learner set.
    fileprivate func learningToday() async throws -> LearningDay {
        let hour = try await userData.perform { try $0.learningSettings().rolloverHour }
        return LearningClock(rolloverHour: hour, timeZone: calendar.timeZone).day(of: clock())
    }
}
