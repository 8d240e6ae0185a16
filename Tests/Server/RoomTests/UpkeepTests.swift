import Foundation
import GRDB
import Ledger
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Tables

/// What is removed after its time, in pieces, and what is not.
@Suite struct UpkeepTests {
    private let service: ServiceFixture

    init() async throws { service = try await ServiceFixture() }

    private func count(_ table: String) async throws -> Int {
        try await service.database.connections.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
        }
    }

    @Test func expiredTokensGoInTheHourlyPurgeAndNotWithARenewal() async throws {
        let old = try await service.user()
        service.advance(days: Double(ServiceLimits.refreshTokenDays) + 1)
        let young = try await service.user()
        _ = try await service.users.refresh(young.refreshToken, address: "a")
        #expect(try await count("refresh_token") == 3)
        try await service.users.purgeAccounts()
        #expect(try await count("refresh_token") == 2)
        #expect(
            await problemCode {
                _ = try await service.users.refresh(old.refreshToken, address: "a")
            }
                == .unauthorized)
    }

    /// Neither renewing nor purging reads tokens that have nothing to do with it.
    @Test func noStatementScansAllTokens() async throws {
        for sql in [
            "SELECT hash FROM refresh_token WHERE expires_at <= 1 LIMIT 1000",
            "SELECT 1 FROM refresh_token WHERE parent = x'00' AND used_at IS NOT NULL",
            "SELECT 1 FROM refresh_token WHERE family = 'f' AND generation = 1",
        ] {
            let plan = try await service.database.connections.read { database in
                try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN " + sql)
                    .map { $0["detail"] as String }
            }
            #expect(plan.allSatisfy { !$0.hasPrefix("SCAN") }, "\(sql): \(plan)")
        }
    }

    @Test func unusedAccountsAreRemovedAfterTheirTime() async throws {
        let empty = try await service.user()
        let full = try await service.user()
        _ = try await service.send(full.user, [service.put("exams", "a", ["n": 1], 1)])
        let named = try await service.user()
        try await service.users.upgrade(
            try await service.caller(named), email: "a@b.c", password: "12345678", address: "a")
        var used = try await service.user()
        for _ in 0..<2 {
            service.advance(days: Double(ServiceLimits.unusedAccountDays) - 10)
            used = try await service.users.refresh(used.refreshToken, address: "a")
        }
        try await service.users.purgeAccounts()
        #expect(try await count("account") == 3)
        service.advance(days: Double(ServiceLimits.unusedAccountWithDataDays))
        try await service.users.purgeAccounts()
        #expect(try await count("account") == 1, "an account with a way in stays")
        #expect(try await count("record") == 0)
        _ = try await service.users.signIn(email: "a@b.c", password: "12345678", address: "a")
        _ = empty
    }

    /// The device may have been in a drawer; its account, which had no data, is made again.
    @Test func aDeviceThatComesBackGetsItsEmptyAccountAgain() async throws {
        let tokens = try await service.user()
        service.advance(days: Double(ServiceLimits.unusedAccountDays) + 1)
        try await service.users.purgeAccounts()
        #expect(try await count("account") == 0)
        let again = try await service.users.refresh(tokens.refreshToken, address: "a")
        #expect(again.user == tokens.user)
        _ = try await service.send(again.user, [service.put("exams", "a", ["n": 1], 1)])
    }

    /// Enough rows that one transaction cannot hold them; what a kill left is found by the next purge.
    @Test func anInterruptedDeletionIsResumed() async throws {
        let (gone, other) = (try await service.user(), try await service.user())
        for tokens in [gone, other] {
            for batch in 0..<3 {
                let operations = (1...400).map { number in
                    service.put(
                        "exams", "e\(batch)-\(number)", ["n": 1], UInt64(batch * 400 + number))
                }
                _ = try await service.send(
                    tokens.user, number: UInt64(batch + 1), operations)
            }
        }
        #expect(try await count("record") == 2400)
        // A disk that fails after some transactions, as a kill would end them.
        try await service.database.connections.write { database in
            try database.execute(
                sql: """
                    CREATE TRIGGER failing BEFORE DELETE ON record
                    WHEN (SELECT count(*) FROM record) <= 1500
                    BEGIN SELECT RAISE(ABORT, 'the disk fails'); END
                    """)
        }
        let users = service.users
        await #expect(throws: DatabaseError.self) { try await users.delete(gone.user) }
        #expect((1300..<2400).contains(try await count("record")))
        try await service.database.connections.write { try $0.execute(sql: "DROP TRIGGER failing") }
        #expect(await problemCode { _ = try await service.caller(gone) } == .noAccount)
        #expect(
            await problemCode { _ = try await users.refresh(gone.refreshToken, address: "a") }
                == .noAccount)
        try await users.purgeAccounts()
        #expect(try await count("record") == 1200)
        #expect(try await count("account") == 1)
        #expect(try await count("device") == 1)
        _ = try await service.caller(other)
    }

    /// UNDERWAY_TOKENS=1000000 measures what one renewal costs among so many tokens.
    @Test func aRenewalCostsTheSameAmongManyTokens() async throws {
        let environment = ProcessInfo.processInfo.environment
        let tokenCount = environment["UNDERWAY_TOKENS"].flatMap { Int($0) } ?? 20_000
        let folder = try TemporaryFolder()
        let database = try UserDatabase(path: folder.path + "/users.sqlite")
        let service = try await ServiceFixture(database: database)
        var tokens = try await service.user()
        try await service.users.upgrade(
            try await service.caller(tokens), email: "a@b.c", password: "12345678", address: "a")
        func renewal() async throws -> Duration {
            var durations: [Duration] = []
            for _ in 0..<10 {
                let start = ContinuousClock.now
                tokens = try await service.users.refresh(tokens.refreshToken, address: "a")
                durations.append(ContinuousClock.now - start)
            }
            return durations.sorted()[5]
        }
        let alone = try await renewal()
        let end = Int64(service.now.timeIntervalSince1970) + 86_400
        try await database.connections.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO refresh_token (hash, family, account, expires_at)
                    SELECT randomblob(32), hex(randomblob(8)), 1, ? + i FROM n
                    """, arguments: [tokenCount, end])
        }
        let among = try await renewal()
        print("a renewal: \(alone), among \(tokenCount) tokens: \(among)")
        service.advance(days: Double(ServiceLimits.refreshTokenDays - 1))
        let start = ContinuousClock.now
        try await service.users.purgeAccounts()
        print("purging \(tokenCount) tokens: \(ContinuousClock.now - start)")
        let left = try await database.connections.read { database in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM refresh_token") ?? 0
        }
        #expect(left == 21)
        #expect(among < alone * 3 + .milliseconds(100))
    }
}
