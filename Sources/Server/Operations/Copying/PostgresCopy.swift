import Accounts
import Foundation
import Ledger
import PostgresDriver
import ServiceAPI
import Tables
import UserData

/// The users' data of a PostgreSQL database that is copied, or that a copy writes, within a transaction that
/// `PostgresCopySession` opened.
final class PostgresCopy: CopyTarget {
    private static let rowsMax = 1_000
    private static let bytesMax = 1_024 * 1_024
    private static let answersMax = 2_000
    /// The claims of a user that no policy asks for: functions of answers work for the account that is named beside it.
    private static let user = "00000000-0000-8000-8000-000000000000"

    private let connection: PostgresConnection
    private var batch = RowBatch()
    private var runs = AnswerRuns()
    private var statements: [PostgresStatement] = []
    private var answerCount = 0
    private var retracted = CopiedRetractions()
    private let now = Int64(Date().timeIntervalSince1970 * 1000)

    init(_ connection: PostgresConnection) { self.connection = connection }

    // MARK: Reading

    func forEachRow(of table: CopyTable, _ body: (CopyRow) throws -> Void) throws {
        let columns = table.columns
        try connection.forEachRow(of: PostgresStatement(sql: Self.selection(table))) { row in
            let values = try columns.map { try Self.value(row, $0) }
            try body(table == .answers ? CopiedAnswer.normalized(values) : values)
        }
    }

    private static func value(_ row: PostgresRow, _ column: CopyColumn) throws -> CopyValue {
        switch column.kind {
        case .integer: try row.value(column.name, as: Int64?.self).map { .integer($0) } ?? .null
        case .number: try row.value(column.name, as: Double?.self).map { .number($0) } ?? .null
        case .text: try row.value(column.name, as: String?.self).map { .text($0) } ?? .null
        case .bytes: try row.value(column.name, as: [UInt8]?.self).map { .bytes($0) } ?? .null
        }
    }

    func revocations() throws -> [Revocation] {
        let rows = try connection.query(
            "SELECT kind, name, at, kept, token_generation FROM underway.revocation")
        return try rows.map { row in
            let (name, time): (String, Int64) = (try row.value("name"), try row.value("at"))
            switch try row.value("kind", as: String.self) {
            case "account":
                let target: String = try row.value("kept")
                return target.isEmpty
                    ? .account(name, at: time) : .move(name, into: target, at: time)
            case "family": return .family(name, at: time)
            default:
                return .sessions(
                    of: name, kept: try row.value("kept"),
                    tokenGeneration: try row.value("token_generation"), at: time)
            }
        }
    }

    func marks() throws -> [String] {
        try connection.query("SELECT mark FROM underway.instance_mark").column("mark")
    }

    // MARK: Writing

    func write(_ row: CopyRow, to table: CopyTable) throws {
        if let declared = table.declared {
            let further = Self.further(declared).map { _ in Self.identity(row, table) }
            batch.add(row + further)
            if declared.name == Table.retraction.name { try retracted.add(row, of: table) }
            if batch.count >= Self.rowsMax || batch.bytes >= Self.bytesMax {
                try flush(table, declared)
            }
        } else if let run = try runs.add(CopiedAnswer(row)) {
            try append(run)
        }
    }

    func finish(_ table: CopyTable) throws {
        if let declared = table.declared {
            try flush(table, declared)
        } else {
            if let run = runs.finish() { try append(run) }
            try flushAnswers()
        }
    }

    private func flush(_ table: CopyTable, _ declared: Table) throws {
        guard batch.count > 0 else { return }
        let columns = table.columns + Self.further(declared).map(CopyColumn.init)
        try connection.query(batch.statement(Self.insertion(declared), columns))
        batch = RowBatch()
    }

    /// Returns an account's identity for policies; NULL for a deleted account that is not moving.
    private static func identity(_ row: CopyRow, _ table: CopyTable) -> CopyValue {
        let value = Dictionary(uniqueKeysWithValues: zip(table.columns.map(\.name), row))
        guard let id = value["id"]?.text else { return .null }
        guard value["deleted_at"] == .null || id.hasPrefix(StoredMove.closedID(of: "")) else {
            return .null
        }
        return .text(UserClaims(of: id).user.uuidString.lowercased())
    }

