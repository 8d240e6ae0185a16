import Foundation
import GRDB
import PostgresDriver
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Boards
@testable import Ledger
@testable import Review
@testable import Tables

/// The views of answers: the same names, columns and rows on SQLite and PostgreSQL.
@Suite struct StatisticsViewTests {
    /// A view with its columns in the order in which they are compared; the first ones are its key.
    private struct View {
        let name: String
        let texts: [String]
        let integers: [String]
        let numbers: [String]

        init(_ name: String, texts: [String] = [], integers: [String], numbers: [String] = []) {
            (self.name, self.texts, self.integers, self.numbers) = (name, texts, integers, numbers)
        }
    }

    private static let views = [
        View(
            "answers_by_day", texts: ["day"],
            integers: ["answers", "correct", "questions", "taken_milliseconds"]),
        View(
            "answers_by_domain", texts: ["bank", "domain"],
            integers: [
                "answers", "correct", "questions", "median_milliseconds", "last_milliseconds",
            ], numbers: ["accuracy"]),
        View(
            "answers_by_difficulty", texts: ["bank"],
            integers: ["difficulty", "answers", "correct", "median_milliseconds"],
            numbers: ["accuracy"]),
        View("study_streak", texts: ["first_day", "last_day"], integers: ["days"]),
        View(
            "retention", integers: ["days_since", "answers", "correct"], numbers: ["retention"]),
    ]

    private let users: PostgresUsers
    private let pool: PostgresPool
    private let database: UserDatabase

    init() async throws {
        users = try await PostgresUsers()
        pool = users.pool()
        database = try UserDatabase.inMemory()
        for user in ["u", "v"] { try await database.addAccount(user) }
    }

    private func row(using random: inout SeededGenerator) -> AnswerRow {
        let question = Int.random(in: 0..<12, using: &random)
        let taken: [ClosedRange<Int64>] = [
            0...9_999, 9_000...61_000, 59_000...610_000, 599_999...86_400_000,
        ]
        let times = taken.randomElement(using: &random) ?? 0...1
        // Days in a row, gaps, both ends of time, and answers in the same millisecond.
        let day = [0, 1, 2, 3, 5, 6, 20, 21, 90, 300].randomElement(using: &random) ?? 0
        return AnswerRow(
            bank: ["int/swift", "es"].randomElement(using: &random) ?? "es", session: "s",
            question: "q\(question)",
            domain: Int.random(in: 0..<5, using: &random) == 0 ? nil : "d\(question % 3)",
            version: "v\(Int.random(in: 0..<2, using: &random))",
            isCorrect: Bool.random(using: &random),
            takenMilliseconds: Int64.random(in: times, using: &random), exposuresBefore: 0,
            mode: "study",
            milliseconds: Int.random(in: 0..<40, using: &random) == 0
                ? FieldValue.integerMax
                : 1_790_000_000_000 + Int64(day) * 86_400_000
                    + Int64.random(in: 0..<4, using: &random) * 7_200_000)
    }

    /// Gives both the same answers in runs of a few devices.
    private func answer(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var lasts: [String: UInt64] = [:]
        let storages: [any LedgerStorage] = [
            SQLiteLedger(database: database), PostgresLedger(pool),
        ]
        for _ in 0..<12 {
            let user = Int.random(in: 0..<4, using: &random) == 0 ? "v" : "u"
            let client = ["c", "b", "a"].randomElement(using: &random) ?? "a"
            let count = Int.random(in: 1...25, using: &random)
            let rows = (0..<count).map { _ in
                Int.random(in: 0..<10, using: &random) == 0 ? nil : row(using: &random)
            }
            let last = lasts[user + client] ?? 0
            lasts[user + client] = last + UInt64(count)
            let run = AnswerColumns(
                span: AnswerSpan(client: ClientID(client), first: last + 1, count: count),
                rows: rows)
            for storage in storages {
                let keys = LedgerReadSet(user: user, client: ClientID(client), now: 1)
                try await storage.exchange(keys) { _ in
                    var changes = LedgerChanges()
                    changes.runs = [run]
                    return LedgerDecision(changes: changes, reply: ())
                }
            }
        }
    }

