import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing
import UserData

/// Kept schedules and statistics against a full replay of the answers.
@Suite struct ScheduleTests {
    private let folder: TemporaryFolder
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> UserStore { try UserStore(folder: folder.url) }

    private func scheduler(_ settings: ReviewScheduler.Settings = .rightOrWrong) throws
        -> ReviewScheduler
    { try ReviewScheduler(settings) }

    private func alter(_ sql: String) throws {
        let database = try DatabaseQueue(path: folder.path + "/user.sqlite")
        try database.write { try $0.execute(sql: sql) }
    }

    private func expectAReplay(
        _ store: UserStore, _ settings: ReviewScheduler.Settings = .rightOrWrong,
        comment: Comment? = nil, at moment: Date? = nil
    ) throws {
        let check = try store.verifySchedules(
            of: bank, by: scheduler(settings), now: moment ?? now)
        #expect(check.differences.isEmpty, comment)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func aTimeThatNoClockShowsEndsNothing(seconds: Double) throws {
        let broken = Date(timeIntervalSinceReferenceDate: seconds)
        let store = try open()
        let record = AnswerRow(
            bank: bank.name, session: "s1", question: "q1", isCorrect: true, takenMilliseconds: 0,
            exposuresBefore: 0, mode: "study", milliseconds: 1_800_000_000_000
        ).record
        try store.add([record], to: bank, now: broken)
        _ = try store.schedules(of: bank, by: scheduler(), now: broken)
        _ = try store.usage(on: LearningClock().day(of: broken), in: bank)
        #expect(try store.answers(of: bank).count == 1)
    }

    // MARK: The order in which answers arrive

