import Accounts
import Foundation
import PostgresDriver
import Synchronization
import TestSupport
import Testing
import UserData

@testable import Ledger
@testable import Operations
@testable import Review

/// The round trips that the review of keys and regrading take on PostgreSQL.
@Suite struct ReviewTripsTests {
    @Test func operationsTakeTheirNumberOfRoundTrips() async throws {
        let users = try await PostgresUsers([])
        let pool = users.pool(1)
        let accounts = try AccountAdapter.world(users, pool, TemporaryFolder())
        let world = try await ReviewWorld(accounts, users: ["u"])
        let review = ReviewStorage(pool)
        let regrading = RegradeStorage(pool, accountsMax: 10_000)
        let counts = Mutex<[String: Int]>([:])
        func count<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
            let before = try await pool.use { $0.roundTripCount }
            let value = try await body()
            let after = try await pool.use { $0.roundTripCount }
            counts.withLock { $0[name] = after - before }
            return value
        }

        try await world.send("u", answers: [ReviewWorld.answer("q0")])
        try await world.consent("u")
        try await world.report("u", .sample())
        _ = try await count("apply") { try await review.applyChanges(atMost: 9, now: 1) }
        _ = try await count("apply none") { try await review.applyChanges(atMost: 9, now: 1) }
        _ = try await count("answers") { try await review.firstAnswers(after: 0, limit: 9) }
        _ = try await count("no answers") { try await review.firstAnswers(after: 0, limit: 9) }
        _ = try await count("contributors") { try await review.contributorCount(through: nil) }
        _ = try await count("reports") { try await review.reportCounts() }
        let written = try await count("propose") {
            try await review.changeProposals { _ in
                ProposalChanges(
                    proposals: ["q1", "q2"].map {
                        Proposal(
                            bank: "int/swift", question: $0, version: "1", key: "a",
                            proposedKey: "b", evidence: .init(), flaggedAt: 1)
                    }, entries: [AuditEntry(time: 2, actor: "server", .proposalShipped, "1")])
            }
        }
        _ = try await count("proposals") { try await review.proposals(in: [.open], limit: 9) }
        _ = try await count("proposal") { try await review.proposal(written[0].number) }
        _ = try await count("spread") {
            try await accounts.uptake.set(ReleaseSpread(release: 1, servedAt: 1))
        }
        let version = ServedCorrections.Version(bank: "int/swift", question: "q0", version: "1")
        let corrections = ServedCorrections(release: 7, entries: [(version, "b")]) { _, _, _ in
            .init(isCorrect: false, credit: 0)
        }
        let regrader = Regrader(regrading)
        _ = try await count("follow") { try await regrader.follow(corrections) }
        _ = try await count("follow again") { try await regrader.follow(corrections) }
        _ = try await count("candidates") {
            try await regrading.candidates(after: 0, atMost: 9, corrections)
        }
        _ = try await count("plan") { try await regrading.plan(of: "u", corrections) }
        let notes = try await count("notes") { try await regrading.noted(atMost: 9) }
        let changed = try await count("regrade") {
            try await regrading.regrade(notes[0], corrections)
        }
        #expect(changed == 1)
        #expect(
            counts.withLock { $0 } == [
                "answers": 4, "apply": 9, "apply none": 1, "candidates": 1, "contributors": 1,
                "follow": 3, "follow again": 2, "no answers": 1, "notes": 1, "plan": 1,
                "proposal": 1, "proposals": 1, "propose": 2, "regrade": 2, "reports": 1,
                "spread": 1,
            ])
    }
}
