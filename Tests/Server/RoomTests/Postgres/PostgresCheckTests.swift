import DatabaseTestSupport
import Foundation
import PostgresDriver
import ServiceAPI
import Tables
import Testing
import UserData

@testable import Boards
@testable import Ledger
@testable import Operations

/// The check of a PostgreSQL database: each fault is made on purpose, found, and mended as the finding says.
@Suite struct PostgresCheckTests {
    private let users: PostgresUsers
    /// The number of the account `u`.
    private let number: Int64

    init() async throws {
        users = try await PostgresUsers()
        let ledger = PostgresLedger(users.pool())
        for device in CheckedDevice.all {
            _ = try await device.exchange(device.first, ledger)
        }
        number = try await users.execute("SELECT number FROM underway.account WHERE id = 'u'")[0]
            .column("number", as: Int64.self)[0]
    }

    private func findings() async throws -> [DatabaseFinding] {
        try await PostgresCheck(users.server).run().findings
    }

    /// Executes what a remedy says to run.
    private func follow(_ finding: DatabaseFinding) async throws {
        let words = try #require(finding.remedy.firstRange(of: ": "))
        var script = String(finding.remedy[words.upperBound...])
        if let end = script.range(of: "; then") { script = String(script[..<end.lowerBound]) }
        try await users.execute(script: script)
    }

    /// Makes a fault, and expects one finding of it alone.
    private func found(
        after script: String, _ kind: DatabaseFinding.Kind, _ place: String
    ) async throws -> DatabaseFinding {
        try await users.execute(script: script)
        let all = try await findings()
        let finding = try #require(all.first { $0.kind == kind }, "\(all)")
        #expect(all.map(\.kind) == [kind], "\(all)")
        #expect(finding.place.contains(place), "\(finding)")
        return finding
    }

    @Test func retractionsAndRepeatsAreNoFault() async throws {
        let ledger = PostgresLedger(users.pool())
        for device in CheckedDevice.all { _ = try await device.exchange(device.undo, ledger) }
        #expect(try await findings() == [])
        try await users.execute("SELECT underway.recount_1(\(number))")
        #expect(try await findings() == [])
    }

    @Test func aNewDatabaseHasNoFault() async throws {
        let report = try await PostgresCheck(users.server).run()
        #expect(report.findings == [])
        #expect(report.accountCount == 2 && report.recordCount == 6 && report.answerCount == 9)
    }

    // MARK: Accounts

    @Test(arguments: [
        ("digest = '1.2.3'", DatabaseFinding.Kind.digest),
        ("record_bytes = record_bytes + 1", .recordTotals),
        ("collections = '{\"stars\": 9}'", .recordTotals),
    ])
    func wrongTotalsAreComputedAnew(change: String, kind: DatabaseFinding.Kind) async throws {
        let finding = try await found(
            after: "UPDATE underway.account SET \(change) WHERE id = 'u'", kind, "account \(number)"
        )
        try await follow(finding)
        let device = CheckedDevice("u", "phone")
        _ = try await device.exchange(device.second, PostgresLedger(users.pool()))
        #expect(try await findings() == [])
    }

