import DatabaseTestSupport
import PostgresDriver
import TestSupport
import Testing

@testable import Ledger

/// Several processes write to one account, and a reader that only ever asks for what is new misses nothing.
@Suite struct PostgresWritersTests {
    /// Five pools stand for five processes.
    private func storages(_ pool: () -> PostgresPool) -> [PostgresLedger] {
        (0..<5).map { _ in PostgresLedger(pool()) }
    }

    @Test(arguments: 1...3)
    func aReaderMissesNothingOfEightWriters(seed: UInt64) async throws {
        let users = try await PostgresUsers()
        let storages = storages { users.pool() }
        let writers = LedgerWriters(seed: seed, storages: storages)
        try await writers.expectAgreement(writers.run(), with: storages[0])
    }

    /// A pooler gives each transaction another connection: nothing may belong to a session.
    @Test(arguments: 4...5)
    func theSameHoldsThroughAPooler(seed: UInt64) async throws {
        let users = try await PostgresUsers()
        let server = try PostgresServer.shared()
        let pooler = try PgBouncerServer(
            server, connectionsMax: 3, users: ["underway_server": server.password])
        let address = pooler.address(
            users.server.database ?? "", user: "underway_server", password: server.password)
        let storages = storages { PostgresPool(.patient(address)) }
        let writers = LedgerWriters(seed: seed, storages: storages)
        try await writers.expectAgreement(writers.run(), with: storages[0])
    }

    /// What was acknowledged before the server lost its memory is there after it.
    @Test(arguments: 6...7)
    func aKilledServerLosesNothingThatWasAcknowledged(seed: UInt64) async throws {
        var settings = PostgresServer.Settings()
        settings.syncsToDisk = true
        let server = try PostgresServer(settings)
        let users = try await PostgresUsers(on: server)
        let storages = storages { users.pool() }
        let writers = LedgerWriters(seed: seed, storages: storages)
        var random = SeededGenerator(seed: seed)
        let moments = (0..<3).map { _ in Int.random(in: 5...100, using: &random) }.sorted()
        async let reader = writers.run()
        for moment in moments {
            try await eventually("\(moment) replies") { writers.replyCount >= moment }
            server.kill()
            // A session that began during the kill holds the memory for a moment longer.
            try await eventually("the server starts") { (try? server.start()) != nil }
        }
        try await writers.expectAgreement(reader, with: storages[0])
    }
}
