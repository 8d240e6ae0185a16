import Foundation
import QuestionEngine
import TestSupport
import Testing
import UserData

@testable import OfflineStorage

/// Runs of answers that are too long to be counted in the transaction that stores them.
@Suite struct LongRunTests {
    private let folder: TemporaryFolder
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func store(_ name: String) throws -> UserStore {
        try UserStore(folder: folder.url.appending(path: name))
    }

    private func hasPending(_ store: UserStore) throws -> Bool {
        let user = store.user
        return try store.database.read {
            try !CountingProgress(database: $0, user: user).isComplete()
        }
    }

    /// Two stores pull the same answers: one in a long run, the other in runs that are counted at once.
    @Test(arguments: 1...6)
    func aLongRunIsCountedByItsFirstReader(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var devices = OtherDevices(["aa"], start: now, questions: 40)
        let rows = (0..<1300).map { _ in devices.row(using: &random) }
        let (late, early) = (try store("late"), try store("early"))
        try devices.pull(rows, of: "aa", into: late, now: now)
        #expect(try hasPending(late), "seed \(seed)")
        #expect(try late.answers(of: bank).count == 1300)
        var others = OtherDevices(["aa"], start: now, questions: 40)
        for start in stride(from: 0, to: rows.count, by: 100) {
            try others.pull(Array(rows[start..<start + 100]), of: "aa", into: early, now: now)
            #expect(try !hasPending(early))
        }
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let schedules = try late.schedules(of: bank, by: scheduler, now: now)
        #expect(try !hasPending(late))
        #expect(try schedules == early.schedules(of: bank, by: scheduler, now: now), "seed \(seed)")
        #expect(try late.progressByDay() == early.progressByDay(), "seed \(seed)")
        #expect(try late.progressByDomain() == early.progressByDomain(), "seed \(seed)")
        #expect(try late.verifySchedules(of: bank, by: scheduler, now: now).differences.isEmpty)
    }

    /// What follows a pending run waits with it, so that answers are counted in their order.
    @Test func anAnswerAfterALongRunIsCountedWithIt() throws {
        var random = SeededGenerator(seed: 9)
        var devices = OtherDevices(["aa"], start: now, questions: 5)
        let store = try store("store")
        try devices.pull(
            (0..<600).map { _ in devices.row(using: &random) }, of: "aa", into: store, now: now)
        try devices.pull([devices.row(using: &random)], of: "aa", into: store, now: now)
        #expect(try hasPending(store))
        let days = try store.progressByDay(limit: 1000)
        #expect(days.reduce(0) { $0 + $1.answers } == 601)
    }

    @Test func aFullDiskLeavesALongRunPendingAndStudyingGoesOn() async {
        await #expect(processExitsWith: .success) {
            let tests = try LongRunTests()
            var random = SeededGenerator(seed: 3)
            var devices = OtherDevices(["aa"], start: tests.now, questions: 5)
            let store = try tests.store("store")
            try devices.pull([devices.row(using: &random)], of: "aa", into: store, now: tests.now)
            let rows = (0..<600).map { _ in devices.row(using: &random) }
            try devices.pull(rows, of: "aa", into: store, now: tests.now)
            FullDiskTests.fillDisk(upTo: 0)
            let scheduler = try ReviewScheduler(.rightOrWrong)
            let counted = try store.schedules(of: tests.bank, by: scheduler, now: tests.now)
            #expect(counted.values.map(\.answerCount) == [1])
            #expect(try store.progressByDay().map(\.answers) == [1])
            FullDiskTests.makeRoom()
            let all = try store.schedules(of: tests.bank, by: scheduler, now: tests.now)
            #expect(all.values.reduce(0) { $0 + $1.answerCount } == 601)
        }
    }
}
