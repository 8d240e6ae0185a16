import PostgresDriver
import Synchronization
import Testing

@testable import Accounts
@testable import ServerApplication

/// The round trips that accounts take on PostgreSQL.
@Suite struct AccountTripsTests {
    @Test func operationsTakeTheirNumberOfRoundTrips() async throws {
        let pool = try await PostgresUsers([]).pool(1)
        let storage = try PostgresAccounts.withRooms(pool)
        let counts = Mutex<[String: Int]>([:])
        func count<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
            let before = try await pool.use { $0.roundTripCount }
            let value = try await body()
            let after = try await pool.use { $0.roundTripCount }
            counts.withLock { $0[name] = after - before }
            return value
        }
        func change(_ name: String, _ changes: [AccountChange]) async throws {
            try await count(name) {
                try await storage.change(AccountReadSet(.id("u"))) { _ in
                    AccountOutcome(changes, reply: ())
                }
            }
        }

        try await change("create", ["u", "v"].map { .create($0, tokenGeneration: 0, at: 0) })
        let known = try await count("open") { try await storage.open(AccountReadSet(.id("u"))) }
        #expect(known.account?.id == "u")
        _ = try await count("open nobody") { try await storage.open(AccountReadSet(.id("w"))) }
        var move = StoredMove(source: "u", target: "v", answers: 0)
        try await change("begin", [.move(.begin(move, at: 1_000))])
        let moved = try await count("open moved") {
            try await storage.open(AccountReadSet(.id("u")))
        }
        #expect(moved.move == move)
        var place = move.place
        place.device = 1
        try await change("advance", [.move(.advance(move, to: place, results: "d"))])
        move.place = place
        #expect(try await storage.open(AccountReadSet(.id("u"))).move == move)
        try await change("finish", [.move(.finish(move, at: 2_000))])
        #expect(try await storage.open(AccountReadSet(.id("u"))).move?.isDone == true)
        #expect(
            counts.withLock { $0 } == [
                "advance": 6, "begin": 6, "create": 3, "finish": 9, "open": 1, "open moved": 2,
                "open nobody": 2,
            ])
    }
}
