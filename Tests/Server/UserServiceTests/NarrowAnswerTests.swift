import ContentModel
import Crypto
import Foundation
import GRDB
import ServiceAPI
import Testing
import UserData

@testable import UserService

/// Answers as rows of numbers: what an earlier build stored is there unchanged.
@Suite struct NarrowAnswerTests {
    /// What an earlier build could have written beside the rows of the dump.
    private static let more = """
        INSERT INTO device (account, name, lastAnswer)
            SELECT account, 'tablet', 4 FROM device LIMIT 1;
        INSERT INTO answer SELECT number, 1, 'es', 's2', 'q1', NULL, '', '[]', 0, 0.25, 3, 5, 1,
            'exam', 1, 1790000000000 FROM device WHERE name = 'tablet';
        INSERT INTO answer SELECT number, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL, NULL, NULL, NULL, NULL FROM device WHERE name = 'tablet';
        INSERT INTO answer SELECT number, 3, 'es', 's2', 'q1', 'net', '', '["#number","1e3"]', 1,
            1.0, NULL, 5, 1, 'study', 0, 1790000000001 FROM device WHERE name = 'tablet';
        INSERT INTO answer SELECT number, 4, 'es', 's2', 'q1', NULL, '', '["a"]', 1,
            1.0, NULL, 5, 1, 'exam', 0, 1790000000002 FROM device WHERE name = 'tablet';
        """

    private static func answers(in database: Database) throws -> [Row] {
        try Row.fetchAll(database, sql: "SELECT * FROM answer ORDER BY device, counter")
    }

    @Test(arguments: ["users-3.sql", "users-4.sql"])
    func theViewHasTheRowsOfTheTableBefore(dump: String) throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Stores/\(dump)")
        let queue = try DatabaseQueue()
        let before = try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA foreign_keys = OFF")
            try database.execute(sql: String(contentsOf: file, encoding: .utf8))
            try database.execute(sql: Self.more)
            defer { try? database.execute(sql: "PRAGMA foreign_keys = ON") }
            return try Self.answers(in: database)
        }
        let database = try UserDatabase(queue)
        let (after, wire) = try database.connections.read { database in
            let device = try Int64.fetchOne(
                database, sql: "SELECT account FROM device WHERE name = 'tablet'")
            let span = AnswerSpan(client: ClientID("tablet"), first: 1, count: 4)
            return (
                try Self.answers(in: database), try AnswerTable(database, device ?? 0).rows(span)
            )
        }
        #expect(before.count >= 5 && after == before)
        #expect(wire.map { $0?.options } == [[], nil, ["#number", "1e3"], ["a"]])
        #expect(wire.map { $0?.credit } == [0.25, nil, 1, 1])
        #expect(wire.map { $0?.domain } == [nil, nil, "net", nil])
        #expect(wire.map { $0?.mode } == ["exam", nil, "study", "exam"])
    }

    /// A device that repeats its last request after an update of the server is no other device.
    @Test func theHashOfARequestIsThatOfEarlierBuilds() throws {
        let rows: [AnswerRow?] = [
            AnswerRow(
                bank: "int/swift", session: "s", question: "q", domain: "net", version: "v",
                options: ["a", "b"], isCorrect: true, takenMilliseconds: 7, exposuresBefore: 0,
                mode: "study",
                milliseconds: 5),
            nil,
            AnswerRow(
                bank: "es", session: "s", question: "q", isCorrect: false, credit: 0.25, rating: 3,
                takenMilliseconds: 8, exposuresBefore: 2, mode: "exam", isRandomlySelected: true,
                milliseconds: 6),
        ]
        let columns = AnswerColumns(
            span: AnswerSpan(client: ClientID("d"), first: 4, count: 3), rows: rows)
        let request = ExchangeRequest(
            number: 1, user: "u", client: ClientID("d"), epoch: nil, cursor: 0, operations: [],
            answers: [columns.span])
        var hash = SHA256()
        hash.update(data: ExchangeCall(request: request, answers: []).json.canonicalBytes)
        let lines = [
            "d 4 3",
            "int/swift\u{1}s\u{1}q\u{1}net\u{1}v\u{1}study\u{1}a\u{1}b\u{1}true1.0 0 7 0false5",
            "-",
            "es\u{1}s\u{1}q\u{1}\u{1}\u{1}exam\u{1}false0.25 3 8 2true6",
        ]
        hash.update(data: Array((lines.joined(separator: "\n") + "\n").utf8))
        let print = RequestPrint(ExchangeCall(request: request, answers: [columns]))
        #expect(print.request == Data(hash.finalize().prefix(16)))
    }

    /// Policies and collections are the author's: the database knows none of them by name.
    @Test func noTableKnowsACollection() async throws {
        let sql = try await UserDatabase.inMemory().read { database in
            try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE sql NOT NULL")
        }
        for rules in CollectionRules.builtIn {
            #expect(!sql.contains { $0.contains(rules.declaration.name) })
        }
    }
}
