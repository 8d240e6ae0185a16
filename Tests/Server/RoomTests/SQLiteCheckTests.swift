import Foundation
import GRDB
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Boards
@testable import Ledger
@testable import Operations
@testable import Tables

/// The check of a server's SQLite database: each fault is made on purpose, found, and mended as the finding says.
@Suite struct SQLiteCheckTests {
    private let folder: TemporaryFolder
    private let ledger: SQLiteLedger

    private var path: String { folder.path + "/users.sqlite" }

    init() async throws {
        folder = try TemporaryFolder()
        let database = try UserDatabase(path: folder.path + "/users.sqlite")
        ledger = SQLiteLedger(database: database)
        for user in ["u", "v"] { try await database.addAccount(user) }
        for device in CheckedDevice.all {
            _ = try await device.exchange(device.first, ledger)
        }
    }

    private func execute(_ script: String) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = script.contains("foreign_keys = ON")
        try DatabaseQueue(path: path, configuration: configuration).writeWithoutTransaction {
            try $0.execute(sql: script)
        }
    }

    private func findings() throws -> [DatabaseFinding] {
        try SQLiteCheck(path: path).run().findings
    }

    /// Executes what a remedy says to run.
    private func follow(_ finding: DatabaseFinding) throws {
        let words = try #require(finding.remedy.firstRange(of: "un"))
        let start = try #require(finding.remedy[words.upperBound...].firstRange(of: ": "))
        var script = String(finding.remedy[start.upperBound...])
        if let end = script.range(of: "; then") { script = String(script[..<end.lowerBound]) }
        try execute("PRAGMA foreign_keys = ON; " + script)
    }

    private func found(
        after script: String, _ kind: DatabaseFinding.Kind, _ place: String = "account 1"
    ) throws -> DatabaseFinding {
        try execute(script)
        let all = try findings()
        #expect(all.map(\.kind) == [kind], "\(all)")
        let finding = try #require(all.first)
        #expect(finding.place.contains(place), "\(finding)")
        return finding
    }

    @Test func aNewDatabaseHasNoFault() throws {
        let report = try SQLiteCheck(path: path).run()
        #expect(report.findings == [])
        #expect(report.accountCount == 2 && report.recordCount == 6 && report.answerCount == 9)
    }

    @Test func retractionsAndRepeatsAreNoFault() async throws {
        for device in CheckedDevice.all { _ = try await device.exchange(device.undo, ledger) }
        #expect(try findings() == [])
    }

    @Test(arguments: [
        ("digest = '1.2.3'", DatabaseFinding.Kind.digest),
        ("record_bytes = record_bytes + 1", .recordTotals),
    ])
    func wrongTotalsAreComputedAnew(change: String, kind: DatabaseFinding.Kind) async throws {
        try follow(try found(after: "UPDATE account SET \(change) WHERE number = 1", kind))
        let device = CheckedDevice("u", "phone")
        _ = try await device.exchange(device.second, ledger)
        #expect(try findings() == [])
    }

    /// As after a backup that brought a moved account back.
    @Test func aDeviceOfTwoAccountsIsFound() throws {
        let name = "d" + String(repeating: "x-Y_0", count: 4) + "ab"
        let finding = try found(
            after: """
                INSERT INTO device (account, name) SELECT number, '\(name)' FROM account;
                INSERT INTO device (account, name) SELECT number, 'w0123456789A' FROM account;
                """, .device, "accounts 1 and 2")
        #expect(!"\(finding)".contains(name))
    }

    @Test func aRecordThatCannotBeReadIsFound() throws {
        let finding = try found(
            after: """
                UPDATE record SET json = json_set(json, '$.revision', 'x')
                    WHERE id = 'phone-a' AND account = 1;
                UPDATE account SET record_bytes = (SELECT sum(length(CAST(json AS BLOB))) FROM record
                    WHERE account = 1) WHERE number = 1;
                """, .record)
        #expect(finding.remedy.contains("moves them aside"))
    }

    @Test func aRecordBeyondTheLogIsFound() throws {
        try follow(try found(after: "UPDATE account SET position = 2 WHERE number = 1", .position))
        #expect(try findings() == [])
    }

    @Test func missingAnswersAreFound() throws {
        _ = try found(
            after: "DELETE FROM answerRow WHERE device = 1 AND counter = 2", .answers,
            "account 1, device 1")
    }

    @Test func aWrongNumberOfAnswersIsCountedAnew() throws {
        try follow(
            try found(after: "UPDATE account SET answer_count = 70 WHERE number = 1", .answerCount))
        #expect(try findings() == [])
    }

    @Test(arguments: [
        "UPDATE day_statistics SET answers = answers + 1 WHERE account = 1",
        "UPDATE day_statistics SET taken_milliseconds = 0 WHERE account = 1",
        "UPDATE domain_statistics SET questions = 9 WHERE account = 1",
        "DELETE FROM domain_statistics WHERE account = 1",
    ])
    func wrongSumsAreCountedAnew(change: String) async throws {
        try follow(try found(after: change, .statistics))
        #expect(try findings() == [])
        try await ledger.countAnswers(of: "u")
        try await ledger.countAnswers(of: "u")
        #expect(try await ledger.progress(of: "u") != nil)
        #expect(try findings() == [])
    }

    @Test(arguments: [
        "UPDATE session_score SET answers = answers + 1 WHERE account = 1",
        "UPDATE session_score SET first_answers = 77 WHERE account = 1",
        "DELETE FROM session_score WHERE account = 1",
    ])
    func wrongSumsOfSessionsAreCountedAnew(change: String) async throws {
        let finding = try found(after: change, .sessions)
        #expect(finding.remedy.contains("underway board recount"))
        let boards = BoardService(BoardStorage(try UserDatabase(path: path), changesMax: 1_000)) {
            Date()
        }
        #expect(try await boards.recount() == 2)
        #expect(try findings() == [])
    }

    @Test func answersWithoutTheirNamesAreFound() throws {
        let finding = try found(after: "DELETE FROM answerSession WHERE account = 1", .orphan)
        #expect(finding.place == "account 1, table answerRow")
    }

    @Test func rowsOfNoAccountAreFound() throws {
        try execute("INSERT INTO mark (account, position, text) VALUES (977, 1, 'm')")
        let all = try findings()
        #expect(all.map(\.kind) == [.orphan])
        #expect(all.first?.place == "table mark" && all.first?.problem.contains("account") == true)
    }

    /// What each table, index, view and trigger is, is known: one that is missing is found, and made again.
    @Test func everyPartOfTheSchemaIsMissed() throws {
        let parts = try DatabaseQueue(path: path).read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT type, name FROM sqlite_schema
                    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
                    """
            ).map { ($0["type"] as String, $0["name"] as String) }
        }
        #expect(parts.count > 70)
        for (kind, name) in parts {
            try execute("DROP \(kind) \(name)")
            let all = try findings()
            #expect(
                all.contains {
                    $0.kind == .schema && $0.problem.hasPrefix("The \(kind) \(name) is missing.")
                },
                "\(all)")
            // The rows of a table are gone with it.
            for finding in all where finding.kind == .schema { try follow(finding) }
            #expect(try !findings().contains { $0.kind == .schema }, "\(name)")
        }
    }

    @Test(arguments: [
        ("ALTER TABLE mark ADD COLUMN note TEXT", "The table mark is another one."),
        (
            "DROP INDEX audit_by_time; CREATE INDEX audit_by_time ON audit (number)",
            "The index audit_by_time is another one."
        ),
        (
            "CREATE TRIGGER mine AFTER INSERT ON mark BEGIN DELETE FROM mark; END",
            "The trigger mine is not of this program."
        ),
    ])
    func anotherSchemaIsFound(change: String, problem: String) throws {
        let finding = try found(after: change, .schema, "table ")
        #expect(finding.problem == problem)
        guard finding.remedy.hasPrefix("Run: ") else { return }
        try follow(finding)
        #expect(try findings() == [])
    }

    /// What an administrator or ANALYZE adds.
    @Test func aFurtherIndexIsNoFault() throws {
        try execute("CREATE INDEX audit_by_subject ON audit (subject); ANALYZE")
        #expect(try findings() == [])
    }

    @Test func otherVersionsAreFound() throws {
        let later = try found(
            after: "INSERT INTO grdb_migrations VALUES ('v99 later')", .migration, path)
        #expect(later.problem.contains("v99 later"))
        let early = try found(
            after: "INSERT INTO grdb_migrations VALUES ('v1 users')", .migration, path)
        #expect(early.problem == "It was made before 0.1.0.")
        #expect(early.remedy.hasPrefix("Export its users"))
        try execute("DELETE FROM grdb_migrations WHERE identifier = 'v1 users'")
        let earlier = try found(
            after: """
                DELETE FROM grdb_migrations WHERE identifier IN ('v99 later', '0.1.0')
                """, .migration, path)
        #expect(earlier.remedy.contains("underway serve"))
    }

    @Test func aDamagedFileIsFound() throws {
        try execute("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let end = try file.seekToEnd()
        for place in stride(from: UInt64(8_192), to: end, by: 4_096) {
            try file.seek(toOffset: place + 100)
            try file.write(contentsOf: Data(repeating: 0x58, count: 300))
        }
        try file.close()
        let all = try findings()
        #expect(!all.isEmpty && all.allSatisfy { $0.kind == .file || $0.kind == .orphan }, "\(all)")
        try Data("no database at all, but long enough to be read as one".utf8)
            .write(to: URL(fileURLWithPath: folder.path + "/other.sqlite"))
        let other = try SQLiteCheck(path: folder.path + "/other.sqlite").run()
        #expect(other.findings.map(\.kind) == [.file])
    }
}