    @Test(arguments: 1...40, [false, true])
    func schedulesAreThoseOfAReplayWhateverTheOrder(seed: UInt64, hasZones: Bool) throws {
        var random = SeededGenerator(seed: seed)
        var devices = OtherDevices(
            ["aa", "zz", "mm"], start: now, questions: Int.random(in: 1...6, using: &random),
            hasZones: hasZones)
        let store = try open()
        for _ in 0..<25 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let records = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    devices.row(using: &random).record
                }
                try store.add(records, to: bank, now: now)
            case 5..<9: try devices.pull(into: store, now: now, using: &random)
            default: try expectAReplay(store, comment: "seed \(seed), in between")
            }
        }
        try expectAReplay(store, comment: "seed \(seed)")
        try expectAReplay(open(), comment: "seed \(seed), opened again")
        #expect(try !store.answers(of: bank).isEmpty, "seed \(seed)")
        // Some answers are dated later than this, as by a clock that was ahead.
        try expectAReplay(
            store, comment: "seed \(seed), in the middle", at: now.addingTimeInterval(-15 * 86_400))
    }

    @Test func aLateAnswerMovesASchedule() throws {
        let store = try open()
        var devices = OtherDevices(["zz"], start: now, questions: 1)
        var random = SeededGenerator(seed: 1)
        var late = devices.row(using: &random)
        late.isCorrect = false
        late.milliseconds = 1_790_000_000_000
        var early = late
        early.isCorrect = true
        early.milliseconds += 86_400_000
        try store.add([early.record], to: bank, now: now)
        let before = try store.schedules(of: bank, by: scheduler(), now: now)
        try devices.pull([late], of: "zz", into: store, now: now)
        let after = try store.schedules(of: bank, by: scheduler(), now: now)
        #expect(before["q0"]?.answerCount == 1 && after["q0"]?.answerCount == 2)
        #expect(before["q0"]?.schedule.memory != after["q0"]?.schedule.memory)
        #expect(before["q0"]?.schedule.lastReview == after["q0"]?.schedule.lastReview)
        try expectAReplay(store)
    }

    @Test func questionsOfOneNameInTwoBanksAreApart() throws {
        let store = try open()
        let devices = OtherDevices([], start: now, questions: 1)
        var random = SeededGenerator(seed: 2)
        let other = QuestionFilter.Bank.placement(language: "es")
        try store.add([devices.row(using: &random).record], to: bank, now: now)
        try store.add([devices.row(using: &random).record], to: other, now: now)
        let studied = try store.schedules(of: other, by: scheduler(), now: now)
        #expect(studied.values.map(\.answerCount) == [1])
        try expectAReplay(store)
    }

    // MARK: Settings

    @Test func anotherSchedulerReplaysTheBank() throws {
        let store = try open()
        var devices = OtherDevices(["aa"], start: now, questions: 5)
        var random = SeededGenerator(seed: 3)
        for _ in 0..<10 { try devices.pull(into: store, now: now, using: &random) }
        let lax = ReviewScheduler.Settings(retention: 0.6)
        let first = try store.schedules(of: bank, by: scheduler(), now: now)
        let second = try store.schedules(of: bank, by: scheduler(lax), now: now)
        #expect(first.count == 5 && second.count == 5)
        #expect(first["q1"]?.schedule != second["q1"]?.schedule)
        // What arrives now is scheduled as the app asked last.
        try devices.pull(into: store, now: now, using: &random)
        try expectAReplay(store, lax)
        try expectAReplay(store)
    }

    @Test func settingsOfANewerVersionAreReplaced() throws {
        let store = try open()
        var devices = OtherDevices(["aa"], start: now, questions: 3)
        var random = SeededGenerator(seed: 4)
        try devices.pull(into: store, now: now, using: &random)
        try alter("INSERT INTO scheduling VALUES ('local', 'int/swift', '{\"formulas\":99}')")
        try devices.pull(into: store, now: now, using: &random)
        try expectAReplay(store)
    }

    // MARK: Days and domains

    @Test func whatWasDoneTodayIsCounted() throws {
        let store = try open()
        func add(_ question: String, _ seconds: [Double]) throws {
            let rows = seconds.map { offset in
                AnswerRow(
                    bank: "int/swift", session: "s", question: question, isCorrect: true,
                    takenMilliseconds: 1, exposuresBefore: 0, mode: "study",
                    milliseconds: Int64((now.timeIntervalSince1970 + offset) * 1000))
            }
            try store.add(rows.map(\.record), to: bank, now: now)
        }
        try add("new", [0, 60, 120])
        try add("old", [-86_400, -1, 5])
        try add("rested", [-86_400])
        let done = try store.usage(on: LearningClock().day(of: now), in: bank)
        #expect(done == DueQueue.Usage(newCards: 1, reviews: 1))
    }

    /// An answer keeps the day that it had where it was given.
    @Test func aJourneyChangesNoDay() throws {
        let store = try open()
        let evening = 1_796_171_400_000  // 2026-12-02 00:30 in UTC
        func answer(_ question: String, offsetMinutes: Int) throws {
            let row = AnswerRow(
                bank: "int/swift", session: "s", question: question, isCorrect: true,
                takenMilliseconds: 1, exposuresBefore: 0, mode: "study",
                milliseconds: Int64(evening), offsetMinutes: offsetMinutes)
            try store.add([row.record], to: bank, now: now)
        }
        try answer("london", offsetMinutes: 0)
        try answer("kathmandu", offsetMinutes: 345)
        let offsets = try store.answers(of: bank).map(\.offsetMinutes)
        #expect(Set(offsets) == [0, 345])
        let counted = try store.progressByDay().map(\.name)
        #expect(counted == ["2026-12-02", "2026-12-01"])
        let later = Date(timeIntervalSince1970: Double(evening) / 1000 + 86_400)
        let studied = try store.schedules(of: bank, by: scheduler(), now: later)
        let days = ["london", "kathmandu"].map { studied[$0]?.schedule.dueDay?.date }
        #expect(days == ["2026-12-03", "2026-12-04"])
        try expectAReplay(store, at: later)
    }

    @Test func aDateBeyondTheCalendarHasADay() throws {
        let store = try open()
        let devices = OtherDevices([], start: now, questions: 1)
        var random = SeededGenerator(seed: 6)
        var row = devices.row(using: &random)
        row.milliseconds = FieldValue.integerMax
        try store.add([row.record], to: bank, now: now)
        #expect(try store.progressByDay().map(\.name) == ["9999-12-31"])
    }

    // MARK: What other parts leave behind

    @Test(arguments: [
        """
        INSERT INTO answerDevice (account, client)
            SELECT account, 'new' FROM answerDevice WHERE client = 'aa';
        UPDATE answerRow SET device = (SELECT number FROM answerDevice WHERE client = 'new')
            WHERE device = (SELECT number FROM answerDevice WHERE client = 'aa');
        """,
        """
        UPDATE answerRow SET counter = counter + 100
            WHERE device = (SELECT number FROM answerDevice WHERE client = 'aa')
        """,
        """
        DELETE FROM answerRow WHERE counter = 1
            AND device = (SELECT number FROM answerDevice WHERE client = 'aa')
        """,
        "DELETE FROM answerRow",
    ])
    func answersThatMoveAreCountedAnew(sql: String) throws {
        let store = try open()
        var devices = OtherDevices(["aa", "bb"], start: now, questions: 4)
        var random = SeededGenerator(seed: 8)
        for _ in 0..<6 { try devices.pull(into: store, now: now, using: &random) }
        try expectAReplay(store)
        try alter(sql)
        try expectAReplay(store)
        try store.add([devices.row(using: &random).record], to: bank, now: now)
        try expectAReplay(store)
    }

    @Test func schedulesGoOverToTheFirstAccount() throws {
        let store = try open()
        let devices = OtherDevices([], start: now, questions: 3)
        var random = SeededGenerator(seed: 9)
        try store.add(
            (0..<9).map { _ in devices.row(using: &random).record }, to: bank, now: now)
        let before = try store.schedules(of: bank, by: scheduler(), now: now)
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try store.schedules(of: bank, by: scheduler(), now: now) == before)
        let rebuilds = try DatabaseQueue(path: folder.path + "/user.sqlite").read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM uncounted")
        }
        #expect(rebuilds == 0)
        try expectAReplay(store)
        try store.switchUser(to: "eve", bringing: .nothing, now: now)
        #expect(try store.schedules(of: bank, by: scheduler(), now: now).isEmpty)
        #expect(try store.progressByDay().isEmpty && store.progressByDomain().isEmpty)
    }

    @Test func anErasedUserLeavesNothing() throws {
        let store = try open()
        var devices = OtherDevices(["aa"], start: now, questions: 3)
        var random = SeededGenerator(seed: 10)
        try devices.pull(into: store, now: now, using: &random)
        try store.signOut(erasing: true, lossIsAccepted: true)
        let rows = try DatabaseQueue(path: folder.path + "/user.sqlite").read { database in
            try [
                "answerSeen", "card", "review", "cardDomain", "studyDay", "countedClient",
                "answerAccount", "answerDevice", "answerRow", "answerQuestion", "answerSession",
                "answerResponse",
            ].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? 0
            }
        }
        #expect(rows.allSatisfy { $0 == 0 })
    }
}
