import DatabaseTestSupport
import Foundation
import GRDB
import PostgresDriver
import ServiceAPI
import TestSupport
import Testing

@testable import Accounts
@testable import Ledger
@testable import ServerApplication
@testable import Tables

/// What several processes on PostgreSQL share, and what a restore of the database does not undo.
@Suite struct PostgresAccountTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func seconds(_ count: Double) -> Date { now.addingTimeInterval(count) }

    private func service(
        _ users: PostgresUsers, _ folder: TemporaryFolder, now: Date? = nil
    ) async throws -> UserBackend {
        let time = now ?? self.now
        return try await UserBackend(
            users.pool(), UserServiceOptions(folder: folder.url, passwordRounds: 1 << 10),
            clock: { time })
    }

    /// Copies the key of one process to another, as an operator does.
    private func folder(like other: TemporaryFolder) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: other.path + "/token-key", toPath: folder.path + "/token-key")
        return folder
    }

    @Test func processesWithOneKeyServeOneAnothersUsers() async throws {
        let (users, first) = (try await PostgresUsers([]), try TemporaryFolder())
        let one = try await service(users, first)
        let tokens = try await one.makeAnonymousAccount(address: "a")
        let second = try folder(like: first)
        let two = try await service(users, second)
        #expect(try await two.authentication.user("Bearer " + tokens.accessToken) == tokens.user)
        let renewed = try await two.refresh(tokens.refreshToken, address: "a")
        try await two.revokeAll(of: tokens.user)
        let code = await problemCode {
            _ = try await one.authentication.user("Bearer " + renewed.accessToken)
        }
        #expect(code == .unauthorized)
        try await one.delete(tokens.user)
        let deleted = await problemCode {
            _ = try await two.authentication.user("Bearer " + renewed.accessToken)
        }
        #expect(deleted == .noAccount)
        #expect(await one.obstacle() == nil)
        withExtendedLifetime((first, second)) {}
    }

    /// Attempts count for minutes, so that nobody waits for the disk.
    @Test func anAttemptIsCommittedWithoutTheDisk() async throws {
        let users = try await PostgresUsers([])
        try await users.execute(
            script: """
                CREATE TABLE public.seen (setting text);
                CREATE FUNCTION public.see() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
                    BEGIN
                        INSERT INTO public.seen VALUES (current_setting('synchronous_commit'));
                        RETURN NEW;
                    END $$;
                CREATE TRIGGER see AFTER UPDATE ON underway.failed_attempt
                    FOR EACH ROW EXECUTE FUNCTION public.see();
                """)
        let limits = PostgresRateLimits(users.pool())
        let limit = FailureLimit("a", 3)
        #expect(await limits.begin(limit, of: "x", now: 0) == nil)
        await limits.withdraw(limit, of: "x")
        let seen = try await users.execute("SELECT setting FROM public.seen")[0]
        #expect(try seen.column("setting", as: String.self) == ["off", "off"])
    }

    @Test func aProcessWithAnotherKeyDoesNotStart() async throws {
        let users = try await PostgresUsers([])
        _ = try await service(users, try TemporaryFolder())
        await #expect(throws: SetupError.self) {
            _ = try await service(users, try TemporaryFolder())
        }
    }

    /// A backup of all of the database, from before the second process and the deletions.
    @Test func aRestoreUndoesNoRevocationOfAnyProcess() async throws {
        let (users, first) = (try await PostgresUsers([]), try TemporaryFolder())
        let one = try await service(users, first)
        let second = try folder(like: first)
        let two = try await service(users, second)
        var all: [SessionTokens] = []
        for _ in 0..<3 { all.append(try await one.makeAnonymousAccount(address: "a")) }
        let backup = try await users.copy()
        let later = seconds(Double(ServiceLimits.instanceMarkSeconds + 1))
        try await one.delete(all[0].user)
        try await two.revoke(all[1].refreshToken)
        let renewed = try await service(users, first, now: later)
            .refresh(all[2].refreshToken, address: "a")
        let restored = try await service(backup, first, now: later)
        _ = try await service(backup, second, now: later)
        let generation = try await backup.execute(
            "SELECT value FROM underway.setting WHERE name = 'generation'")
        #expect(
            try generation[0].column("value", as: String.self).first.flatMap { Int($0) } ?? 0 > 0)
        for (tokens, expected) in zip(all, [ProblemCode.noAccount, .unauthorized]) {
            let code = await problemCode {
                _ = try await restored.refresh(tokens.refreshToken, address: "a")
            }
            #expect(code == expected)
        }
        // A session that went on after the backup proves itself.
        #expect(try await restored.refresh(renewed.refreshToken, address: "a").user == all[2].user)
    }

    /// Whoever asks several processes gets no more guesses.
    @Test func failedAttemptsCountForAllProcesses() async throws {
        let users = try await PostgresUsers([])
        let limits = [PostgresRateLimits(users.pool()), PostgresRateLimits(users.pool())]
        let limit = FailureLimit("guesses", 4)
        let time = now.millisecondsSince1970 / 60_000 * 60_000
        let allowed = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<12 {
                group.addTask {
                    await limits[number % 2].begin(limit, of: "x", now: time) == nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(allowed == 4)
        #expect(await limits[0].begin(limit, of: "y", now: time) == nil)
        #expect(await limits[0].begin(limit, of: "x", now: time) == 61)
        await limits[1].withdraw(limit, of: "x")
        #expect(await limits[0].begin(limit, of: "x", now: time) == nil)
        #expect(await limits[1].begin(limit, of: "x", now: time + 60_000) == 1)
        let names = try await users.execute(
            "SELECT name FROM underway.failed_attempt")[0].column("name", as: [UInt8].self)
        #expect(names.count == 2 && names.allSatisfy { $0.count == 32 })
    }

    /// Without the database a process counts by itself, and lets nobody guess without bound.
    @Test func attemptsAreCountedWithoutTheDatabase() async throws {
        let pool = try await PostgresUsers([]).pool()
        await pool.close()
        let limits = PostgresRateLimits(pool)
        let limit = FailureLimit("guesses", 2)
        for expected in [true, true, false] {
            #expect((await limits.begin(limit, of: "x", now: 0) == nil) == expected)
        }
        await limits.withdraw(limit, of: "x")
        #expect(await limits.begin(limit, of: "x", now: 0) == nil)
    }

    /// A pooler gives each transaction another connection, and forgets no role or setting between them.
    @Test func sessionsGoOnThroughAPooler() async throws {
        let users = try await PostgresUsers([])
        let pooler = try PgBouncerServer(
            try PostgresServer.shared(),
            users: ["underway_server": users.server.password?.reveal() ?? ""])
        let address = pooler.address(users.server.database ?? "", user: "underway_server")
        let pool = PostgresPool(.patient(address))
        let folder = try TemporaryFolder()
        let service = try await UserBackend(
            pool, UserServiceOptions(folder: folder.url, passwordRounds: 1 << 10),
            clock: { Date(timeIntervalSince1970: 1_800_000_000) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let first = try await service.makeAnonymousAccount(address: "\(number)")
                    let next = try await service.refresh(first.refreshToken, address: "a")
                    let user = try await service.authentication.authenticatedUser(
                        "Bearer " + next.accessToken)
                    try await service.upgrade(
                        user, email: "u\(number)@b.c", password: "correct horse", address: "a")
                    _ = try await service.signIn(
                        email: "u\(number)@b.c", password: "correct horse", address: "a")
                    try await service.delete(first.user)
                }
            }
            try await group.waitForAll()
        }
        try await service.purgeAccounts()
        let left = try await users.execute("SELECT count(*) AS rows FROM underway.account")
        #expect(try left[0].first?.value("rows") == 0)
        withExtendedLifetime(pooler) {}
    }

    /// Without statistics, and where a scan of all rows is the last resort: an index serves each condition.
    @Test func noStatementScansATable() async throws {
        let users = try await PostgresUsers([])
        let folder = try TemporaryFolder()
        let database = try UserDatabase(path: folder.path + "/users.sqlite")
        for name in [AccountReadSet.Name.id("u"), .email("a@b.c"), .identity(Self.identity)] {
            let opening = AccountOpening(Self.keys(name), locks: true)
            let statements = opening.locating + opening.statements
            #expect(statements.compactMap(\.inPostgres).count == 8)
            for statement in statements.compactMap(\.inPostgres) {
                let plan = try await users.execute(
                    "SET LOCAL enable_seqscan = off",
                    PostgresStatement(sql: "EXPLAIN " + statement.sql, statement.parameters))
                let lines = try plan[1].column("QUERY PLAN", as: String.self)
                #expect(!lines.contains { $0.contains("Seq Scan") }, "\(lines)")
            }
            for (sql, arguments) in statements.compactMap({ $0.inSQLite(1) }) {
                let lines = try await database.connections.read { database in
                    try Row.fetchAll(
                        database, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments
                    ).map { $0["detail"] as String }
                }
                // A subquery and a row of constants are scanned as they are made.
                let scans = lines.filter { $0.hasPrefix("SCAN") }
                #expect(Set(scans).isSubset(of: ["SCAN owner", "SCAN one", "SCAN CONSTANT ROW"]))
            }
        }
    }

    private static let identity = ExternalIdentity(issuer: "i", subject: "s")

    private static func keys(_ name: AccountReadSet.Name) -> AccountReadSet {
        var keys = AccountReadSet(name)
        (keys.token, keys.session, keys.email) = (.hash(1), "f", "a@b.c")
        (keys.identity, keys.readsSignInMethods) = (identity, true)
        keys.code = AccountReadSet.Code(hash: .hash(1), purpose: .verifyEmail)
        return keys
    }

    // MARK: Rights

    private static let tables = [
        "password", "identity", "email_code", "refresh_token", "revocation", "instance_mark",
        "failed_attempt",
    ]

    /// A user's token is worth nothing here, not even for the user's own rows.
    @Test(arguments: ["authenticated", "anon"])
    func noUserReadsOrWritesWhatOpensAccounts(role: String) async throws {
        let users = try await PostgresUsers(["u"])
        let pool = users.pool()
        for table in Self.tables {
            for statement in [
                "SELECT FROM underway.\(table)", "DELETE FROM underway.\(table)",
                "INSERT INTO underway.\(table) DEFAULT VALUES",
            ] {
                let error = await #expect(throws: PostgresError.self, "\(statement)") {
                    try await pool.transaction { transaction in
                        try transaction.query(UserClaims(of: "u").statement)
                        try transaction.query("SELECT set_config('role', \(role), true)")
                        try transaction.query(PostgresStatement(sql: statement))
                    }
                }
                #expect(error?.code == .insufficientPrivilege)
            }
        }
    }

    /// A privilege that is granted by mistake shows no row; only without row security would it.
    @Test func policiesHideWhatAPrivilegeWouldShow() async throws {
        let users = try await PostgresUsers(["u"])
        let storage = try PostgresAccounts.withRooms(users.pool())
        try await storage.change(AccountReadSet()) { _ in
            AccountOutcome([.signIn(.setPassword(.sample("a@b.c"), of: "u"))], reply: ())
        }
        let pool = users.pool()
        func seen() async throws -> Int {
            try await pool.transaction { transaction in
                try transaction.query(UserClaims(of: "u").statement)
                return try transaction.query("SELECT email FROM underway.password").count
            }
        }
        try await users.execute("GRANT SELECT ON underway.password TO authenticated")
        #expect(try await seen() == 0)
        try await users.execute("ALTER TABLE underway.password DISABLE ROW LEVEL SECURITY")
        #expect(try await seen() == 1)
    }

    /// Sign-in sees accounts, and nothing that their users stored.
    @Test func signInReadsNothingOfTheLedger() async throws {
        let users = try await PostgresUsers(["u"])
        let pool = users.pool()
        for table in ["record", "answer", "device", "own_name", "result", "mark"] {
            let error = await #expect(throws: PostgresError.self, "\(table)") {
                try await pool.transaction { transaction in
                    try transaction.query("SELECT set_config('role', 'underway_accounts', true)")
                    try transaction.query("SELECT FROM underway.\(identifier: table)")
                }
            }
            #expect(error?.code == .insufficientPrivilege)
        }
    }

    /// Every table with rows of accounts is emptied by an erasure, a later one too.
    @Test func noTableIsForgottenByAnErasure() async throws {
        let users = try await PostgresUsers([])
        let rows = try await users.execute(
            """
            SELECT c.relname::text AS name, c.relforcerowsecurity AS is_forced,
                EXISTS (SELECT FROM pg_policy p
                    WHERE p.polrelid = c.oid AND p.polname = 'erased') AS is_erased
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account'
            WHERE c.relnamespace = 'underway'::regnamespace AND c.relkind = 'r'
            """)[0]
        #expect(rows.count > 10)
        for row in rows {
            let name = try row.value("name", as: String.self)
            #expect(try row.value("is_forced"), "\(name)")
            #expect(try row.value("is_erased"), "\(name)")
        }
    }

    /// A text that breaks out of a statement, a pattern or a list would find or change other rows.
    @Test(
        arguments: [
            "' OR true --", "'; DROP TABLE underway.account; --", "%", "_", "\\", "{u}", "$1",
            "\"u\"",
            "u\u{2028}", "ü",
        ])
    func noTextIsMoreThanAText(text: String) async throws {
        let users = try await PostgresUsers(["u"])
        let storage = try PostgresAccounts.withRooms(users.pool())
        let identity = ExternalIdentity(issuer: text, subject: text)
        for name in [AccountReadSet.Name.id(text), .email(text), .identity(identity)] {
            var keys = AccountReadSet(name)
            (keys.session, keys.email, keys.identity) = (text, text, identity)
            let snapshot = try await storage.open(keys)
            #expect(snapshot.account == nil && snapshot.emailOwners.isEmpty)
            #expect(snapshot.identityOwner == nil && !snapshot.session.isOpen)
        }
        try await storage.change(AccountReadSet()) { _ in
            AccountOutcome(
                [
                    .signIn(.link(identity, to: "u")),
                    .signIn(.setPassword(.sample(text), of: "u")), .markDeleted(text, at: 1),
                    .session(.remove(family: text)),
                    .session(.removeAll(of: text, except: text, expiringBy: nil)),
                    .revoke(.sessions(of: text, kept: text, tokenGeneration: 1, at: 1)),
                ], reply: ())
        }
        var keys = AccountReadSet(.identity(identity))
        keys.readsSignInMethods = true
        let snapshot = try await storage.open(keys)
        #expect(snapshot.account?.id == "u" && snapshot.identities == [identity])
        #expect(snapshot.password?.email == text)
        var unknown = AccountReadSet(.id(text))
        unknown.session = text
        #expect(
            try await storage.open(unknown).revocations.allSessions
                == .sessions(of: text, kept: text, tokenGeneration: 1, at: 1))
    }

    /// Between COMMIT and its reply: the device presents its token again, and goes on.
    @Test func aServerThatIsGoneIsUnavailable() async throws {
        let pool = try await PostgresUsers([]).pool()
        let storage = try PostgresAccounts.withRooms(pool)
        await pool.close()
        await #expect(throws: StorageError.unavailable) {
            _ = try await storage.open(AccountReadSet())
        }
        await #expect(throws: StorageError.unavailable) {
            try await storage.change(AccountReadSet()) { _ in AccountOutcome(reply: ()) }
        }
        #expect(await storage.obstacle() == .noAnswer)
    }
}
