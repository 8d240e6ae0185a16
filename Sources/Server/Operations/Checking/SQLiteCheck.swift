import Foundation
import GRDB
import Tables

/// A read-only check of a server's SQLite database, which may run while a server uses it.
///
/// ```swift
/// let report = try SQLiteCheck(path: "/var/lib/underway/users/users.sqlite").run()
/// for finding in report.findings { print(finding.place, finding.problem, finding.remedy) }
/// ```
package struct SQLiteCheck {
    /// The accounts whose numbers are read at once.
    private static let accountsPerPage = 1_000
    /// The most messages about a damaged file.
    private static let messagesMax = 20

    private let path: String

    /// Creates a check of the file, which must exist.
    package init(path: String) { self.path = path }

    /// Checks the file, its tables, the references between them, and each account in a transaction of its own.
    ///
    /// - Returns: The report; a damaged file is a finding.
    /// - Throws: `SetupError` if this user cannot read the file.
    package func run() throws -> DatabaseCheckReport {
        var report = DatabaseCheckReport()
        do {
            var configuration = Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(10)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try check(queue, &report)
        } catch let error as DatabaseError {
            guard [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode) else {
                throw SetupError(error, path: path)
            }
            addDamage(error.resultCode == .SQLITE_NOTADB ? "It is no database." : nil, &report)
        }
        return report
    }

    private func check(_ queue: DatabaseQueue, _ report: inout DatabaseCheckReport) throws {
        let messages = try queue.read { database in
            try String.fetchAll(database, sql: "PRAGMA integrity_check(\(Self.messagesMax))")
        }
        for message in messages where message != "ok" { addDamage(message, &report) }
        guard try queue.read({ try checkVersion($0, &report) }) else { return }
        let schema = try queue.read { try SQLiteSchemaCheck($0) }
        report.add(schema.findings)
        guard schema.isReadable else { return }
        try queue.read {
            try checkReferences($0, &report)
            report.add(try Self.sharedDevices($0))
        }
        var last: Int64 = 0
        while true {
            let numbers = try queue.read { database in
                try Int64.fetchAll(
                    database,
                    sql: """
                        SELECT number FROM account WHERE number > ? AND deleted_at IS NULL
                        ORDER BY number LIMIT ?
                        """, arguments: [last, Self.accountsPerPage])
            }
            for number in numbers {
                guard
                    let audit = try queue.read({ try SQLiteAccountCheck($0, number).run() })
                else { continue }
                report.accountCount += 1
                report.recordCount += audit.recordCount
                report.answerCount += audit.answerCount
                report.add(audit.findings)
            }
            guard let end = numbers.last else { return }
            last = end
        }
    }

    private func addDamage(_ message: String?, _ report: inout DatabaseCheckReport) {
        let problem = "The file is damaged."
        report.add(
            .file, path, message.map { "\(problem) \($0)" } ?? problem,
            remedy: "Keep a copy of it. Restore the last backup, and declare it with `underway db"
                + " restored`: devices send again what it lacks. Check the disk.")
    }

    /// Returns true when the tables are of this version.
    private func checkVersion(
        _ database: Database, _ report: inout DatabaseCheckReport
    ) throws -> Bool {
        if let later = try UserSchema.firstUnknownMigration(in: database) {
            if let early = UserSchema.beforeRelease(later) {
                report.add(.migration, path, "It \(early.origin)", remedy: early.remedy)
                return false
            }
            report.add(
                .migration, path, "A later version of this program changed it (\"\(later)\").",
                remedy: "Use that version, or put a backup of before in its place.")
            return false
        }
        let applied = try UserSchema.migrator.appliedIdentifiers(database)
        guard let missing = UserSchema.migrator.migrations.first(where: { !applied.contains($0) })
        else { return true }
        report.add(
            .migration, path, "It lacks the migration \"\(missing)\".",
            remedy: "Start `underway serve` of this version once, which brings it up to date; then"
                + " check again.")
        return false
    }

    /// Finds devices that are in two accounts.
    private static func sharedDevices(_ database: Database) throws -> [DatabaseFinding] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT DISTINCT min(account) AS one, max(account) AS other
                FROM device JOIN account ON account.number = device.account AND deleted_at IS NULL
                WHERE length(name) = 23 AND name GLOB 'd*' AND name NOT GLOB '*[^A-Za-z0-9_-]*'
                GROUP BY name HAVING count(*) > 1 ORDER BY one, other LIMIT ?
                """, arguments: [DatabaseCheckReport.findingsMax]
        ).map { .sharedDevice($0["one"], $0["other"]) }
    }

    private func checkReferences(
        _ database: Database, _ report: inout DatabaseCheckReport
    ) throws {
        let rows = try Row.fetchCursor(database, sql: "PRAGMA foreign_key_check")
        var counts: [String: Int] = [:]
        while let row = try rows.next() {
            let (table, parent): (String, String) = (row["table"], row["parent"])
            counts["\(table)\n\(parent)", default: 0] += 1
        }
        for (tables, count) in counts.sorted(by: { $0.key < $1.key }) {
            let names = tables.split(separator: "\n")
            report.add(
                .orphan, "table \(names[0])",
                "Rows that refer to rows of \(names[1]) which do not exist: \(count).",
                remedy: "PRAGMA foreign_key_check lists them. Keep a copy of the file, and delete"
                    + " them, or restore the last backup and declare it with `underway db restored`."
            )
        }
    }
}
