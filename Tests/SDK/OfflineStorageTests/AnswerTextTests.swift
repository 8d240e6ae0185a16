import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing
import UserData

/// Answers as rows of numbers, whose texts are stored once.
@Suite struct AnswerTextTests {
    private let folder: TemporaryFolder
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    @Test func textsStandOnce() throws {
        let store = try UserStore(folder: folder.url)
        var devices = OtherDevices(["aa", "bb"], start: now, questions: 3)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<10 { try devices.pull(into: store, now: now, using: &random) }
        let counts = try DatabaseQueue(path: folder.path + "/user.sqlite").read { database in
            try ["answerQuestion", "answerResponse"].map {
                try Int.fetchOne(database, sql: "SELECT count(*) FROM \($0)") ?? 0
            }
        }
        // Three questions, each with its domain and without one.
        #expect(counts[0] <= 6 && counts[1] == 1)
    }

    @Test func answersGoOverToAUserWhoHasSome() throws {
        let store = try UserStore(folder: folder.url)
        var devices = OtherDevices(["aa"], start: now, questions: 2)
        var random = SeededGenerator(seed: 12)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        try devices.pull(into: store, now: now, using: &random)
        let known = try store.answers(of: bank)
        try store.signOut(erasing: false)
        let mine = devices.row(using: &random)
        try store.add([mine.record], to: bank, now: now)
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        let all = try store.answers(of: bank)
        #expect(Set(all) == Set(known + [mine.record]) && all.count == known.count + 1)
        let check = try store.verifySchedules(
            of: bank, by: ReviewScheduler(.rightOrWrong), now: now)
        #expect(check.differences.isEmpty)
        let users = try DatabaseQueue(path: folder.path + "/user.sqlite").read { database in
            try String.fetchAll(database, sql: "SELECT user FROM answerAccount")
        }
        #expect(users == ["ada"])
    }
}