    // MARK: Answers

    /// Adds a run by the function that exchanges use, which counts it too.
    private func append(_ run: AnswerRuns.Run) throws {
        let account = "\(run.account) \(Self.user)"
        let counted = run.answers.counted(without: retracted[run.account])
        statements += [
            "SELECT set_config('underway.account', \(account), true)",
            AnswerBatch(run.answers.encoded, counting: counted).statement(for: run.answers.span),
        ]
        let sums = SessionScore.sums(counted, now: now)
        if !sums.isEmpty { statements.append(SessionSums(sums).addition) }
        answerCount += run.answers.count
        if answerCount >= Self.answersMax { try flushAnswers() }
    }

    private func flushAnswers() throws {
        guard !statements.isEmpty else { return }
        let claims = "{\"sub\":\"\(Self.user)\"}"
        try connection.pipeline(
            ["SELECT set_config('request.jwt.claims', \(claims), true)"] + statements)
        (statements, answerCount) = ([], 0)
    }

    // MARK: What belongs to no table

    func add(_ revocations: [Revocation]) throws {
        for start in stride(from: 0, to: revocations.count, by: Self.rowsMax) {
            let batch = revocations[start..<min(revocations.count, start + Self.rowsMax)]
            try connection.pipeline(
                [AccountWriting.adding(Array(batch)).inPostgres].compactMap(\.self))
        }
    }

    /// Takes the marks over: a process knows its own by the part before the dot.
    func adopt(marks: [String]) throws {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        for mark in marks {
            try connection.query(
                """
                INSERT INTO underway.instance_mark (instance, mark, renewed_at)
                VALUES (\(String(mark.prefix { $0 != "." })), \(mark), \(now))
                ON CONFLICT (instance) DO UPDATE SET
                    mark = excluded.mark, renewed_at = excluded.renewed_at
                """)
        }
    }

    func complete() throws {
        try connection.pipeline(
            Self.numberings + [
                """
                UPDATE underway.account a SET collections = c.collections
                FROM (SELECT account, jsonb_object_agg(collection, records) AS collections
                    FROM (SELECT account, collection, count(*) AS records FROM underway.record
                        GROUP BY account, collection) AS counts
                    GROUP BY account) AS c
                WHERE c.account = a.number
                """,
                // The next review reads all consents and reports.
                """
                INSERT INTO underway.review_change (member) SELECT DISTINCT account FROM underway.record
                WHERE collection IN ('consents', 'questionReports')
                """,
                // The comparison reads everything at once, and the first requests come soon.
                """
                ANALYZE underway.account, underway.device, underway.record, underway.result, underway.mark,
                    underway.answer, underway.own_name, underway.session, underway.answer_day,
                    underway.refresh_token, underway.session_score
                """,
            ])
    }
}

/// Rows that wait for the statement that adds them.
struct RowBatch {
    private var rows: [CopyRow] = []
    private(set) var bytes = 0

    var count: Int { rows.count }

    mutating func add(_ row: CopyRow) {
        rows.append(row)
        bytes += row.reduce(0) { $0 + ($1.text?.utf8.count ?? $1.bytes?.count ?? 8) }
    }

    /// Returns an insertion from `rows`, whose columns are those of the batch; bytes are texts in hexadecimal.
    func statement(_ insertion: String, _ columns: [CopyColumn]) -> PostgresStatement {
        let parameters = columns.enumerated().map { place, column in
            switch column.kind {
            case .integer: PostgresValue(rows.map { $0[place].integer })
            case .number: PostgresValue(rows.map { $0[place].number })
            case .text: PostgresValue(rows.map { $0[place].text })
            case .bytes: PostgresValue(rows.map { $0[place].bytes.map(Self.hexadecimal) })
            }
        }
        let places = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        return PostgresStatement(
            sql: "WITH rows (\(names)) AS (SELECT * FROM unnest(\(places)))\n\(insertion)",
            parameters)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
