import ContentModel
import DatabaseTestSupport
import Operations
import PostgresDriver
import Testing

@testable import ContentDatabase

/// Making the tables.
@Suite struct MigrationTests {
    /// The owner of the users' tables, who is no superuser, makes those of content too; the program's
    /// login then fills them.
    @Test func oneMigratorMakesAllTables() async throws {
        let server = try PostgresServer()
        let address = try await server.newDatabase("content")
        let owner = PostgresPool(PoolSettings(address))
        let ran = try await owner.use { connection in
            let ran = try PostgresMigrator().migrate(connection)
            try connection.execute(script: "alter role underway_server password 'secret'")
            return ran
        }
        #expect(ran == PostgresMigration.all.map(\.name))
        #expect(try await owner.use { try PostgresMigrator().migrate($0) } == [])
        let owners = try await owner.query(
            "select distinct tableowner from pg_tables where schemaname = 'content'")
        #expect(try owners.column("tableowner", as: String.self) == ["underway_owner"])

        let login = PostgresPool(
            PoolSettings(
                server.address(
                    try #require(address.database), user: "underway_server", password: "secret")))
        let fixture = try TablesFixture(address: address, pool: login)
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1"])])
        #expect(try await fixture.fill().questionsWritten == 1)
        let rows = try await login.query("select id from content.exam_questions('de', 'a', 1)")
        #expect(try rows.column("id", as: String.self) == ["x"])
        await login.close()

        // The time limits of requests are not those of a fill, which reads a large bank between two statements.
        try await owner.query(
            "alter role underway_server set idle_in_transaction_session_timeout = '20ms'")
        let hurried = PostgresPool(login.settings)
        let large = try TablesFixture(address: address, pool: hurried)
        var bank = BankFixture.bank("de/a", [:])
        bank.questions = (0..<3_000).map {
            BankFixture.question("q\($0)", stem: "How much is \($0)?")
        }
        try large.publish(2, [bank])
        #expect(try await large.fill().questionsWritten == 3_000)
        await hurried.close()
        await owner.close()
    }

    @Test func anotherEncodingIsRefused() async throws {
        let server = try PostgresServer.shared()
        let pool = PostgresPool(PoolSettings(server.socketAddress()))
        try await pool.query(
            """
            create database content_latin encoding 'LATIN1' locale 'C' template template0
            """)
        await pool.close()
        let latin = PostgresPool(PoolSettings(server.address("content_latin")))
        await #expect(throws: PostgresError.self) {
            try await latin.use { try $0.execute(script: ContentSchema.preparation) }
        }
        await latin.close()
    }
}
