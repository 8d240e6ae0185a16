import DatabaseTestSupport
import Foundation
import PostgresDriver
import PostgresStorage
import ServiceAPI
import Testing
import UserData

@testable import UserService

/// A dump of a database as it was after a migration, with rows in every table of that time.
///
/// `UNDERWAY_KEEP_DUMPS=1 swift test --traits Server --filter KeptDumpTests` writes the dumps that are missing. Run it in
/// the change that adds a migration, and commit the file: a dump that is there is never written again.
struct KeptDump: Sendable, CustomTestStringConvertible {
    /// The last migration that the database had.
    let last: PostgresMigration

    /// A dump for each migration of this version.
    static let all = PostgresMigration.all.map(KeptDump.init)

    var testDescription: String { last.name }

    var file: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Dumps/\(last.name.replacing(" ", with: "-")).sql")
    }

    var isThere: Bool { FileManager.default.fileExists(atPath: file.path) }

    /// The migrations of this version through the last one.
    private var migrations: [PostgresMigration] {
        let all = PostgresMigration.all
        let end = all.firstIndex(of: last) ?? all.endIndex - 1
        return Array(all[...end])
    }

    // MARK: Reading

    /// Makes a database of the dump on the shared server.
    func restored() async throws -> PostgresUsers {
        try await Self.database(of: String(contentsOf: file, encoding: .utf8))
    }

    /// Makes a database of statements.
    private static func database(of script: String) async throws -> PostgresUsers {
        // Its roles belong to the whole server.
        _ = try await PostgresUsers([])
        let server = try PostgresServer.shared()
        let address = try await server.newDatabase("kept")
        let users = try await PostgresUsers(on: server, existing: address.database ?? "")
        try await users.execute(script: script)
        return users
    }

    /// Dumps a database of the shared server and restores it: what PostgreSQL prints of an expression differs in
    /// parentheses from what it prints of the same expression once that was read again.
    static func copy(of users: PostgresUsers) async throws -> PostgresUsers {
        try await database(of: script(of: users.admin.database ?? ""))
    }

    /// Returns a dump without comments, and without the commands that only psql knows.
    private static func script(of database: String) throws -> String {
        try PostgresServer.shared().script(of: database)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("--") && !$0.hasPrefix("\\") }
            .joined(separator: "\n").replacing(/\n\n\n+/, with: "\n\n")
    }

    // MARK: Writing

    /// Writes the dump of a new database.
    func write() async throws {
        _ = try await PostgresUsers([])
        let server = try PostgresServer.shared()
        let address = try await server.newDatabase("new")
        let name = address.database ?? ""
        let pool = PostgresPool(PoolSettings(address))
        let migrations = migrations
        _ = try await pool.use { try PostgresMigrator(migrations).migrate($0) }
        await pool.close()
        let users = try await PostgresUsers(["u", "v"], on: server, existing: name)
        try await fillLedger(users)
        if migrations.contains(where: { $0.name == "2 accounts" }) {
            try await users.execute(script: Self.accountRows)
        }
        if migrations.contains(where: { $0.name.hasPrefix("content 1") }) {
            try await users.execute(script: Self.contentRows)
        }
        if migrations.contains(where: { $0.name == "5 boards" }) { try await fillBoards(users) }
        if migrations.contains(where: { $0.name == "6 events" }) { try await fillEvents(users) }
        if migrations.contains(where: { $0.name == "7 operations" }) {
            try await fillOperations(users)
        }
        if migrations.contains(where: { $0.name == "8 review" }) {
            try await users.execute(script: Self.reviewRows)
        }
        if migrations.contains(where: { $0.name == "9 regrading" }) {
            try await users.execute(script: Self.regradeRows)
        }
        if migrations.contains(where: { $0.name == "13 moves" }) {
            try await users.execute(script: Self.moveRows)
        }
        let text = try Self.script(of: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func fillBoards(_ users: PostgresUsers) async throws {
        let storage = PostgresBoards(users.pool())
        let boards = BoardService(storage) { Date(timeIntervalSince1970: 1_790_000_000) }
        try await storage.set(BoardDefinition(name: "es", bank: "es"))
        _ = try await boards.refresh()
        _ = try await boards.set(BoardProfileChange(name: "Ada", isListed: true), of: "u")
    }

    private func fillEvents(_ users: PostgresUsers) async throws {
        let start = Date(timeIntervalSince1970: 1_790_000_000)
        let events = EventService(PostgresEvents(users.pool()), ranking: MemoryRanking()) { start }
        try await events.set(
            EventDefinition(name: "finals", bank: "es", startsAt: start, endsAt: start + 3600))
        _ = try await events.submit(EventSubmission(id: "a", points: 7), to: "finals", of: "u")
    }

    private func fillOperations(_ users: PostgresUsers) async throws {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let administration = AdministrationService(PostgresAdministration(users.pool())) { now }
        _ = try await administration.set(.author, isGranted: true, of: "u", by: "operator:ada")
        try await UptakeService(PostgresUptake(users.pool())) { now }
            .note(
                InstalledContent(release: 17, obstacle: .storage), of: "u",
                client: ClientID("phone"))
    }

    private func fillLedger(_ users: PostgresUsers) async throws {
        let ledger = PostgresLedger(users.pool())
        for device in KeptDevice.all {
            _ = try await device.exchange(device.first, ledger)
        }
        try await ledger.startGeneration(now: Date(timeIntervalSince1970: 1_790_000_000))
        try await users.execute(
            """
            INSERT INTO underway.damaged_record (account, collection, id, position, found_at, json)
            SELECT number, 'stars', 'lost', 1, 1790000000000, '{"broken"' FROM underway.account
            WHERE id = 'v'
            """)
    }

    private static let moveRows = """
        INSERT INTO underway.account_move (source, target, answers, begun_at, finished_at, place)
        VALUES ('moved', 'u', 0, 1790000000000, 1790000000000, '{}');
        """

    private static let regradeRows = """
        INSERT INTO underway.corrected_version (bank, question, version, digest)
        VALUES ('es', 'q1', 'v1', gen_random_uuid());

        INSERT INTO underway.regrade_state (one, release, digest, swept_through)
        VALUES (1, 17, 'none', NULL);

        INSERT INTO underway.regrade_note (member)
        SELECT number FROM underway.account WHERE id = 'v';

        INSERT INTO underway.regraded_answer (account, device, counter, bank, session, day, domain,
            is_correct, credit, correct, points, first_points)
        SELECT number, 1, 1, 'es', 1, 20000, '', true, 1, 1, 10, 10 FROM underway.account
        WHERE id = 'v';

        """

    /// The password is "a long enough password" with 1,024 rounds, the token "kept token".
    private static let accountRows = """
        INSERT INTO underway.password (account, email, salt, hash, rounds, verified_at)
        SELECT number, 'ada@example.org', '\\x07070707070707070707070707070707',
            '\\x\(KeptAccount.passwordHash)', 1024, 1790000000 FROM underway.account WHERE id = 'u';

        INSERT INTO underway.identity (issuer, subject, account)
        SELECT 'https://issuer.example', 'ada', number FROM underway.account WHERE id = 'u';

        INSERT INTO underway.email_code (account, purpose, hash, email, expires_at)
        SELECT number, 'resetPassword', decode(repeat('05', 32), 'hex'), 'ada@example.org', 1790001800
        FROM underway.account WHERE id = 'u';

        INSERT INTO underway.refresh_token (hash, family, account, expires_at)
        SELECT sha256('kept token'), 'kept', number, 1900000000 FROM underway.account WHERE id = 'v';

        INSERT INTO underway.revocation (kind, name, at) VALUES ('family', 'ended', 1790000000000);

        INSERT INTO underway.instance_mark (instance, mark, renewed_at)
        VALUES ('first', 'first.mark', 1790000000000);

        INSERT INTO underway.failed_attempt (limit_name, name, "window", current, former, expires_at)
        VALUES ('email', decode(repeat('06', 32), 'hex'), 1, 2, 3, 1790000000);
        """

    /// A contributor with one numbered answer and one that waits, and what was reported and proposed.
    private static let reviewRows = """
        INSERT INTO underway.contributor (account, since)
        SELECT number, 1790000000000 FROM underway.account WHERE id = 'u';
        INSERT INTO underway.first_answer (contributor, item, response, flags)
        SELECT number, 42, '["a"]', 3 FROM underway.contributor;
        INSERT INTO underway.first_answer_inbox (account, item, response, flags)
        SELECT account, 43, '["b"]', 2 FROM underway.contributor;
        INSERT INTO underway.question_report (account, bank, question, version, reason, text, at)
        SELECT number, 'es', 'q1', 'v1', 'unclear', 'Which?', 1790000000000
        FROM underway.account WHERE id = 'v';
        INSERT INTO underway.review_change (member) SELECT number FROM underway.account;
        INSERT INTO underway.proposal (bank, question, version, key, proposed_key, state, evidence,
            flagged_at, changed_at)
        VALUES ('es', 'q1', 'v1', 'a', 'b', 'open', '{"respondents":40}', 1790000000000,
            1790000000000);
        INSERT INTO underway.release_spread (release, served_at, half)
        VALUES (17, 1790000000000, 1790000060000);
        """

    /// A release of one exam, with something removed before.
    static let contentRows = """
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
}

/// The account of the dumps whose user has a password.
enum KeptAccount {
    static let email = "ada@example.org"
    static let password = "a long enough password"
    /// scrypt of the password with a salt of sevens and N = 1,024.
    static let passwordHash = "7ca67e24fbba5809a526b94abafc14e424db747501226cf3e04077c34af84496"
    /// The refresh token of the other account.
    static let token = "kept token"
}

/// A device of the dumps, with what it sent before and what it sends now.
struct KeptDevice: Sendable {
    /// The devices of two users.
    static let all = [
        KeptDevice("u", "phone"), KeptDevice("u", "tablet"), KeptDevice("v", "phone"),
    ]

    let user: String
    let client: ClientID

    init(_ user: String, _ client: String) {
        self.user = user
        self.client = ClientID(client)
    }

    private func operation(_ counter: UInt64, _ id: String, _ change: Change) -> ChangeOperation {
        ChangeOperation(
            id: OperationID(client: client, counter: counter),
            key: RecordKey("stars", "\(client.text)-\(id)"), change: change, seenRevision: 0,
            time: HybridTime(milliseconds: 1_790_000_000_000 + Int64(counter)))
    }

    private func row(_ question: String, _ options: [String]) -> AnswerRow {
        AnswerRow(
            bank: "es", session: "s1", question: question, domain: "d1", version: "v1",
            options: options, isCorrect: question == "q1", takenMilliseconds: 1_500,
            exposuresBefore: 0, mode: "study",
            milliseconds: 1_790_000_000_000)
    }

    /// Three records of which one is deleted, and three answers of which one was not accepted.
    var first: ExchangeCall {
        call(
            number: 1,
            [
                operation(1, "a", .put(["n": 1])), operation(2, "b", .put(["n": 2])),
                operation(3, "b", .delete),
            ], answersAfter: 0, [row("q1", ["a"]), nil, row("q2", ["#42"])])
    }

    /// The last operation again, as after a lost reply, then a new one and an answer.
    var second: ExchangeCall {
        call(
            number: 2, [operation(3, "b", .delete), operation(4, "c", .put(["n": 3]))],
            answersAfter: 3, [row("q1", ["b"])])
    }

    private func call(
        number: UInt64, _ operations: [ChangeOperation], answersAfter last: UInt64,
        _ rows: [AnswerRow?]
    ) -> ExchangeCall {
        let span = AnswerSpan(client: client, first: last + 1, count: rows.count)
        var request = ExchangeRequest(
            number: number, user: user, client: client, epoch: nil, cursor: 0,
            operations: operations, knownAnswers: AnswerVector([client: span.last]))
        request.answers = [span]
        return ExchangeCall(
            request: request, answers: [AnswerColumns(span: span, rows: rows)])
    }

    /// Sends a request to the ledger.
    func exchange(_ call: ExchangeCall, _ storage: any LedgerStorage) async throws
        -> ExchangeResponse
    {
        let ledger = LedgerService(
            Ledger(rules: [CollectionRules(CollectionDeclaration("stars", .lastWriteWins))]),
            storage: storage, clock: { 1_790_000_000_000 }, makeText: { "kept-\(user)" })
        return try await ledger.exchange(call).response
    }
}
