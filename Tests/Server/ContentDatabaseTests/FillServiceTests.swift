import ContentModel
import DatabaseTestSupport
import Foundation
import Logging
import PostgresDriver
import ServerTestSupport
import TestSupport
import Testing

@testable import ContentDatabase
@testable import ContentServer
@testable import ServerApplication

/// Processes that fill the tables by themselves.
@Suite struct FillServiceTests {
    private static func bank(_ stem: String) -> Blueprint {
        BankFixture.bank("de/a", ["x": stem, "y": "same"])
    }

    private static var quiet: Logger {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }

    /// Runs services on pools of their own, as processes would, while a closure runs.
    private static func serving(
        _ fixture: TablesFixture, count: Int, _ body: () async throws -> Void
    ) async throws {
        let pools = (0..<count).map { _ in PostgresPool(PoolSettings(fixture.address)) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pool in pools {
                let service = FillService(
                    tables: ContentTables(pool: pool), release: fixture.folder.path, logger: quiet)
                group.addTask { try await service.run() }
            }
            try await body()
            group.cancelAll()
        }
        for pool in pools { await pool.close() }
    }

    /// Any process answers with what one of them has filled.
    @Test func aReleaseIsServedByEveryProcess() async throws {
        let fixture = try await TablesFixture()
        let routers = [
            InProcessRouter(release: fixture.folder.path, tables: fixture.tables),
            InProcessRouter(release: "/nonexistent", tables: fixture.tables),
        ]
        try await Self.serving(fixture, count: 3) {
            for release in 1...3 {
                try fixture.publish(release, [Self.bank("release \(release)")])
                for router in routers {
                    try await eventually("release \(release) is served") {
                        let answer = try await router.get("/api/v1/exams/de/a/questions")
                        return String(decoding: answer.body, as: UTF8.self)
                            .contains("release \(release)")
                    }
                }
            }
        }
        #expect(try await fixture.tables.position().revision == 3)
    }

    /// The tables of a restored backup are filled again without a new release.
    @Test func aDatabaseThatWentBackIsFilledAgain() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [Self.bank("old")])
        try await fixture.fill()
        try fixture.publish(2, [Self.bank("new")])
        try await Self.serving(fixture, count: 1) {
            try await eventually("release 2") { try await fixture.tables.position().release == 2 }
            try await fixture.execute(
                """
                update content.state set release = 1, manifest = '';
                update content.questions set stem = 'old', checksum = 'old' where id = 'x';
                update content.exams set checksum = 'old';
                """)
            try await eventually("release 2 again") {
                let rows = try await fixture.pool.query(
                    "select stem from content.questions where id = 'x'")
                return try rows.column("stem", as: String.self) == ["new"]
            }
        }
    }
}

/// What a fill leaves behind when something breaks.
@Suite struct FillFaultTests {
    private static func bank(_ release: Int) -> Blueprint {
        var bank = BankFixture.bank("de/a", [:])
        bank.questions = (0..<2_000).map {
            BankFixture.question("q\($0)", stem: "\(release)", difficulty: $0 % 5 + 1)
        }
        return bank
    }

    private static func stems(_ pool: PostgresPool) async throws -> [String] {
        let rows = try await pool.query("select distinct stem from content.questions order by stem")
        return try rows.column("stem", as: String.self)
    }

    /// PostgreSQL is killed in the middle of a fill: the tables show the former release, whole.
    @Test func aKilledServerShowsOneWholeRelease() async throws {
        let server = try PostgresServer()
        let fixture = try await TablesFixture(address: try await server.newDatabase("content"))
        try fixture.publish(1, [Self.bank(1)])
        try await fixture.fill()
        try fixture.publish(2, [Self.bank(2)])
        // A trigger holds the fill at one of its last rows.
        try await fixture.execute(
            """
            create function content.hold() returns trigger language plpgsql as
                $$ begin perform pg_sleep(600); return new; end $$;
            create trigger hold before insert on content.questions for each row
                when (new.id = 'q1900') execute function content.hold();
            """)
        let filling = Task { try await fixture.fill() }
        try await eventually("questions are written") {
            let rows = try await fixture.pool.query(
                "select count(*) as n from pg_stat_activity where wait_event = 'PgSleep'")
            return try rows[0].value("n", as: Int.self) > 0
        }
        server.kill()
        let outcome = await filling.result
        try server.start()
        #expect(throws: (any Error).self) { try outcome.get() }
        #expect(try await Self.stems(fixture.pool) == ["1"])
        #expect(try await fixture.tables.position().release == 1)
        try await fixture.execute("drop function content.hold() cascade")
        try await fixture.fill()
        #expect(try await Self.stems(fixture.pool) == ["2"])
    }

    /// Through a pooler in transaction mode, roles and locks end with their transaction.
    @Test func aPoolerInTransactionModeIsEnough() async throws {
        let server = try PostgresServer.shared()
        let fixture = try await TablesFixture()
        let bouncer = try PgBouncerServer(server, connectionsMax: 1)
        let pool = PostgresPool(
            PoolSettings(bouncer.address(try #require(fixture.address.database))))
        let tables = ContentTables(pool: pool)
        for release in 1...3 {
            try fixture.publish(release, [Self.bank(release)])
            let outcome = try await tables.fill(
                from: fixture.folder.path, now: Moment(microseconds: 1_000_000))
            guard case .filled = outcome else {
                Issue.record("release \(release) was not filled")
                return
            }
            let exam = try #require(ExamKey("de/a"))
            let request = try ChangesRequest(exam: exam, since: nil, limit: "10")
            #expect(try await tables.changes(request)?.questions.count == 10)
            let user = try await pool.query("select current_user::text as name")
            #expect(try user[0].value("name", as: String.self) == "postgres")
        }
        await pool.close()
    }
}