    /// An account that the check cannot read is a fault, and never one account less.
    @Test(arguments: [
        "UPDATE underway.account SET user_id = NULL WHERE id = 'u'",
        "CREATE OR REPLACE FUNCTION underway.claim() RETURNS bigint LANGUAGE sql STABLE AS 'SELECT 2::bigint'",
    ])
    func anAccountThatNobodyCanOpenIsFound(change: String) async throws {
        try await users.execute(script: change)
        let all = try await findings()
        #expect(
            all.contains { $0.kind == .identity && $0.place == "account \(number)" }, "\(all)")
    }

    @Test func aRecordThatCannotBeReadIsMovedAside() async throws {
        _ = try await found(
            after: """
                UPDATE underway.record SET json = (left(json::text, 1) || '"x": 1e999, '
                    || substr(json::text, 2))::json
                WHERE id = 'phone-a' AND account = \(number);
                UPDATE underway.account SET record_bytes = (SELECT sum(octet_length(json::text))
                    FROM underway.record WHERE account = number) WHERE number = \(number)
                """, .record, "account \(number)")
        var keys = LedgerReadSet(user: "u", client: ClientID("phone"), now: 1)
        keys.page = .init(after: 0, recordsMax: 10, bytesMax: 1 << 20)
        try await PostgresLedger(users.pool()).exchange(keys) { _ in
            LedgerDecision(changes: LedgerChanges(), reply: ())
        }
        #expect(try await findings() == [])
    }

    @Test func aRecordBeyondTheLogIsFound() async throws {
        let finding = try await found(
            after: "UPDATE underway.account SET position = 2 WHERE id = 'u'", .position,
            "account \(number)")
        try await follow(finding)
        #expect(try await findings() == [])
    }

    @Test func missingAnswersAreFound() async throws {
        try await users.execute(
            "DELETE FROM underway.answer WHERE account = \(number) AND device = 1 AND counter = 2")
        let all = try await findings()
        #expect(all.map(\.kind) == [.answers])
        #expect(all.first?.place == "account \(number), device 1")
    }

    @Test func aWrongNumberOfAnswersIsCountedAnew() async throws {
        let finding = try await found(
            after: "UPDATE underway.account SET answer_count = 70 WHERE id = 'u'", .answerCount,
            "account \(number)")
        try await follow(finding)
        #expect(try await findings() == [])
    }

    @Test(arguments: [
        "UPDATE underway.answer_day SET answers = answers + 1",
        "UPDATE underway.answer_day SET taken = 0",
        "UPDATE underway.answer_day SET histogram = '{1}'",
        "UPDATE underway.answer_day SET questions_of_day = 9",
        "UPDATE underway.answer_day SET questions_of_domain = 9",
        "DELETE FROM underway.answer_day",
        "DELETE FROM underway.question_day",
        "INSERT INTO underway.question_domain SELECT DISTINCT account, -99, 'x' FROM underway.question_day",
    ])
    func wrongSumsAreCountedAnew(change: String) async throws {
        try await users.execute(script: change)
        let all = try await findings()
        #expect(Set(all.map(\.kind)) == [.statistics] && all.count == 2, "\(all)")
        for finding in all { try await follow(finding) }
        #expect(try await findings() == [])
        // The next run of answers goes on from the new sums.
        let device = CheckedDevice("u", "phone")
        _ = try await device.exchange(device.second, PostgresLedger(users.pool()))
        #expect(try await findings() == [])
    }

    @Test(arguments: [
        "UPDATE underway.session_score SET answers = answers + 1",
        "UPDATE underway.session_score SET first_answers = 77",
        "DELETE FROM underway.session_score",
    ])
    func wrongSumsOfSessionsAreCountedAnew(change: String) async throws {
        try await users.execute(script: change)
        let all = try await findings()
        #expect(Set(all.map(\.kind)) == [.sessions], "\(all)")
        let boards = BoardService(BoardStorage(users.pool(), changesMax: 10_000)) { Date() }
        _ = try await boards.recount()
        #expect(try await findings() == [])
    }

    @Test func rowsOfNoAccountAreFound() async throws {
        let finding = try await found(
            after: """
                INSERT INTO underway.answer (account, device, counter) VALUES (977, 1, 1), (977, 1, 2)
                """, .orphan, "account 977, table underway.answer")
        #expect(finding.problem.contains("2"))
        try await follow(finding)
        #expect(try await findings() == [])
    }

    /// As after a backup that brought a moved account back.
    @Test func aDeviceOfTwoAccountsIsFound() async throws {
        let name = "d" + String(repeating: "x-Y_0", count: 4) + "ab"
        let finding = try await found(
            after: """
                INSERT INTO underway.device (account, number, name)
                    SELECT number, 90, '\(name)' FROM underway.account;
                INSERT INTO underway.device (account, number, name)
                    SELECT number, 91, 'w0123456789A' FROM underway.account;
                """, .device, "accounts \(number) and \(number + 1)")
        #expect(!"\(finding)".contains(name))
        // A moving account has all that the other one has.
        try await users.execute(
            """
            UPDATE underway.account SET id = 'moving u', deleted_at = 1,
                user_id = \(UserClaims(of: "moving u").user)
            WHERE id = 'u'
            """)
        #expect(try await findings() == [])
    }

    @Test func answersWithoutTheirNamesAreFound() async throws {
        try await users.execute("DELETE FROM underway.session WHERE account = \(number)")
        let all = try await findings()
        #expect(all.map(\.kind) == [.orphan])
        #expect(all.first?.place == "account \(number), table underway.answer")
    }

    @Test func anAccountOfAnotherIdentityIsFound() async throws {
        let finding = try await found(
            after: "UPDATE underway.account SET user_id = gen_random_uuid() WHERE id = 'u'",
            .identity, "account \(number)")
        try await follow(finding)
        #expect(try await findings() == [])
    }

    // MARK: Policies

    @Test(arguments: [
        ("ALTER TABLE underway.answer DISABLE ROW LEVEL SECURITY", "not enabled and forced"),
        ("ALTER TABLE underway.record NO FORCE ROW LEVEL SECURITY", "not enabled and forced"),
        ("ALTER POLICY own ON underway.record USING (true)", "own is another one"),
        ("ALTER POLICY own ON underway.record TO public", "own is another one"),
        ("CREATE POLICY mine ON underway.mark USING (true)", "mine is not of this program"),
    ])
    func aChangedPolicyIsFound(change: String, text: String) async throws {
        try await users.execute(script: change)
        let all = try await findings()
        #expect(all.map(\.kind) == [.policy], "\(all)")
        #expect(all.first?.problem.contains(text) == true, "\(all)")
    }

    // MARK: Login and schema

    /// As after a restore without privileges or without a schema: a finding, and no failure of the network.
    @Test(arguments: [
        "REVOKE USAGE ON SCHEMA underway FROM authenticated",
        "REVOKE SELECT ON underway.migration FROM underway_keeper",
        "DROP SCHEMA content CASCADE",
    ])
    func aMissingRightIsAFinding(fault: String) async throws {
        try await users.execute(script: fault)
        let all = try await findings()
        #expect(all.contains { $0.kind == .schema }, "\(all)")
    }

    /// Only what is missing keeps the check from reading users' data.
    @Test func dataIsCheckedBesideAForeignTableAndNotWithoutAColumn() async throws {
        try await users.execute(
            script: """
                CREATE TABLE underway.mine (account bigint);
                DROP INDEX underway.audit_by_time;
                UPDATE underway.account SET answer_count = 70 WHERE id = 'u';
                """)
        #expect(try await Set(findings().map(\.kind)) == [.schema, .answerCount])
        try await users.execute(script: "ALTER TABLE underway.account DROP COLUMN epoch CASCADE")
        let report = try await PostgresCheck(users.server).run()
        #expect(report.findings.contains { $0.problem == "The column epoch is missing." })
        #expect(report.accountCount == 0 && !report.findings.contains { $0.kind == .answerCount })
    }

    /// A server of its own: roles belong to all databases of one.
    @Test func aLoginWithOtherRightsIsFound() async throws {
        let server = try PostgresServer()
        let users = try await PostgresUsers([], on: server)
        func kinds() async throws -> [DatabaseFinding.Kind] {
            try await PostgresCheck(users.server).run().findings.map(\.kind)
        }
        #expect(try await kinds() == [])
        for (fault, mended, kind) in [
            ("BYPASSRLS", "NOBYPASSRLS", DatabaseFinding.Kind.login),
            ("SUPERUSER", "NOSUPERUSER", .login), ("INHERIT", "NOINHERIT", .login),
            ("SET lock_timeout = 0", "SET lock_timeout = '2s'", .timeouts),
            (
                "SET default_transaction_read_only = on", "RESET default_transaction_read_only",
                .connection
            ),
        ] {
            try await users.execute(script: "ALTER ROLE underway_server \(fault)")
            #expect(try await kinds() == [kind], "\(fault)")
            try await users.execute(script: "ALTER ROLE underway_server \(mended)")
        }
        for role in ["underway_keeper", "underway_accounts", "authenticated", "underway_publisher"]
        {
            try await users.execute(script: "REVOKE \(role) FROM underway_server")
            #expect(try await kinds() == [.login], "\(role)")
            try await users.execute(script: "GRANT \(role) TO underway_server")
        }
        try await users.execute(script: "GRANT underway_owner TO underway_server")
        #expect(try await kinds() == [.login])
        try await users.execute(script: "REVOKE underway_owner FROM underway_server")
        #expect(try await kinds() == [])
        server.kill()
        #expect(try await kinds() == [.connection])
    }

    @Test func anotherLoginAndAnotherDatabaseAreFound() async throws {
        var wrong = users.server
        wrong.password = HiddenText("wrong")
        var absent = users.server
        absent.database = "absent"
        for address in [wrong, absent] {
            let report = try await PostgresCheck(address).run()
            #expect(report.findings.map(\.kind) == [.connection])
            #expect(!"\(report)".contains("wrong\""))
        }
        let admin = try await PostgresCheck(users.admin).run()
        #expect(Set(admin.findings.map(\.kind)) == [.login, .timeouts])
        #expect(admin.answerCount == 9)
    }

    @Test func anEmptyDatabaseLacksTheFirstMigration() async throws {
        let address = try await PostgresServer.shared().newDatabase("empty")
        var server = users.server
        server.database = address.database
        let report = try await PostgresCheck(server).run()
        #expect(report.findings.map(\.kind) == [.migration])
        #expect(report.findings.first?.problem.contains("\"0.1.0\"") == true)
    }

    /// The roles of another server are made by a migration there; a dump has none.
    @Test func aBackupIsWholeOnAnotherServer() async throws {
        let backup = try PostgresServer.shared().backUp(users.admin.database ?? "")
        let other = try PostgresServer()
        _ = try await PostgresUsers([], on: other)
        let name = try #require(try await other.newDatabase("restored").database)
        try other.restore(backup, to: name)
        try await other.revokeTemporaryTables(in: name)
        let restored = try await PostgresUsers(on: other, existing: name)
        let report = try await PostgresCheck(restored.server).run()
        #expect(report.findings == [] && report.answerCount == 9)
        let pool = restored.pool()
        let first = try await RestoreDeclaration(
            pool, now: Date(timeIntervalSince1970: 1_800_000_000))
        let second = try await RestoreDeclaration(pool, now: Date(timeIntervalSince1970: 0))
        #expect(first.generation == 1_800_000_000 && second.generation == 1_800_000_001)
        #expect(first.contentEpoch != second.contentEpoch)
    }

    // MARK: Content

    private static let contentRows = """
        UPDATE content.state SET revision = 3, release = 2, manifest = 'kept',
            filled_at = '2026-09-21T14:13:20Z';
        INSERT INTO content.regions VALUES ('de');
        INSERT INTO content.exams (region, id, title, version, checksum, content_updated_at, revision)
        VALUES ('de', 'a', 'Exam', '1', 'sum', '2026-09-21T14:13:20Z', 3);
        INSERT INTO content.domains (region, exam, id, title, weight, place)
        VALUES ('de', 'a', 'one', 'One', 1, 0);
        INSERT INTO content.questions (region, exam, id, domain, type, difficulty, stem, options, correct,
            bytes, checksum, content_updated_at, revision)
        VALUES ('de', 'a', 'x', 'one', 'single-choice', 2, 'Which?',
            '[{"id": "a", "text": "A"}, {"id": "b", "text": "B"}]', '[0]', 90, 'sum',
            '2026-09-21T14:13:20Z', 3);
        INSERT INTO content.removed_exams VALUES ('de', 'b', '2026-09-20T00:00:00Z', 2);
        INSERT INTO content.removed_questions VALUES ('de', 'a', 'y', '2026-09-20T00:00:00Z', 2);
        """

    @Test(arguments: [
        "DELETE FROM content.state",
        "UPDATE content.state SET release = 0",
        "UPDATE content.state SET revision = 1",
        "UPDATE content.questions SET content_updated_at = 'infinity'",
        "INSERT INTO content.removed_questions VALUES ('de', 'a', 'x', now(), 1)",
        "INSERT INTO content.removed_exams VALUES ('de', 'a', now(), 1)",
        "INSERT INTO content.regions VALUES ('fr')",
    ])
    func contradictionsOfContentAreFound(change: String) async throws {
        try await users.execute(script: Self.contentRows)
        #expect(try await findings() == [])
        try await users.execute(script: change)
        let all = try await findings()
        #expect(Set(all.map(\.kind)) == [.content], "\(all)")
        try await follow(try #require(all.first))
        #expect(try await findings() == [])
    }
}
