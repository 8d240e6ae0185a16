import ContentModel
import Foundation
import PostgresDriver
import Testing

@testable import ContentDatabase

/// The statements of docs/database.md run as they stand there.
@Suite struct DocumentedSQLTests {
    private static func statements() throws -> [String] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/database.md").standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        let blocks = text.components(separatedBy: "```sql\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        // Those within a sentence are between single marks.
        let inline = text.components(separatedBy: "`").filter { $0.hasPrefix("update content.") }
        return blocks + inline.map { $0.replacing("\n", with: " ") }
    }

    private static func fixture() async throws -> TablesFixture {
        let fixture = try await TablesFixture()
        var bank = BankFixture.bank("de/aws-saa", [:])
        bank.domains = [Domain(id: "net", title: "Networks", weight: 1)]
        bank.questions = (1...6).map {
            var question = BankFixture.question("q\($0)", stem: "\($0)", difficulty: $0 % 2 + 2)
            question.domain = "net"
            return question
        }
        try fixture.publish(1, [bank])
        try await fixture.fill()
        return fixture
    }

    @Test func everyStatementOfThePageRuns() async throws {
        let fixture = try await Self.fixture()
        let statements = try Self.statements()
        #expect(statements.count == 3)
        for statement in statements {
            let sql = statement.trimmingCharacters(in: .whitespacesAndNewlines)
            let result = try await fixture.pool.query(
                PostgresStatement(sql: sql.hasSuffix(";") ? String(sql.dropLast()) : sql))
            #expect(result.count > 0 || result.affectedRows == 1, "\(sql)")
        }
    }
}
