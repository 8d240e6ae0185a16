import Foundation
import PostgresDriver
import PostgresStorage
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import UserService

/// Databases as earlier migrations left them, brought up to date by this version.
@Suite struct KeptDumpTests {
    private static let writes = ProcessInfo.processInfo.environment["UNDERWAY_KEEP_DUMPS"] != nil

    @Test(.enabled(if: writes), arguments: KeptDump.all.filter { !$0.isThere })
    func missingDumpsAreWritten(dump: KeptDump) async throws { try await dump.write() }

    @Test(.disabled(if: writes)) func everyMigrationHasADump() {
        let missing = KeptDump.all.filter { !$0.isThere }.map(\.last.name)
        #expect(missing == [], "KeptDump.swift says how to write them.")
    }

    private func migrate(_ users: PostgresUsers) async throws -> [String] {
        let pool = PostgresPool(PoolSettings(users.admin))
        let names = try await pool.use { try PostgresMigrator().migrate($0) }
        await pool.close()
        return names
    }

    /// The number of rows of each table, but for the list of migrations.
    private func counts(_ users: PostgresUsers) async throws -> [String: Int] {
        let tables = try await users.execute(
            """
            SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
            WHERE schemaname IN ('underway', 'content') AND tablename <> 'migration'
            """)[0].column("name", as: String.self)
        var counts: [String: Int] = [:]
        for table in tables {
            counts[table] = try await users.execute("SELECT count(*) AS n FROM \(sql: table)")[0]
                .column("n", as: Int.self)[0]
        }
        return counts
    }

    @Test(.disabled(if: writes), arguments: KeptDump.all)
    func aDumpHasRowsInEveryTable(dump: KeptDump) async throws {
        let counts = try await counts(try await dump.restored())
        #expect(counts.filter { $0.value == 0 }.keys.sorted() == [])
    }

    /// The migrated database is a new one but for its rows, and no row is lost.
    @Test(.disabled(if: writes), arguments: KeptDump.all)
    func anEarlierDatabaseBecomesTheCurrentOne(dump: KeptDump) async throws {
        let (users, fresh) = (try await dump.restored(), try await PostgresUsers([]))
        let before = try await counts(users)
        let known = try await users.execute("SELECT name FROM underway.migration")[0]
            .column("name", as: String.self)
        #expect(known.contains(dump.last.name))
        #expect(
            try await migrate(users)
                == PostgresMigration.all.map(\.name).filter { !known.contains($0) })
        let (copy, other) = (try await KeptDump.copy(of: users), try await KeptDump.copy(of: fresh))
        #expect(try await Catalog(copy).differences(from: Catalog(other)) == [])
        let after = try await counts(users)
        #expect(after.filter { before[$0.key] != nil } == before)
        #expect(try await migrate(users) == [])
    }

    @Test(.disabled(if: writes), arguments: KeptDump.all)
    func devicesGoOnAfterTheMigration(dump: KeptDump) async throws {
        let users = try await dump.restored()
        _ = try await migrate(users)
        let (phone, ledger) = (KeptDevice("u", "phone"), PostgresLedger(users.pool()))
        let reply = try await phone.exchange(phone.second, ledger)
        #expect(!reply.isDeviceStale)
        #expect(reply.results[OperationID(client: phone.client, counter: 3)]?.record?.revision == 3)
        #expect(reply.results[OperationID(client: phone.client, counter: 4)]?.record?.revision == 7)
        #expect(reply.knownAnswers == AnswerVector([phone.client: 4, ClientID("tablet"): 3]))
        let fresh = KeptDevice("u", "fresh")
        let request = ExchangeRequest(
            number: 1, user: "u", client: fresh.client, epoch: nil, cursor: 0, operations: [],
            knownAnswers: AnswerVector())
        let all = try await fresh.exchange(ExchangeCall(request: request, answers: []), ledger)
        #expect(
            all.changes.map(\.key.id) == ["phone-a", "phone-b", "tablet-a", "tablet-b", "phone-c"])
        #expect(RecordDigest(all.changes) == all.digest)
        // Answers of a version without boards are in no sum of sessions until they are counted.
        let boards = BoardService(PostgresBoards(users.pool())) {
            Date(timeIntervalSince1970: 1_790_000_000)
        }
        #expect(try await boards.recount() == 2)
        let report = try await PostgresCheck(users.server).run()
        #expect(report.findings == [])
        #expect(report.accountCount == 2 && report.answerCount == 10)
    }

    @Test(.disabled(if: writes), arguments: KeptDump.all.dropFirst())
    func usersOfTheDumpSignIn(dump: KeptDump) async throws {
        let (users, folder) = (try await dump.restored(), try TemporaryFolder())
        _ = try await migrate(users)
        let service = try await AccountService(
            users.pool(), UserServiceOptions(folder: folder.url, passwordRounds: 1 << 10),
            clock: { Date(timeIntervalSince1970: 1_790_000_100) })
        let tokens = try await service.signIn(
            email: KeptAccount.email, password: KeptAccount.password, address: "test")
        #expect(tokens.user == "u")
        #expect(try await service.refresh(KeptAccount.token, address: "test").user == "v")
    }
}
