import Foundation
import GRDB
import ServiceAPI
import Testing
import UserData

@testable import UserService

/// A database of users as an earlier build wrote it, opened by this one.
@Suite struct EarlierStoreTests {
    private static let password = "a long enough password"

    /// Three devices, one of them forgotten, a plain write, a conflict, answers and a password.
    private func database() throws -> UserDatabase {
        let dump = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Stores/users-4.sql")
        let sql = try String(contentsOf: dump, encoding: .utf8)
        let queue = try DatabaseQueue()
        try queue.writeWithoutTransaction { database in
            // Tables come in the order of their names.
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            try database.execute(sql: sql)
            try database.execute(sql: "PRAGMA foreign_keys = ON")
        }
        return try UserDatabase(queue)
    }

    @Test func aStoreOfTheBuildBeforeIsWhole() async throws {
        let service = try await ServiceFixture(database: try database())
        let user = try await service.users.signIn(
            email: "ada@example.org", password: Self.password, address: "test"
        ).user
        let all = try await service.send(user, client: "new")
        #expect(all.changes.map(\.key.id) == ["a", "me", "n1", "b", "c"])
        #expect(all.changes.map(\.isDeleted) == [false, false, false, true, false])
        #expect(all.cursor == 6 && all.head?.position == 6)
        #expect(RecordDigest(all.changes) == all.digest)
        #expect(all.knownAnswers == AnswerVector([ClientID("f"): 3]))
        let devices = try await service.users.devices(of: user)
        #expect(Set(devices.map(\.id)) == ["d", "e", "new"])
        let isSound = try await service.database.read {
            try AnswerStatistics(of: user, in: $0).isSound()
        }
        #expect(isSound)
    }

    @Test func devicesOfTheBuildBeforeGoOnWhereTheyWere() async throws {
        let service = try await ServiceFixture(database: try database())
        let user = try await service.users.signIn(
            email: "ada@example.org", password: Self.password, address: "test"
        ).user
        let again = try await service.send(
            user, number: 2,
            [service.put("exams", "a", ["n": 1], 1), service.put("exams", "d", ["n": 4], 6)])
        #expect(again.result(1)?.record?.revision == 1)
        #expect(again.result(6)?.record?.revision == 7)
        let forgotten = try await service.send(user, client: "f", number: 2, held: 3)
        #expect(forgotten.isDeviceStale)
        let written = try await service.users.write(
            RecordKey("exams", "c"), ["n": 5], over: 6, of: user)
        guard case .written(let record, let isNew) = written else {
            Issue.record("the record was not written: \(written)")
            return
        }
        #expect(record.revision == 8 && !isNew)
    }
}
