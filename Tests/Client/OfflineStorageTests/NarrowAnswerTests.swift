import Foundation
import GRDB
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing
import UserData

/// Answers as rows of numbers: what a store of an earlier version had is there unchanged.
@Suite struct NarrowAnswerTests {
    private let folder: TemporaryFolder
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "swift")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    /// What an earlier version could have written beside the rows of the dump.
    private static let more = """
        INSERT INTO answer SELECT user, 'tablet', 1, 'es', 's2', 'q1', NULL, '', '[]', 0, 0.25, 3, 5, 1,
            'exam', 1, 1790000000000 FROM person;
        INSERT INTO answer SELECT user, 'tablet', 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL, NULL FROM person;
        INSERT INTO answer SELECT user, 'tablet', 3, 'es', 's2', 'q1', 'net', '', '["#number","1e3"]', 1,
            1.0, NULL, 5, 1, 'study', 0, 1790000000001 FROM person;
        INSERT INTO answer SELECT user, 'tablet', 4, 'es', 's2', 'q1', NULL, '', '["a"]', 1,
            1.0, NULL, 5, 1, 'exam', 0, 1790000000002 FROM person;
        """

    /// Makes the store of an earlier version, and returns the answers as it has them.
    private func load(_ dump: String) throws -> [Row] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Stores/\(dump)")
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let database = try DatabaseQueue(
            path: folder.path + "/user.sqlite", configuration: configuration)
        defer { try? database.close() }
        return try database.writeWithoutTransaction { database in
            try database.execute(sql: String(contentsOf: file, encoding: .utf8))
            try database.execute(sql: Self.more)
            return try Self.answers(in: database)
        }
    }

    private static func answers(in database: Database) throws -> [Row] {
        try Row.fetchAll(database, sql: "SELECT * FROM answer ORDER BY user, client, counter")
    }

    private func answers() throws -> [Row] {
        try DatabaseQueue(path: folder.path + "/user.sqlite").read(Self.answers)
    }

    @Test(arguments: ["user-data-2.sql", "user-2.sql", "user-data-3.sql"])
    func theViewHasTheRowsOfTheTableBefore(dump: String) throws {
        let before = try load(dump)
        #expect(before.count >= 4)
        let store = try UserStore(folder: folder.url)
        #expect(try answers() == before)
        let check = try store.verifySchedules(
            of: .placement(language: "es"), by: ReviewScheduler(.rightOrWrong), now: now)
        #expect(check.differences.isEmpty && check.answerCount == 3)
    }

    @Test func aStoreOfTheVersionBeforeGoesOn() throws {
        let before = try load("user-data-3.sql")
        let store = try UserStore(folder: folder.url)
        let known = try store.answers(of: bank)
        #expect(known.map(\.questionID) == ["q1", "q2", "q3", "q4"])
        #expect(try store.add(known, to: bank, now: now) == 0)
        var new = known[0]
        new.date += 60
        #expect(try store.add([new], to: bank, now: now) == 1)
        #expect(try answers().count == before.count + 1)
    }

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
