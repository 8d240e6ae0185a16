import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing

/// The documented study session with a learner who has a history.
@Suite struct SecondDayTests {
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "harbour")
    private let morning = Date(timeIntervalSince1970: 1_790_000_000)

    private func blueprint(retired: Set<String> = []) -> Blueprint {
        Blueprint(
            kind: .exam, id: "int/harbour", title: "Harbour", version: "1",
            questions: (1...8).map { number in
                var question = makeQuestion(.singleChoice, [0], id: "q\(number)")
                question.isRetired = retired.contains(question.id)
                return question
            })
    }

    /// Plans as docs/app-developers.md does.
    private func plan(
        _ blueprint: Blueprint, _ store: UserStore, now: Date
    ) throws -> StudyPlan {
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let studied = try store.schedules(of: bank, by: scheduler, now: now)
        let cards = studied.mapValues {
            StudyPlan.Card(schedule: $0.schedule, answerCount: $0.answerCount)
        }
        var chance = SystemRandomNumberGenerator()
        return StudyPlan(
            blueprint, StudyPlan.Request(mode: .study, cards: cards), scheduler: scheduler,
            now: now, using: &chance)
    }

    private func study(
        _ ids: [String], wrong: Set<String>, _ store: UserStore, id: String, now: Date
    ) throws {
        var chance = SystemRandomNumberGenerator()
        let blueprint = blueprint()
        let entries = try plan(blueprint, store, now: now).entries.filter { ids.contains($0.id) }
        var session = StudySession(
            id: id, mode: .study, entries: entries, now: now, using: &chance)
        while let item = session.current,
            let question = blueprint.questions.first(where: { $0.id == item.questionID })
        {
            let right = question.options[question.correct[0]].id
            let other = question.options[1].id
            try session.answer(
                [wrong.contains(question.id) ? other : right], to: question, now: now)
            try store.save(session, of: bank)
        }
        session.finish(now: now)
        try store.save(session, of: bank)
    }

    @Test func theSecondDayAsksWhatIsMostUrgentAndNothingRetired() throws {
        let store = try UserStore.inMemory()
        let day: TimeInterval = 86_400
        try study(
            ["q1", "q2", "q3", "q4"], wrong: ["q3"], store, id: "one", now: morning)
        // q2 and q4 were right twice, so they are remembered for longer.
        try study(["q2", "q4"], wrong: [], store, id: "two", now: morning + 3 * day)

        let tomorrow = morning + 4 * day
        let plan = try plan(blueprint(retired: ["q1", "q8"]), store, now: tomorrow)
        #expect(plan.entries.map(\.id) == ["q3", "q5", "q6", "q7"])
        #expect(plan.entries.map(\.exposuresBefore) == [1, 0, 0, 0])

        let all = try self.plan(blueprint(), store, now: morning + 400 * day)
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let studied = try store.schedules(of: bank, by: scheduler, now: morning + 400 * day)
        let seen = all.entries.filter { $0.exposuresBefore > 0 }
        let recall = seen.map {
            scheduler.retrievability(
                of: studied[$0.id]?.schedule ?? .new, at: morning + 400 * day)
        }
        #expect(seen.count == 4 && recall == recall.sorted())
        #expect(all.entries.prefix(4).map(\.id) == seen.map(\.id))
        #expect(
            Dictionary(uniqueKeysWithValues: seen.map { ($0.id, $0.exposuresBefore) })
                == ["q1": 1, "q2": 2, "q3": 1, "q4": 2])
    }

    @Test func aFuzzedScheduleIsTheSameOnEachReading() throws {
        let store = try UserStore.inMemory()
        let ids = (1...8).map { "q\($0)" }
        for number in 0..<4 {
            try study(
                ids, wrong: [], store, id: "s\(number)",
                now: morning + Double(number * number * 12) * 86_400)
        }
        let settings = ReviewScheduler.Settings(
            learningSteps: [], relearningSteps: [], hasFuzz: true)
        let fuzzy = try ReviewScheduler(settings)
        let now = morning + 108 * 86_400
        let first = try store.schedules(of: bank, by: fuzzy, now: now)
        let plain = try store.schedules(of: bank, by: try ReviewScheduler(.rightOrWrong), now: now)
        #expect(try store.schedules(of: bank, by: fuzzy, now: now) == first)
        #expect(Set(plain.values.map(\.schedule.due)).count == 1)
        #expect(Set(first.values.map(\.schedule.due)).count > 3)
        #expect(try store.verifySchedules(of: bank, by: fuzzy, now: now).differences == [])
    }
}
