import PostgresDriver
import ServiceAPI
import Testing

@testable import ContentDatabase

/// The tables after a restore that was declared.
@Suite struct StartEpochTests {
    private func page(_ fixture: TablesFixture, since: String?) async throws -> ChangesPage {
        let request = try ChangesRequest(
            exam: try #require(ExamKey("de/a")), since: since, limit: "500")
        return try #require(try await fixture.tables.changes(request))
    }

    @Test func readersOfAnotherHistoryReadEverythingOnce() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1", "y": "1"])])
        try await fixture.fill()
        let before = try await page(fixture, since: nil).next.description
        #expect(try await page(fixture, since: before).questions.isEmpty)
        let epoch = try await fixture.tables.startEpoch()
        #expect(try await fixture.tables.position().epoch == epoch)
        #expect(!before.hasPrefix(epoch))
        let all = try await page(fixture, since: before)
        #expect(all.isFromStart && all.questions.count == 2)
        #expect(all.next.description.hasPrefix(epoch))
        #expect(try await page(fixture, since: all.next.description).questions.isEmpty)
        // A second restore of the same backup is another history.
        #expect(try await fixture.tables.startEpoch() != epoch)
    }

    /// What is found to be wrong is mended by filling anew.
    @Test func theRemedyFillsTheTablesAnew() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1", "y": "1"])])
        try await fixture.fill()
        let before = try await page(fixture, since: nil).next.description
        let start = try #require(ContentInvariant.remedy.firstRange(of: ": "))
        try await fixture.execute(String(ContentInvariant.remedy[start.upperBound...]))
        #expect(try await fixture.fill().questionsWritten == 2)
        #expect(try await page(fixture, since: before).isFromStart)
        for invariant in ContentInvariant.all {
            let count = try await fixture.pool.query(invariant.violations)
                .column("rows", as: Int.self)
            #expect(count == [0], "\(invariant.problem)")
        }
    }
}
