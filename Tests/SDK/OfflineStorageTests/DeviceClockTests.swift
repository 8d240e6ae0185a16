import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import ServiceAPI
import TestSupport
import Testing
import UserData

/// Answers of a device whose clock was wrong.
@Suite struct DeviceClockTests {
    private let folder: TemporaryFolder
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    /// 2027-01-15 08:00 in UTC.
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let day = 86_400.0
    private let question = Question(
        id: "q1", type: .singleChoice, difficulty: 1, stem: "?",
        options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> UserStore { try UserStore(folder: folder.url) }

    /// Answers the question in a session of its own, as the clock of the device shows.
    @discardableResult
    private func answer(
        _ option: String, at clock: Date, in store: UserStore
    ) throws -> StudySession {
        var random = SeededGenerator(seed: 1)
        var session = StudySession(
            id: UUID().uuidString, mode: .study,
            entries: [.init(question, contentVersion: "v1", exposuresBefore: 0)], now: clock,
            using: &random)
        _ = try session.answer([option], to: question, now: clock)
        try store.save(session, of: bank, now: clock)
        return session
    }

    private func schedule(_ store: UserStore, at moment: Date) throws -> CardSchedule {
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let check = try store.verifySchedules(of: bank, by: scheduler, now: moment)
        #expect(check.differences == [])
        let studied = try store.schedules(of: bank, by: scheduler, now: moment)
        return try #require(studied["q1"]?.schedule)
    }

    private func isDue(_ schedule: CardSchedule, at moment: Date) -> Bool {
        schedule.isDue(now: moment, today: LearningClock().day(of: moment))
    }

    // MARK: A clock that was ahead

    @Test(arguments: [3_600.0, 86_400, 31_536_000])
    func aWrongAnswerOfAClockAheadIsNotAskedForEver(ahead: Double) throws {
        let store = try open()
        try answer("b", at: now + ahead, in: store)
        #expect(try schedule(store, at: now + 600).phase == .learning)
        try answer("a", at: now + 600, in: store)
        let known = try schedule(store, at: now + 1_300)
        #expect(known.phase == .review && !isDue(known, at: now + 1_300))
        #expect(known.lastReview == now + 600)
        let today = LearningClock().day(of: now + 600)
        #expect(known.dueDay.map { $0 > today } == true)
        #expect(try store.progressByDay().map(\.name) == [today.date])
        #expect(try store.usage(on: today, in: bank) == DueQueue.Usage(newCards: 1))
        let again = try schedule(open(), at: now + 1_300)
        #expect(again == known, "a store that is opened again")
    }

    @Test func aRightAnswerOfAClockAheadComesBackWhenItIsDue() throws {
        let store = try open()
        try answer("a", at: now + 365 * day, in: store)
        try answer("a", at: now + 60, in: store)
        let known = try schedule(store, at: now + 60)
        #expect(known.lastDay == LearningClock().day(of: now))
        #expect(isDue(known, at: now + 30 * day))
    }

    @Test func theClockOfAnotherDeviceIsCorrectedByItsOwnAnswers() throws {
        let store = try open()
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        var other = OtherDevices(["aa"], start: now, questions: 1)
        func row(_ clock: Date, isCorrect: Bool) -> AnswerRow {
            AnswerRow(
                bank: bank.name, session: "s\(clock.timeIntervalSince1970)", question: "q1",
                options: [isCorrect ? "a" : "b"], isCorrect: isCorrect, takenMilliseconds: 1,
                exposuresBefore: 0, mode: "study",
                milliseconds: Int64(clock.timeIntervalSince1970 * 1000), offsetMinutes: 0)
        }
        try other.pull([row(now + 99 * day, isCorrect: false)], of: "aa", into: store, now: now)
        // An answer of this device says nothing of that clock.
        try answer("a", at: now + 600, in: store)
        #expect(try schedule(store, at: now + 700).phase == .relearning)
        try other.pull([row(now + 300, isCorrect: true)], of: "aa", into: store, now: now)
        let known = try schedule(store, at: now + 700)
        #expect(known.phase == .review && known.lastReview == now + 600)
    }

    /// While nobody is signed in each start has a name of its own, and one device has one clock.
    @Test func aClockThatWasAheadIsCorrectedAfterAnotherStart() throws {
        try answer("b", at: now + 365 * day, in: open())
        let later = try open()
        try answer("a", at: now + 600, in: later)
        let known = try schedule(later, at: now + 1_300)
        #expect(known.phase == .review && known.lastReview == now + 600)
        let today = LearningClock().day(of: now + 600)
        #expect(try later.progressByDay().map(\.name) == [today.date])
        try later.switchUser(to: "ada", bringing: .everything, now: now + 700)
        #expect(try schedule(later, at: now + 1_300) == known, "in an account, too")
        #expect(try schedule(open(), at: now + 9 * day) == known)
    }

    /// No answer was given after the reply of the server that has it.
    @Test func answersOfAClockAheadAreAsOldAsTheReplyThatHasThem() throws {
        let store = try open()
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        var other = OtherDevices(["aa"], start: now, questions: 1)
        let row = AnswerRow(
            bank: bank.name, session: "s", question: "q1", options: ["b"], isCorrect: false,
            takenMilliseconds: 1, exposuresBefore: 0, mode: "study",
            milliseconds: Int64((now + 365 * day).timeIntervalSince1970 * 1000), offsetMinutes: 0)
        try other.pull([row], of: "aa", into: store, now: now, serverTime: now)
        let first = try schedule(store, at: now + day)
        #expect(first.lastReview == now && isDue(first, at: now + day))
        try answer("a", at: now + day, in: store)
        for later in [now + day + 900, now + 9 * day] {
            let known = try schedule(store, at: later)
            #expect(known.phase == .review && known.lastReview == now + day)
        }
        #expect(try store.progressByDay().count == 2)
    }

    /// Today and the answers have one clock: what was answered is not due again after each sync.
    @Test func aReplyLeavesTheAnswersOfAClockThatIsStillAhead() throws {
        let store = try open()
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        let ahead = now + 2 * day
        try answer("a", at: ahead, in: store)
        try reply(store, serverTime: now, at: ahead)
        let known = try schedule(store, at: ahead)
        let today = LearningClock().day(of: ahead)
        #expect(known.lastDay == today && !isDue(known, at: ahead))
        #expect(try store.usage(on: today, in: bank, now: ahead) == DueQueue.Usage(newCards: 1))
        // The clock was set right: the next reply places the answer.
        try reply(store, serverTime: now + 60, at: now + 60)
        #expect(try schedule(store, at: now + day).lastReview == now + 60)
    }

    /// A clock that is behind what was answered before: the limits of the day hold.
    @Test func whatIsDatedLaterThanTodayUsesUpTheLimits() throws {
        let store = try open()
        try answer("a", at: now + day, in: store)
        let today = LearningClock().day(of: now)
        let used = try store.usage(on: today, in: bank, now: now)
        #expect(used == DueQueue.Usage(newCards: 1))
        #expect(try store.usage(on: today, in: bank) == DueQueue.Usage())
    }

    // MARK: What says nothing of the clock

    @Test func anExamThatEndsDaysLaterMovesNothing() throws {
        let store = try open()
        var random = SeededGenerator(seed: 2)
        var exam = StudySession(
            id: "exam", mode: .exam,
            entries: [.init(question, contentVersion: "v1", exposuresBefore: 0)],
            now: now - 3 * day, using: &random)
        _ = try exam.answer(["b"], to: question, now: now - 3 * day)
        try store.save(exam, of: bank, now: now - 3 * day)
        try answer("a", at: now - 2 * day, in: store)
        try answer("a", at: now - day, in: store)
        exam.finish(now: now)
        try store.save(exam, of: bank, now: now)
        #expect(try schedule(store, at: now).lastReview == now - day)
        let dates = try store.answers(of: bank).map(\.date)
        #expect(dates == [now - 3 * day, now - 2 * day, now - day])
    }

    @Test func anImportOfYearsAgoMovesNothing() throws {
        let store = try open()
        try answer("a", at: now, in: store)
        let old = AnswerRow(
            bank: bank.name, session: "deck", question: "q1", isCorrect: true,
            takenMilliseconds: 1, exposuresBefore: 0, mode: "study",
            milliseconds: Int64((now - 900 * day).timeIntervalSince1970 * 1000))
        try store.add([old.record], to: bank, now: now)
        #expect(try store.answers(of: bank).map(\.date) == [now - 900 * day, now])
        #expect(try schedule(store, at: now).lastReview == now)
    }

    @Test func aClockThatWasNeverSetMovesNothing() throws {
        let store = try open()
        try answer("a", at: now, in: store)
        try answer("a", at: Date(timeIntervalSince1970: 60), in: store)
        #expect(try schedule(store, at: now).lastReview == now)
    }

    // MARK: A clock that fell back

    private func reply(_ store: UserStore, serverTime: Date, at clock: Date? = nil) throws {
        let now = clock ?? now
        _ = try store.handle(.stopped, now: now)
        _ = try store.handle(.started, now: now)
        _ = try store.handle(.syncWanted, now: now)
        let request = try #require(store.requestInFlight)
        var known = request.knownAnswers
        for span in request.answers { known.add(span) }
        _ = try store.handle(
            .replied(ExchangeResponse(number: request.number, epoch: "e", knownAnswers: known)),
            now: now, extras: UserStore.Extras(serverTime: serverTime))
    }

    @Test func noAnswerIsDatedBeforeTheLastReplyOfTheServer() throws {
        let store = try open()
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        try answer("a", at: now, in: store)
        try reply(store, serverTime: now + 100)
        let early = try answer("b", at: now - 300 * day, in: store)
        #expect(try store.answers(of: bank).map(\.date) == [now, now + 100])
        // The session shows the earlier time; saving it again adds nothing.
        try store.save(early, of: bank, now: now)
        #expect(try store.answers(of: bank).count == 2)
        // An exam is handed in days after its answers were given.
        var random = SeededGenerator(seed: 3)
        var exam = StudySession(
            id: "exam", mode: .exam,
            entries: [.init(question, contentVersion: "v1", exposuresBefore: 0)],
            now: now - day, using: &random)
        _ = try exam.answer(["a"], to: question, now: now - day)
        exam.finish(now: now + 150)
        try store.save(exam, of: bank, now: now + 150)
        #expect(try store.answers(of: bank).map(\.date) == [now - day, now, now + 100])
        // A server whose clock was wrong dates what is answered until its next reply.
        try reply(store, serverTime: now + 999 * day)
        try reply(store, serverTime: now + 200)
        try answer("a", at: now + 300, in: store)
        #expect(try store.answers(of: bank).map(\.date).last == now + 300)
    }
}
