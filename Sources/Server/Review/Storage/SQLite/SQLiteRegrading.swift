import AnswerStorage
import ContentModel
import GRDB
import Ledger
package import Tables
import UserData

/// The new grades that are laid over answers in SQLite, beside the users whose they are.
package struct SQLiteRegrading: RegradeStorage {
    let database: UserDatabase

    package init(_ database: UserDatabase) { self.database = database }

    /// Exchanges wait for the writer meanwhile.
    package var accountsMax: Int { 1_000 }

    package func step<Value: Sendable>(
        _ body: @escaping @Sendable (any RegradeTransaction) throws -> Value
    ) async throws -> Value? {
        try await database.write { try body(SQLiteRegradeTransaction(database: $0)) }
    }

    package func plan(
        of member: Int64, _ corrections: ServedCorrections
    ) async throws -> RegradePlan {
        try await database.read {
            try SQLiteRegradeTransaction(database: $0).plan(of: member, corrections)
        }
    }

    package func candidates(
        after member: Int64, atMost limit: Int, _ corrections: ServedCorrections
    ) async throws -> (members: [Int64], last: Int64)? {
        try await database.read {
            try SQLiteRegradeTransaction(database: $0)
                .candidates(after: member, atMost: limit, corrections)
        }
    }

    package func noted(atMost limit: Int) async throws -> [NotedRegrade] {
        try await database.read { try SQLiteRegradeTransaction(database: $0).notes(atMost: limit) }
    }

    package func regrade(
        _ note: NotedRegrade, _ corrections: ServedCorrections
    ) async throws -> Int? {
        try await database.write {
            try SQLiteRegradeTransaction(database: $0).regrade(note, corrections)
        }
    }
}

/// The new grades within a transaction that the caller opened.
private struct SQLiteRegradeTransaction: RegradeTransaction {
    let database: Database

    // MARK: Corrections

    func state() throws -> RegradeState? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT release, digest, swept_through FROM regrade_state")
        ).map { RegradeState(release: $0[0], digest: $0[1], sweptThrough: $0[2]) }
    }

    func set(_ state: RegradeState) throws {
        try database.execute(
            sql: """
                INSERT INTO regrade_state (one, release, digest, swept_through) VALUES (1, ?, ?, ?)
                ON CONFLICT (one) DO UPDATE SET release = excluded.release,
                    digest = excluded.digest, swept_through = excluded.swept_through
                """, arguments: [state.release, state.digest, state.sweptThrough])
    }

    func replaceCorrected(_ versions: [ServedCorrections.Version]) throws {
        try database.execute(sql: "DELETE FROM corrected_version")
        let insertion = try database.cachedStatement(
            sql: "INSERT INTO corrected_version (bank, question, version) VALUES (?, ?, ?)")
        for version in versions {
            try insertion.execute(arguments: [version.bank, version.question, version.version])
        }
    }

    // MARK: Notes

    func accounts(after member: Int64, atMost limit: Int) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: """
                SELECT number FROM account WHERE number > ? AND deleted_at IS NULL
                ORDER BY number LIMIT ?
                """, arguments: [member, limit])
    }

    func note(_ members: [Int64], orGraded: Bool) throws {
        try RegradeNotes.write(members, orGraded: orGraded, in: database)
    }

    func notes(atMost limit: Int) throws -> [NotedRegrade] {
        try Row.fetchAll(
            database, sql: "SELECT number, member FROM regrade_note ORDER BY number LIMIT ?",
            arguments: [limit]
        ).map { NotedRegrade(number: $0[0], member: $0[1]) }
    }

    // MARK: Grades

    /// Grades an account's answers again; `nil` when other corrections are applied now.
    func regrade(_ note: NotedRegrade, _ corrections: ServedCorrections) throws -> Int? {
        guard try state()?.digest == corrections.digest else { return nil }
        let plan = try plan(of: note.member, corrections)
        try write(plan, of: note.member)
        if !plan.isEmpty { try SessionScoreTable(database, note.member).noteChange() }
        try database.execute(
            sql: "DELETE FROM regrade_note WHERE member = ? AND number <= ?",
            arguments: [note.member, note.number])
        return plan.count
    }

    /// Decides about an account's answers.
    func plan(of member: Int64, _ corrections: ServedCorrections) throws -> RegradePlan {
        RegradePlan(
            try answers(of: member, corrections), known: try grades(of: member), corrections)
    }

    /// Returns those of the next accounts that have something to be graded again.
    func candidates(
        after member: Int64, atMost limit: Int, _ corrections: ServedCorrections
    ) throws -> (members: [Int64], last: Int64)? {
        let accounts = try accounts(after: member, atMost: limit)
        guard let last = accounts.last else { return nil }
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM answerQuestion WHERE account = :member
                        AND (bank, question, version) IN (\(Self.named)))
                    OR EXISTS (SELECT 1 FROM regraded_answer WHERE account = :member)
                """)
        let text = Self.text(of: corrections)
        let members = try accounts.filter {
            try Bool.fetchOne(statement, arguments: ["member": $0, "named": text]) == true
        }
        return (members, last)
    }

    /// The versions of a set of corrections as rows, of a parameter in JSON.
    private static let named = """
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'),
            json_extract(value, '$[2]') FROM json_each(:named)
        """

    private static func text(of corrections: ServedCorrections) -> String {
        let rows = JSONValue.array(
            corrections.versions.map {
                [.string($0.bank), .string($0.question), .string($0.version)]
            })
        return String(decoding: rows.canonicalBytes, as: UTF8.self)
    }

    private func answers(
        of member: Int64, _ corrections: ServedCorrections
    ) throws -> [CorrectedAnswer] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT answer.* FROM device JOIN answer ON answer.device = device.number
                    WHERE device.account = :member AND
                        (answer.bank, answer.question, answer.version) IN (\(Self.named))
                    """),
            arguments: ["member": member, "named": Self.text(of: corrections)])
        var answers: [CorrectedAnswer] = []
        while let row = try rows.next() {
            let answer = AnswerRow(row)
            answers.append(
                CorrectedAnswer(device: row["device"], counter: row["counter"], row: answer))
        }
        return answers
    }

    private func grades(of member: Int64) throws -> [RegradedAnswer] {
        try Row.fetchAll(
            database.cachedStatement(sql: "SELECT * FROM regraded_answer WHERE account = ?"),
            arguments: [member]
        ).map { row in
            RegradedAnswer(
                device: row["device"], counter: row["counter"], bank: row["bank"],
                session: row["session"], day: row["day"], domain: row["domain"],
                grade: .init(isCorrect: row["is_correct"], credit: row["credit"]),
                correct: row["correct"], points: row["points"], firstPoints: row["first_points"])
        }
    }

    private func write(_ plan: RegradePlan, of member: Int64) throws {
        let deletion = try database.cachedStatement(
            sql: "DELETE FROM regraded_answer WHERE account = ? AND device = ? AND counter = ?")
        for grade in plan.removed + plan.written {
            try deletion.execute(arguments: [member, grade.device, grade.counter])
        }
        let insertion = try database.cachedStatement(
            sql: """
                INSERT INTO regraded_answer (account, device, counter, bank, session, day, domain,
                    is_correct, credit, correct, points, first_points)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        for grade in plan.written {
            try insertion.execute(arguments: [
                member, grade.device, grade.counter, grade.bank, grade.session, grade.day,
                grade.domain, grade.grade.isCorrect, grade.grade.credit, grade.correct,
                grade.points, grade.firstPoints,
            ])
        }
    }
}