    private func sqliteRows(_ view: View, of user: String) async throws -> [String] {
        try await database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT * FROM \(view.name)
                    WHERE account = (SELECT number FROM account WHERE id = ?)
                    """,
                arguments: [user]
            ).map { row in
                let texts = view.texts.map { row[$0] as String }
                let integers = view.integers.map { "\(row[$0] as Int64)" }
                let numbers = view.numbers.map { "\(row[$0] as Double)" }
                return (texts + integers + numbers).joined(separator: " ")
            }.sorted()
        }
    }

    private func postgresRows(_ view: View, of user: String) async throws -> [String] {
        let columns = view.texts.map { "\($0)::text AS \($0)" } + view.integers + view.numbers
        return try await pool.pipeline([
            UserClaims(of: user).statement, "SELECT underway.enter_1(false)",
            PostgresStatement(
                sql: "SELECT \(columns.joined(separator: ", ")) FROM underway.\(view.name)"),
        ])[2].map { row in
            let texts = try view.texts.map { try row.value($0, as: String.self) }
            let integers = try view.integers.map { "\(try row.value($0, as: Int64.self))" }
            let numbers = try view.numbers.map { "\(try row.value($0, as: Double.self))" }
            return (texts + integers + numbers).joined(separator: " ")
        }.sorted()
    }

    /// Publishes the exam int/swift with these questions, as `DifficultyService` and `ContentTables.fill` do.
    private func publish(_ difficulties: [String: Int]) async throws {
        try await QuestionDifficulties(database).replace([
            QuestionDifficulties.Bank(
                name: "int/swift", checksum: "1", difficulties: difficulties)
        ])
        try await users.execute(
            "INSERT INTO content.regions (id) VALUES ('int')",
            """
            INSERT INTO content.exams
                (region, id, title, version, checksum, content_updated_at, revision)
            VALUES ('int', 'swift', 'Swift', '1', '1', now(), 1)
            """,
            """
            INSERT INTO content.questions (region, exam, id, type, difficulty, stem, options, correct,
                bytes, checksum, content_updated_at, revision)
            SELECT 'int', 'swift', u.id, 'single-choice', u.difficulty, 'Which?',
                '[{"id": "a", "text": "A"}, {"id": "b", "text": "B"}]', '[0]', 1, '1', now(), 1
            FROM unnest(\(Array(difficulties.keys)), \(difficulties.values.map(Int16.init)))
                u (id, difficulty)
            """)
    }

    @Test(arguments: 1...8)
    func bothDatabasesShowTheSame(seed: UInt64) async throws {
        try await publish(
            Dictionary(uniqueKeysWithValues: (0..<10).map { ("q\($0)", $0 % 5 + 1) }))
        try await answer(seed: seed)
        for view in Self.views {
            for user in ["u", "v"] {
                let rows = try await sqliteRows(view, of: user)
                let others = try await postgresRows(view, of: user)
                #expect(rows == others, "\(view.name) of \(user), seed \(seed)")
                #expect(user == "v" || !rows.isEmpty, "\(view.name), seed \(seed)")
            }
        }
    }

    /// Whoever asks for one account pays for its answers, not for those of everybody.
    @Test(arguments: views.map(\.name))
    func oneAccountIsReadAlone(view: String) async throws {
        let plan = try await database.read { database in
            try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN SELECT * FROM \(view) WHERE account = 1"
            ).map { $0["detail"] as String }
        }
        for table in ["answerRow", "device", "day_statistics", "domain_statistics", "sums"] {
            #expect(!plan.contains { $0.hasPrefix("SCAN \(table)") }, "\(plan)")
        }
        #expect(plan.contains { $0.hasPrefix("SEARCH") }, "\(plan)")
    }

    /// Numbers that can be checked by hand, on both.
    @Test func theViewsSayWhatTheAnswersSay() async throws {
        func row(_ question: String, _ day: Int64, _ taken: Int64, _ isCorrect: Bool) -> AnswerRow {
            AnswerRow(
                bank: "int/swift", session: "s", question: question, domain: "net",
                isCorrect: isCorrect,
                takenMilliseconds: taken, exposuresBefore: 0, mode: "study",
                milliseconds: day * 86_400_000)
        }
        let rows = [
            row("q", 20_000, 300, false), row("r", 20_000, 800, true),
            row("q", 20_001, 5_100, true),
            row("q", 20_004, 70_000, true),
        ]
        try await publish(["q": 4])
        for storage in [SQLiteLedger(database: database), PostgresLedger(pool)]
            as [any LedgerStorage]
        {
            try await storage.exchange(LedgerReadSet(user: "u", client: ClientID("d"), now: 1)) {
                _ in
                var changes = LedgerChanges()
                changes.runs = [
                    AnswerColumns(
                        span: AnswerSpan(client: ClientID("d"), first: 1, count: 4), rows: rows)
                ]
                return LedgerDecision(changes: changes, reply: ())
            }
        }
        let expected = [
            ["2024-10-04 2 1 2 1100", "2024-10-05 1 1 1 5100", "2024-10-08 1 1 1 70000"],
            ["int/swift net 4 3 2 750 1728345600000 0.75"],
            ["int/swift 4 3 2 5000 0.6666666666666666"],
            ["2024-10-04 2024-10-05 2", "2024-10-08 2024-10-08 1"],
            ["1 1 1 1.0", "2 1 1 1.0"],
        ]
        for (view, rows) in zip(Self.views, expected) {
            #expect(try await sqliteRows(view, of: "u") == rows, "\(view.name)")
            #expect(try await postgresRows(view, of: "u") == rows, "\(view.name)")
        }
    }

    /// New grades are in every view, on both alike, and progress says the same.
    @Test(arguments: 1...3)
    func newGradesShowInTheViews(seed: UInt64) async throws {
        try await publish(
            Dictionary(uniqueKeysWithValues: (0..<10).map { ("q\($0)", $0 % 5 + 1) }))
        try await answer(seed: seed)
        let entries = ["es", "int/swift"].flatMap { bank in
            (0..<4).map { question in
                (
                    ServedCorrections.Version(
                        bank: bank, question: "q\(question)", version: "v0"), "a"
                )
            }
        }
        let corrections = ServedCorrections(release: 1, entries: entries) { version, _, _ in
            version.question == "q0"
                ? .init(isCorrect: false, credit: 0) : .init(isCorrect: true, credit: 1)
        }
        let ledgers: [any LedgerStorage] = [
            SQLiteLedger(database: database), PostgresLedger(pool),
        ]
        let before = try await ledgers[0].progress(of: "u")
        for tables in [database, pool] as [any TableDatabase] {
            let regrader = Regrader(RegradeStorage(tables, accountsMax: 1_000))
            while try await regrader.follow(corrections) == true {}
            #expect(try await regrader.regrade(corrections).answers > 0)
        }
        for view in Self.views {
            for user in ["u", "v"] {
                let rows = try await sqliteRows(view, of: user)
                #expect(
                    try await postgresRows(view, of: user) == rows, "\(view.name), seed \(seed)")
            }
        }
        let after = try await ledgers[0].progress(of: "u")
        #expect(after != before)
        #expect(try await ledgers[1].progress(of: "u") == after)
        let columns = try #require(Self.views.first)
        let correct = after?.days.map { "\($0.correct)" }.sorted()
        let shown = try await sqliteRows(columns, of: "u").map {
            String($0.split(separator: " ")[2])
        }.sorted()
        #expect(shown == correct)
    }

    /// The sums that are kept with each run are those of all answers.
    @Test(arguments: 1...3)
    func keptSumsAreThoseOfTheRows(seed: UInt64) async throws {
        try await answer(seed: seed)
        let differences = try await users.execute(
            """
            WITH named AS (
                SELECT a.*, least(a.at / 86400000, 2932896)::integer AS day, q.bank,
                    coalesce(v.domain, '') AS domain
                FROM underway.answer a
                    JOIN underway.own_name v ON v.account = a.account AND v.number = a.question
                    JOIN underway.own_name q ON q.account = v.account AND q.number = v.question
            ), sums AS (
                SELECT account, day, bank, domain, count(*) AS answers, sum(flags & 1) AS correct,
                    sum(taken) AS taken, max(at) AS last_at
                FROM named GROUP BY account, day, bank, domain
            ), steps AS (
                SELECT account, day, bank, domain, underway.time_step(taken) AS step,
                    count(*) AS answers
                FROM named GROUP BY account, day, bank, domain, step
            )
            SELECT 'sum' AS what FROM sums FULL JOIN underway.answer_day d
                USING (account, day, bank, domain)
                WHERE (sums.answers, sums.correct, sums.taken, sums.last_at)
                    IS DISTINCT FROM (d.answers, d.correct, d.taken, d.last_at)
            UNION ALL
            SELECT 'step' FROM steps JOIN underway.answer_day d USING (account, day, bank, domain)
                WHERE d.histogram[steps.step + 1] IS DISTINCT FROM steps.answers
            UNION ALL
            SELECT 'histogram' FROM underway.answer_day
                WHERE answers <> (SELECT sum(h) FROM unnest(histogram) h)
            """)[0]
        #expect(try differences.column("what", as: String.self) == [], "seed \(seed)")
    }
}
