import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import Testing

/// The counts of days and domains, each stated by hand.
@Suite struct ProgressTests {
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let other = QuestionFilter.Bank.placement(language: "es")
    private let start = Date(timeIntervalSince1970: 1_790_000_000)
    private let store: UserStore

    init() throws { store = try UserStore.inMemory() }

    private func answer(
        _ question: String, _ domain: String? = nil, isCorrect: Bool = true, day: Int = 0,
        second: Double = 0, in bank: QuestionFilter.Bank? = nil
    ) throws {
        let record = AnswerRecord(
            sessionID: "s", questionID: question, domain: domain, contentVersion: "v",
            response: ["a"], isCorrect: isCorrect, credit: 1, timeTaken: 1, exposuresBefore: 0,
            mode: .study, isRandomlySelected: false,
            date: start.addingTimeInterval(Double(day) * 86_400 + second))
        try store.add([record], to: bank ?? self.bank, now: start)
    }

    private struct Counts: Equatable {
        var answers, correct, questions: Int

        init(_ answers: Int, _ correct: Int, _ questions: Int) {
            (self.answers, self.correct, self.questions) = (answers, correct, questions)
        }

        init(_ progress: UserStore.Progress) {
            self.init(progress.answers, progress.correct, progress.questions)
        }
    }

    @Test func aStoreWithoutAnswersHasNoProgress() throws {
        #expect(try store.progressByDay().isEmpty && store.progressByDomain().isEmpty)
        #expect(try store.usage(on: LearningClock().day(of: start), in: bank) == DueQueue.Usage())
        let scheduler = try ReviewScheduler(.rightOrWrong)
        #expect(try store.schedules(of: bank, by: scheduler, now: start).isEmpty)
    }

    @Test func daysAreListedFromTheNewest() throws {
        // In the order of arrival, not of time.
        for day in [4, 0, 8] { try answer("q", isCorrect: day > 0, day: day) }
        let days = try store.progressByDay()
        #expect(days.map(\.name) == days.map(\.name).sorted(by: >) && days.count == 3)
        #expect(days.map(\.correct) == [1, 1, 0])
        #expect(days.allSatisfy { $0.bank == nil })
        #expect(try store.progressByDay(limit: 2) == Array(days.prefix(2)))
        #expect(try store.progressByDay(limit: 0).isEmpty)
    }

    @Test func aQuestionCountsOnceADayAndOnceABank() throws {
        try answer("q")
        try answer("q", isCorrect: false, second: 0.5)
        try answer("q", second: 0.25)
        try answer("q", in: other)
        try answer("r", isCorrect: false)
        #expect(try store.progressByDay().map(Counts.init) == [Counts(5, 3, 3)])
        try answer("q", day: 3)
        #expect(try store.progressByDay().map(Counts.init) == [Counts(1, 1, 1), Counts(5, 3, 3)])
    }

    @Test func domainsAreListedByBankAndName() throws {
        try answer("q1", "net", in: other)
        try answer("q1", "net")
        try answer("q2", "net", isCorrect: false)
        try answer("q1", "net", second: 1)
        try answer("q3")
        try answer("q4", "data")
        let domains = try store.progressByDomain()
        #expect(domains.map(\.bank) == ["es", "int/swift", "int/swift", "int/swift"])
        #expect(domains.map(\.name) == ["net", "", "data", "net"])
        #expect(
            domains.map(Counts.init)
                == [Counts(1, 1, 1), Counts(1, 1, 1), Counts(1, 1, 1), Counts(3, 2, 2)])
    }

    /// A release moved the question to another domain: each answer counts where it was given.
    @Test func aQuestionThatMovedCountsInBothDomains() throws {
        try answer("q", "old")
        try answer("q", "new", day: 1)
        try answer("q", "new", day: 2)
        let domains = try store.progressByDomain()
        #expect(domains.map(\.name) == ["new", "old"])
        #expect(domains.map(Counts.init) == [Counts(2, 2, 1), Counts(1, 1, 1)])
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let studied = try store.schedules(of: bank, by: scheduler, now: start)
        #expect(studied.mapValues(\.answerCount) == ["q": 3])
    }

    @Test func aCardIsNewOnTheDayOfItsFirstAnswerAlone() throws {
        let today = LearningClock().day(of: start)
        try answer("q")
        try answer("q", second: 10)
        try answer("r", in: other)
        #expect(try store.usage(on: today, in: bank) == DueQueue.Usage(newCards: 1, reviews: 0))
        #expect(try store.usage(on: today + 1, in: bank) == DueQueue.Usage())
        try answer("q", day: 1)
        #expect(
            try store.usage(on: today + 1, in: bank) == DueQueue.Usage(newCards: 0, reviews: 1))
        #expect(try store.usage(on: today, in: bank) == DueQueue.Usage(newCards: 1, reviews: 0))
    }

    @Test func aClockThatWasAheadCountsAsNow() throws {
        try answer("q", day: 30)
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let schedule = try #require(
            try store.schedules(of: bank, by: scheduler, now: start)["q"]?.schedule)
        #expect(schedule.lastReview == start)
        let later = start.addingTimeInterval(60 * 86_400)
        let after = try store.schedules(of: bank, by: scheduler, now: later)["q"]?.schedule
        #expect(after?.lastReview == start.addingTimeInterval(30 * 86_400))
    }

    @Test func progressOfUsersIsApartAndBroughtTogether() throws {
        try store.switchUser(to: "ada", bringing: .nothing, now: start)
        try answer("q", "net")
        try store.signOut(erasing: false)
        try answer("q", "net", isCorrect: false, second: 1)
        #expect(try store.progressByDomain().map(Counts.init) == [Counts(1, 0, 1)])
        try store.switchUser(to: "ada", bringing: .everything, now: start)
        #expect(try store.progressByDomain().map(Counts.init) == [Counts(2, 1, 1)])
        #expect(try store.progressByDay().map(Counts.init) == [Counts(2, 1, 1)])
    }
}
