import DatabaseTestSupport
import Foundation
import GRDB
import PostgresDriver
import ServiceAPI
import Synchronization
import TestSupport
import Testing
import UserData

@testable import Accounts
@testable import Ledger
@testable import Operations
@testable import Review
@testable import Tables

/// Users go from SQLite to PostgreSQL and back, whole or not at all.
@Suite struct DatabaseCopyTests {
    private func copy(_ folder: TemporaryFolder, _ users: PostgresUsers) -> UserCopy {
        UserCopy(UserFolder(folder.url), users.admin)
    }

    private func code(_ body: () async throws -> Void) async -> CopyError.Code? {
        do {
            try await body()
            return nil
        } catch {
            if !(error is CopyError) { Issue.record("\(error)") }
            return (error as? CopyError)?.code
        }
    }

    // MARK: There and back

    @Test(arguments: [1, 2, 3])
    func everyDeviceGoesOnThereAndNothingIsLostOnTheWayBack(seed: UInt64) async throws {
        let history = try CopyHistory(seed: seed)
        try await history.make()
        let original = try CopyFixture.contents(history.folder.path)
        #expect(
            original.filter { $0.value.isEmpty }.keys.sorted() == [],
            "a table is empty, seed \(seed)")
        let users = try await PostgresUsers([])
        let before = try await CopyFixture.state(users)
        let report = try await copy(history.folder, users).toDatabase()
        #expect(report.tables.map(\.table) == CopyTable.all)
        #expect(
            try await CopyFixture.views(users) == CopyFixture.views(history.folder.path),
            "seed \(seed)")
        #expect(try await CopyFixture.contradictions(users) == [], "seed \(seed)")
        let after = try await CopyFixture.state(users)
        #expect(
            after.mapValues { $0.hasSuffix("true") } == before.mapValues { $0.hasSuffix("true") },
            "rows are guarded as before")

        let back = try TemporaryFolder()
        for name in ["token-key", "instance-mark", "revocations"] {
            try FileManager.default.copyItem(
                atPath: history.folder.path + "/" + name, toPath: back.path + "/" + name)
        }
        let second = try await copy(back, users).toFolder()
        #expect(second == report, "seed \(seed)")
        let returned = try CopyFixture.contents(back.path)
        for (table, rows) in original {
            #expect(returned[table] == rows, "\(table), seed \(seed)")
        }
        #expect(try await CopyFixture.state(users) == after, "the source stays as it is")
        #expect(!back.exists("users.sqlite.copy"))
    }

    @Test(arguments: [11, 12])
    func devicesGoOnOnTheOtherDatabase(seed: UInt64) async throws {
        let history = try CopyHistory(seed: seed)
        try await history.make()
        let here = try await lastReplies(history, try await history.service())
        let users = try await PostgresUsers([])
        _ = try await copy(history.folder, users).toDatabase()
        let pool = users.pool()
        let service = try await history.service(on: pool)
        #expect(try await lastReplies(history, service) == here)
        try await goOn(history, service)
        let signedIn = try await history.service(on: pool).signIn(
            email: "ada0@example.org", password: "correct horse 0", address: "c")
        #expect(history.devices.withLock { $0[0].tokens.user } == signedIn.user)
        // An account that was deleted before the copy is erased after it.
        let deleted: PostgresStatement =
            "SELECT count(*) AS n FROM underway.account WHERE deleted_at IS NOT NULL"
        #expect(try await users.execute(deleted)[0].column("n", as: Int.self) == [1])
        try await history.service(on: pool).purgeAccounts()
        #expect(try await users.execute(deleted)[0].column("n", as: Int.self) == [0])
        let there = try await lastReplies(history, service)
        await pool.close()
        // And back, after they went on there.
        try history.folder.remove("users.sqlite")
        _ = try await copy(history.folder, users).toFolder()
        let back = try await history.service()
        #expect(try await lastReplies(history, back) == there)
        try await goOn(history, back)
    }

    /// Proposals are copied; the first answers behind them are made again of answers and consents.
    @Test func theReviewOfKeysGoesOnThereAndBack() async throws {
        let history = try CopyHistory(seed: 21)
        try await history.make()
        let proposal = Proposal(
            bank: "es", question: "q1", version: "v1", key: "a", proposedKey: "b",
            evidence: .init(respondents: 40, labels: ["a", "b"], shares: [0.25, 0.75]), flaggedAt: 7
        )
        var spread = ReleaseSpread(release: 3, servedAt: 5)
        spread.reachedAt = [6, nil, nil]
        let known: Reviewed
        do {
            let service = try await history.service()
            try await history.renew(0, service)
            let row = AnswerRow(
                bank: "es", session: "s", question: "q1", version: "v1", options: ["b"],
                isCorrect: false, takenMilliseconds: 1, exposuresBefore: 0, mode: "exam",
                milliseconds: 1_700_000_000_000)
            _ = try await history.exchange(0, service, [], [row])
            _ = try await service.write(
                RecordKey("consents", Consent.answerAnalysis.rawValue), ["isGiven": true],
                over: nil,
                of: history.devices.withLock { $0[0].tokens.user })
            let review = try #require(service.review)
            _ = try await review.changeProposals { _ in ProposalChanges(proposals: [proposal]) }
            try await service.uptake?.storage.set(spread)
            known = try await Reviewed(review, service.uptake?.storage)
        }
        try #require(known.answers.count == 1 && known.proposals.count == 1)
        let users = try await PostgresUsers([])
        _ = try await copy(history.folder, users).toDatabase()
        let pool = users.pool()
        #expect(try await Reviewed(ReviewStorage(pool), UptakeStorage(pool)) == known)
        await pool.close()
        let back = try TemporaryFolder()
        for name in ["token-key", "instance-mark", "revocations"] {
            try FileManager.default.copyItem(
                atPath: history.folder.path + "/" + name, toPath: back.path + "/" + name)
        }
        _ = try await copy(back, users).toFolder()
        let returned = try UserDatabase(path: back.path + "/users.sqlite")
        #expect(try await Reviewed(ReviewStorage(returned), UptakeStorage(returned)) == known)
    }

    /// What the review of keys knows once all changes are applied.
    private struct Reviewed: Equatable {
        var answers: Set<FirstAnswer>
        var proposals: [Proposal]
        var spread: [ReleaseSpread]

        init(_ review: ReviewStorage, _ uptake: UptakeStorage?) async throws {
            while try await review.applyChanges(atMost: 9, now: 1) {}
            answers = Set(try await review.firstAnswers(after: 0, limit: 99).map(\.answer))
            proposals = try await review.proposals(in: [.open], limit: 9)
            spread = try await uptake?.spread(limit: 9) ?? []
        }
    }

    /// What every device is told when it repeats its last request: nothing is done again.
    private func lastReplies(
        _ history: CopyHistory, _ service: UserBackend
    ) async throws -> [[OperationID: OperationResult]] {
        var replies: [[OperationID: OperationResult]] = []
        for device in history.devices.withLock({ $0 }) {
            guard let call = device.call else { continue }
            let again = try await service.exchange(call, of: device.tokens.user).response
            #expect(!again.isDeviceStale && !again.isTooOld, "seed \(history.seed)")
            #expect(again.epoch == device.reply?.epoch, "seed \(history.seed)")
            replies.append(again.results)
        }
        #expect(!replies.isEmpty)
        return replies
    }

    /// Lets every device go on from its last request.
    private func goOn(_ history: CopyHistory, _ service: UserBackend) async throws {
        let accounts = Set(history.devices.withLock { $0.map(\.tokens.user) })
        #expect(accounts.count > 1)
        for place in history.devices.withLock({ $0.indices }) {
            let known = history.devices.withLock { $0[place] }
            try await history.renew(place, service)
            let next = try await history.exchange(place, service)
            #expect(!next.isDeviceStale && !next.isTooOld, "seed \(history.seed)")
            #expect(known.reply == nil || next.epoch == known.reply?.epoch, "no new epoch")
            #expect(next.knownAnswers[known.client] == known.answered)
            let operation = history.operation(place)
            let later = try await history.exchange(place, service, [operation], [history.row()])
            #expect(later.results[operation.id] != nil && !later.isDeviceStale)
            #expect(later.knownAnswers[known.client] == known.answered + 1)
        }
    }

    /// The id of a user of Supabase, and others.
    @Test func idsOfEveryKindAreKept() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "k", count: 32), to: "token-key")
        let ids = ["6f2e8d9a-1111-4222-8333-444455556666", "u-lPlxIj73mGC", "somebody else"]
        do {
            let database = try UserDatabase(path: folder.path + "/users.sqlite")
            for id in ids { try await database.addAccount(id) }
        }
        let users = try await PostgresUsers([])
        _ = try await copy(folder, users).toDatabase()
        let pool = users.pool()
        for id in ids {
            let keys = LedgerReadSet(user: id, client: ClientID("d"), now: 0)
            #expect(try await PostgresLedger(pool).open(keys).devices.isEmpty)
        }
        await pool.close()
        let back = try TemporaryFolder()
        _ = try await copy(back, users).toFolder()
        #expect(try CopyFixture.contents(back.path) == CopyFixture.contents(folder.path))
        // Numbers go on behind those that were copied.
        try await users.add("new")
        let numbers = try await users.execute("SELECT number FROM underway.account ORDER BY number")
        #expect(try numbers[0].column("number", as: Int64.self) == [1, 2, 3, 4])
    }

    // MARK: Refusals

    @Test func aTargetThatIsNotEmptyIsRefused() async throws {
        let history = try CopyHistory(seed: 21)
        try await history.make(accounts: 2, rounds: 3)
        let users = try await PostgresUsers(["u"])
        let before = try await CopyFixture.state(users)
        let move = copy(history.folder, users)
        #expect(await code { _ = try await move.toDatabase() } == .notEmpty)
        #expect(try await CopyFixture.state(users) == before)
        let original = try CopyFixture.contents(history.folder.path)
        #expect(await code { _ = try await move.toFolder() } == .notEmpty)
        #expect(try CopyFixture.contents(history.folder.path) == original)
        for leftOver in ["users.sqlite-wal", "users.sqlite-journal"] {
            let folder = try TemporaryFolder()
            try folder.write("left", to: leftOver)
            #expect(await code { _ = try await copy(folder, users).toFolder() } == .notEmpty)
        }
    }

    @Test func aDatabaseInUseIsRefused() async throws {
        let history = try CopyHistory(seed: 22)
        try await history.make(accounts: 2, rounds: 3)
        let users = try await PostgresUsers([])
        let before = try await CopyFixture.state(users)
        do {
            let server = try await history.service()
            #expect(await code { _ = try await copy(history.folder, users).toDatabase() } == .inUse)
            #expect(await server.obstacle() == nil)
        }
        let pool = users.pool()
        try await pool.query("SELECT 1")
        #expect(await code { _ = try await copy(history.folder, users).toDatabase() } == .inUse)
        let back = try TemporaryFolder()
        #expect(await code { _ = try await copy(back, users).toFolder() } == .inUse)
        #expect(!back.exists("users.sqlite"))
        await pool.close()
        #expect(try await CopyFixture.state(users) == before)
        _ = try await copy(history.folder, users).toDatabase()
    }

    /// A kill ends the removal of a closed account's answers half-way.
    @Test func whatIsLeftOfAClosedAccountIsNoDamage() async throws {
        let history = try CopyHistory(seed: 28)
        try await history.make()
        let database = try DatabaseQueue(path: history.folder.path + "/users.sqlite")
        let removed = try await database.write { database in
            try database.execute(
                sql: """
                    DELETE FROM answerRow WHERE counter = 1 AND device IN (
                        SELECT device.number FROM device JOIN account ON account.number = account
                        WHERE id GLOB 'deleted *')
                    """)
            return database.changesCount
        }
        try database.close()
        try #require(removed > 0)
        let users = try await PostgresUsers([])
        _ = try await copy(history.folder, users).toDatabase()
        try await users.execute(
            """
            UPDATE underway.account SET id = 'deleted ' || number, user_id = NULL, deleted_at = 1
            WHERE number = (SELECT account FROM underway.answer ORDER BY account LIMIT 1)
            """)
        let gaps = try await users.execute(
            """
            DELETE FROM underway.answer WHERE counter = 1
                AND account IN (SELECT number FROM underway.account WHERE deleted_at = 1)
            RETURNING counter
            """)[0].column("counter", as: Int.self)
        try #require(!gaps.isEmpty)
        try history.folder.remove("users.sqlite")
        _ = try await copy(history.folder, users).toFolder()
    }

    /// A session is seen for a moment after a server has closed it: the copy waits that long.
    @Test func aSessionThatEndsIsWaitedFor() async throws {
        let history = try CopyHistory(seed: 27)
        try await history.make(accounts: 2, rounds: 1)
        let users = try await PostgresUsers([])
        let pool = users.pool()
        try await pool.query("SELECT 1")
        let folder = history.folder
        let copying = Task { try await copy(folder, users).toDatabase() }
        try await eventually("the copy waits") {
            try await users.execute(
                """
                SELECT count(*) AS n FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event = 'PgSleep'
                """)[0].column("n", as: Int.self) == [1]
        }
        await pool.close()
        _ = try await copying.value
    }

    /// A server may have another login than the usual one, with the same roles.
    @Test func anotherLoginOfAServerIsNoticed() async throws {
        let history = try CopyHistory(seed: 26)
        try await history.make(accounts: 2, rounds: 1)
        let users = try await PostgresUsers([])
        let name = "server_\(users.admin.database ?? "")"
        try await users.execute(
            "CREATE ROLE \(identifier: name) LOGIN NOINHERIT PASSWORD 'secret' IN ROLE underway_keeper"
        )
        var address = users.admin
        (address.user, address.password) = (name, HiddenText("secret"))
        let pool = PostgresPool(.patient(address))
        try await pool.query("SELECT 1")
        let move = copy(history.folder, users)
        do {
            _ = try await move.toDatabase()
            Issue.record("it was copied")
        } catch let error as CopyError {
            #expect(error.code == .inUse && error.message.contains(name))
        }
        await pool.close()
        _ = try await move.toDatabase()
        try await users.execute("DROP ROLE \(identifier: name)")
    }

    @Test func anotherVersionIsRefused() async throws {
        let history = try CopyHistory(seed: 23)
        try await history.make(accounts: 2, rounds: 1)
        let server = try PostgresServer.shared()
        let empty = try await server.newDatabase("no_tables")
        let move = UserCopy(UserFolder(history.folder.url), empty)
        #expect(await code { _ = try await move.toDatabase() } == .otherVersion)
        let users = try await PostgresUsers([])
        try await users.execute(
            "INSERT INTO underway.migration (name, checksum) VALUES ('9.9.9 later', 'x')")
        #expect(
            await code { _ = try await copy(history.folder, users).toDatabase() } == .otherVersion)
        try await users.execute("DELETE FROM underway.migration")
        #expect(
            await code { _ = try await copy(history.folder, users).toDatabase() } == .otherVersion)
        try await users.execute(
            "INSERT INTO underway.migration (name, checksum) VALUES ('1 ledger', 'x')")
        let former = await #expect(throws: CopyError.self) {
            _ = try await copy(history.folder, users).toDatabase()
        }
        #expect(former?.message.contains("was made before 0.1.0. Export its users") == true)
        let whole = try await PostgresUsers([])
        for sql in [
            "INSERT INTO grdb_migrations VALUES ('v99 later')",
            "DELETE FROM grdb_migrations WHERE identifier IN ('v99 later', '0.1.0')",
        ] {
            try await DatabaseQueue(path: history.folder.path + "/users.sqlite").write {
                try $0.execute(sql: sql)
            }
            #expect(
                await code { _ = try await copy(history.folder, whole).toDatabase() }
                    == .otherVersion)
        }
        try await DatabaseQueue(path: history.folder.path + "/users.sqlite").write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v1 users')")
        }
        let early = await #expect(throws: CopyError.self) {
            _ = try await copy(history.folder, whole).toDatabase()
        }
        #expect(early?.code == .otherVersion)
        #expect(early?.message.contains("was made before 0.1.0. Export its users") == true)
    }

    @Test func aLoginThatMayNotMigrateIsRefused() async throws {
        let history = try CopyHistory(seed: 24)
        try await history.make(accounts: 2, rounds: 1)
        let users = try await PostgresUsers([])
        let move = UserCopy(UserFolder(history.folder.url), users.server)
        #expect(await code { _ = try await move.toDatabase() } == .wrongCredentials)
    }

    @Test func theOwnerNeedsNoSuperuser() async throws {
        let history = try CopyHistory(seed: 25)
        try await history.make(accounts: 2, rounds: 3)
        let users = try await PostgresUsers([])
        let name = "migrator_\(users.admin.database ?? "")"
        try await users.execute(
            "CREATE ROLE \(identifier: name) LOGIN PASSWORD 'secret' IN ROLE underway_owner")
        var address = users.admin
        (address.user, address.password) = (name, HiddenText("secret"))
        let report = try await UserCopy(UserFolder(history.folder.url), address).toDatabase()
        let back = try TemporaryFolder()
        #expect(try await UserCopy(UserFolder(back.url), address).toFolder() == report)
        try await users.execute("DROP ROLE \(identifier: name)")
    }

    // MARK: Damage

    @Test(arguments: [
        "DELETE FROM answerRow WHERE counter = 1",
        "DELETE FROM answerQuestion",
        "UPDATE device SET last_answer = last_answer + 1 WHERE last_answer > 0",
        "PRAGMA foreign_keys = OFF; DELETE FROM account WHERE number = 1",
    ])
    func aSourceThatContradictsItselfIsRefused(sql: String) async throws {
        let history = try CopyHistory(seed: 31)
        try await history.make(accounts: 2)
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        try await DatabaseQueue(
            path: history.folder.path + "/users.sqlite", configuration: configuration
        )
        .write { try $0.execute(sql: sql) }
        let users = try await PostgresUsers([])
        let before = try await CopyFixture.state(users)
        let found = await code { _ = try await copy(history.folder, users).toDatabase() }
        #expect(found == .damaged || found == .differs, "\(String(describing: found))")
        #expect(try await CopyFixture.state(users) == before)
    }

    @Test func aFileThatIsCutIsRefused() async throws {
        let history = try CopyHistory(seed: 32)
        try await history.make(accounts: 2)
        let file = history.folder.path + "/users.sqlite"
        let bytes = try history.folder.read("users.sqlite")
        let half = bytes.count / 8192 * 4096
        try Data(bytes[..<half] + [UInt8](repeating: 0xA5, count: bytes.count - half)).write(
            to: URL(fileURLWithPath: file))
        let users = try await PostgresUsers([])
        let before = try await CopyFixture.state(users)
        await #expect(throws: (any Error).self) {
            _ = try await copy(history.folder, users).toDatabase()
        }
        #expect(try await CopyFixture.state(users) == before)
    }

    /// A trigger of the target changes what was written; the count stays the same.
    @Test(arguments: [
        ("record", "NEW.batch := NEW.batch + 1"), ("mark", "NEW.text := NEW.text || '.'"),
        ("refresh_token", "NEW.expires_at := 1"), ("answer", "NEW.taken := NEW.taken / 2"),
    ])
    func aCopyThatDiffersLeavesNothing(table: String, change: String) async throws {
        let history = try CopyHistory(seed: 33)
        try await history.make(accounts: 2)
        let users = try await PostgresUsers([])
        let before = try await CopyFixture.state(users)
        try await users.execute(
            """
            CREATE FUNCTION underway.altered() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN \(sql: change); RETURN NEW; END $$
            """,
            """
            CREATE TRIGGER altered BEFORE INSERT ON underway.\(identifier: table)
                FOR EACH ROW EXECUTE FUNCTION underway.altered()
            """)
        let move = copy(history.folder, users)
        #expect(await code { _ = try await move.toDatabase() } == .differs)
        #expect(try await CopyFixture.state(users) == before)
        try await users.execute("DROP TRIGGER altered ON underway.\(identifier: table)")
        _ = try await move.toDatabase()
    }

    /// A target that writes one row otherwise than it was given.
    private final class AlteringTarget: CopyTarget {
        private let target: any CopyTarget
        private let table: String
        private let drops: Bool
        private var isDone = false

        init(_ target: any CopyTarget, _ table: String, drops: Bool) {
            (self.target, self.table, self.drops) = (target, table, drops)
        }

        func write(_ row: CopyRow, to table: CopyTable) throws {
            guard table.name == self.table, !isDone else { return try target.write(row, to: table) }
            isDone = true
            if drops { return }
            var row = row
            for (place, value) in row.enumerated() {
                if case .text(let text) = value { row[place] = .text(text + "é") }
            }
            try target.write(row, to: table)
        }

        func forEachRow(of table: CopyTable, _ body: (CopyRow) throws -> Void) throws {
            try target.forEachRow(of: table, body)
        }
        func revocations() throws -> [Revocation] { try target.revocations() }
        func marks() throws -> [String] { try target.marks() }
        func finish(_ table: CopyTable) throws { try target.finish(table) }
        func add(_ revocations: [Revocation]) throws { try target.add(revocations) }
        func adopt(marks: [String]) throws { try target.adopt(marks: marks) }
        func complete() throws { try target.complete() }
    }

    @Test(arguments: ["password", "identity", "mark"], [true, false])
    func aFolderThatDiffersIsNotMade(table: String, drops: Bool) async throws {
        let history = try CopyHistory(seed: 34)
        try await history.make(accounts: 3)
        let target = try TemporaryFolder()
        do {
            try UserFolder(history.folder.url).read { source in
                try UserFolder(target.url).make { target in
                    _ = try DatabaseCopy(
                        from: source, to: AlteringTarget(target, table, drops: drops)
                    ).run()
                }
            }
            Issue.record("it was copied")
        } catch let error as CopyError {
            #expect(error.code == .differs && error.message.contains("in the table \(table):"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.path) == [])
    }

    @Test func whatAKilledCopyLeftIsReplaced() async throws {
        let history = try CopyHistory(seed: 35)
        try await history.make(accounts: 2, rounds: 3)
        let users = try await PostgresUsers([])
        let report = try await copy(history.folder, users).toDatabase()
        let target = try TemporaryFolder()
        try target.write("no database, but the start of one", to: "users.sqlite.copy")
        #expect(try await copy(target, users).toFolder() == report)
        #expect(!target.exists("users.sqlite.copy"))
    }

    @Test func twoCopiesIntoOneFolderDoNotMix() async throws {
        let history = try CopyHistory(seed: 36)
        try await history.make(accounts: 2, rounds: 3)
        let target = try TemporaryFolder()
        let other = try TemporaryFolder()
        _ = try await copyFolder(history.folder, other)
        try UserFolder(target.url).make { first in
            try UserFolder(history.folder.url).read { source in
                #expect(throws: CopyError.self) {
                    try UserFolder(target.url).make { _ in }
                }
                _ = try DatabaseCopy(from: source, to: first).run()
            }
        }
        #expect(try CopyFixture.contents(target.path) == CopyFixture.contents(other.path))
    }

    private func copyFolder(_ from: TemporaryFolder, _ to: TemporaryFolder) async throws
        -> CopyReport
    {
        try UserFolder(from.url).read { source in
            try UserFolder(to.url).make { try DatabaseCopy(from: source, to: $0).run() }
        }
    }

    @Test func anotherKeyIsRefused() async throws {
        let history = try CopyHistory(seed: 37)
        try await history.make(accounts: 2, rounds: 3)
        let users = try await PostgresUsers([])
        _ = try await copy(history.folder, users).toDatabase()
        let pool = users.pool()
        _ = try await history.service(on: pool)
        await pool.close()
        let other = try TemporaryFolder()
        _ = try ServerKey.read(in: other.url)
        #expect(await code { _ = try await copy(other, users).toFolder() } == .wrongCredentials)
        #expect(!other.exists("users.sqlite"))
    }

    /// Revocations of all processes, which a later restore of the file must not undo.
    @Test func revocationsAreAddedToTheFolders() async throws {
        let history = try CopyHistory(seed: 38)
        try await history.make(accounts: 3, rounds: 3)
        let users = try await PostgresUsers([])
        let report = try await copy(history.folder, users).toDatabase()
        #expect(report.revocations > 1)
        try await users.execute(
            "INSERT INTO underway.revocation (kind, name, at) VALUES ('family', 'elsewhere', 7)")
        let target = try TemporaryFolder()
        try target.write("family 3 own\nfamily 9 elsewhere\n", to: "keys/revocations")
        let folder = UserFolder(target.url, keys: target.url.appending(path: "keys"))
        _ = try await UserCopy(folder, users.admin).toFolder()
        let known = try RevocationFile(in: folder.keys).read()
        #expect(known.count == report.revocations + 2)
        #expect(
            known.contains(.family("elsewhere", at: 9)) && known.contains(.family("own", at: 3)))
    }
}
