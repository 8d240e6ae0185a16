import Accounts
import Foundation
import GRDB
import Ledger
import ServiceAPI
import Tables
import UserData

/// A SQLite database of users that is copied, or that a copy writes, within a transaction that the caller opened.
final class SQLiteCopy: CopyTarget {
    private let database: Database
    /// The folder of the server's key and of what lies beside it.
    private let keys: URL
    private var runs = AnswerRuns()
    private var retracted = CopiedRetractions()
    private let now = Int64(Date().timeIntervalSince1970 * 1000)

    init(_ database: Database, keys: URL) {
        self.database = database
        self.keys = keys
    }

    // MARK: Reading

    func forEachRow(of table: CopyTable, _ body: (CopyRow) throws -> Void) throws {
        let statement = try database.makeStatement(sql: Self.selection(table))
        let names = statement.columnNames
        let places = table.columns.map { (names.firstIndex(of: $0.name) ?? 0, $0.kind) }
        let rows = try Row.fetchCursor(statement)
        while let row = try rows.next() {
            let values = try places.map { place, kind in
                try Self.value(row[place] as DatabaseValue, kind, table)
            }
            try body(table == .answers ? CopiedAnswer.normalized(values) : values)
        }
    }

    private static func value(
        _ value: DatabaseValue, _ kind: CopyColumn.Kind, _ table: CopyTable
    ) throws -> CopyValue {
        switch (value.storage, kind) {
        case (.null, _): .null
        case (.int64(let value), .integer): .integer(value)
        case (.int64(let value), .number): .number(Double(value))
        case (.double(let value), .number): .number(value)
        case (.string(let value), .text): .text(value)
        case (.blob(let value), .bytes): .bytes([UInt8](value))
        default: throw CopyError.damaged(table, "a value is of another type than its column")
        }
    }

    func revocations() throws -> [Revocation] { try RevocationFile(in: keys).read() }

    func marks() throws -> [String] { try Setting.mark.read(in: database).map { [$0] } ?? [] }

    // MARK: Writing

    func write(_ row: CopyRow, to table: CopyTable) throws {
        if let insertion = Self.insertions[table.name] {
            try database.cachedStatement(sql: insertion)
                .execute(arguments: StatementArguments(row.map(Self.databaseValue)))
            if table.name == Table.retraction.name { try retracted.add(row, of: table) }
        } else if let run = try runs.add(CopiedAnswer(row)) {
            try append(run)
        }
    }

    func finish(_ table: CopyTable) throws {
        if table == .answers, let run = runs.finish() { try append(run) }
    }

    private func append(_ run: AnswerRuns.Run) throws {
        let device = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT number FROM device WHERE account = ? AND name = ?"),
            arguments: [run.account, run.answers.span.client.text])
        guard let device else {
            throw CopyError.damaged(.answers, "a device of account \(run.account) is missing")
        }
        let retracted = retracted[run.account]
        try SQLiteAnswers(database, run.account)
            .append(run.answers, to: device, digest: nil, uncounted: retracted)
        try SessionScoreTable(database, run.account)
            .add(SessionScore.sums(run.answers.counted(without: retracted), now: now))
    }

    private static func databaseValue(_ value: CopyValue) -> DatabaseValue {
        switch value {
        case .null: .null
        case .integer(let value): value.databaseValue
        case .number(let value): value.databaseValue
        case .text(let value): value.databaseValue
        case .bytes(let value): Data(value).databaseValue
        }
    }

    func add(_ revocations: [Revocation]) throws { try RevocationFile(in: keys).add(revocations) }

    /// Takes the mark of the process whose keys these are: any other one would seem to be a restore.
    func adopt(marks: [String]) throws {
        let file = try InstanceMark(file: keys.appending(path: "instance-mark")).read()
        guard let file, let mark = marks.first(where: { $0 == file.mark || $0 == file.nextMark })
        else { return }
        try Setting.mark.write(mark, in: database)
    }

    /// Has the next review read all consents and reports; statistics are counted with the answers.
    func complete() throws {
        try database.execute(
            sql: """
                INSERT INTO review_change (member) SELECT DISTINCT account FROM record
                WHERE collection IN ('consents', 'questionReports')
                """)
    }
}
