import ContentModel
import DatabaseTestSupport
import PostgresDriver
import TestSupport
import Testing

@testable import ContentDatabase

/// Everybody reads the tables; the writer alone writes them, and changes no table.
@Suite struct ReaderRightsTests {
    private static let tableNames = [
        "state", "regions", "exams", "domains", "questions", "removed_exams", "removed_questions",
    ]

    /// Makes a login that is nobody else's, and a pool of its own.
    private static func login(
        _ fixture: TablesFixture, _ name: String, memberOf role: String? = nil
    ) async throws -> PostgresPool {
        let server = try PostgresServer.shared()
        let login = "\(name)_\(fixture.address.database ?? "")"
        try await fixture.execute(
            "create role \"\(login)\" login noinherit password 'secret'"
                + (role.map { "; grant \($0) to \"\(login)\"" } ?? ""))
        var settings = PoolSettings(
            server.address(fixture.address.database ?? "", user: login, password: "secret"))
        settings.connectionsMax = 1
        return PostgresPool(settings)
    }

    @Test func anybodyReads() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1"])])
        try await fixture.fill()
        let anybody = try await Self.login(fixture, "anybody")
        for table in Self.tableNames {
            let rows = try await anybody.query(
                "select count(*) as n from content.\(identifier: table)")
            #expect(try rows[0].value("n", as: Int.self) >= 0)
        }
        let rows = try await anybody.query("select stem from content.exam_questions('de', 'a', 1)")
        #expect(try rows.column("stem", as: String.self) == ["1"])
        await anybody.close()
    }

    @Test func onlyTheWriterWrites() async throws {
        let fixture = try await TablesFixture()
        let anybody = try await Self.login(fixture, "anybody")
        let member = try await Self.login(fixture, "member", memberOf: ContentSchema.writer)
        for pool in [anybody, member] {
            for table in Self.tableNames {
                // A login without inheritance writes only once it has taken the role.
                for statement: PostgresStatement in [
                    "delete from content.\(identifier: table)",
                    "insert into content.\(identifier: table) default values",
                    "truncate content.\(identifier: table)",
                    "alter table content.\(identifier: table) add column x integer",
                ] {
                    let error = await #expect(throws: PostgresError.self) {
                        try await pool.query(statement)
                    }
                    #expect(error?.code == .insufficientPrivilege, "\(statement.sql)")
                }
            }
        }
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1"])])
        let now = Moment(microseconds: 1)
        let refused = await #expect(throws: ContentDatabaseError.self) {
            try await ContentTables(pool: anybody).fill(from: fixture.folder.path, now: now)
        }
        #expect(refused?.code == .forbidden)
        let outcome = try await ContentTables(pool: member).fill(
            from: fixture.folder.path, now: now)
        guard case .filled = outcome else {
            Issue.record("the writer did not fill")
            return
        }
        let asWriter = await #expect(throws: PostgresError.self) {
            try await member.pipeline([
                "set role underway_publisher", "drop table content.removed_exams",
            ])
        }
        #expect(asWriter?.code == .insufficientPrivilege)
        await anybody.close()
        await member.close()
    }
}
