import Foundation
import Testing

@testable import Accounts
@testable import ContentServer
@testable import Operations
@testable import Review

/// Proposals, and how releases reach devices, on every database.
@Suite struct ProposalStorageTests {
    static let adapters = AccountAdapter.allCases

    private static func proposal(_ question: String = "q1") -> Proposal {
        Proposal(
            bank: "int/swift", question: question, version: "1", key: "a", proposedKey: "b",
            evidence: Proposal.Evidence(
                respondents: 40, reports: 2, score: 3.25, probability: 0.963, outcome: "act",
                labels: ["a", "b"], shares: [0.25, 0.75],
                groups: [
                    .init(count: 20, shares: [0.4, 0.6]), .init(count: 20, shares: [0.1, 0.9]),
                ]
            ), flaggedAt: 1_000)
    }

    @Test(arguments: adapters)
    func aProposalIsReadAsItWasWritten(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let storage = world.review
        defer { withExtendedLifetime(world) {} }
        let written = try await storage.changeProposals { _ in
            ProposalChanges(proposals: [Self.proposal()])
        }
        let stored = try #require(written.first)
        #expect(stored.number > 0)
        #expect(try await storage.proposal(stored.number) == stored)
        #expect(try await storage.proposal(stored.number + 1) == nil)
        #expect(try await storage.proposals(in: [.open], limit: 9) == [stored])
        #expect(try await storage.proposals(in: [.shipped], limit: 9) == [])
        var expected = Self.proposal()
        expected.number = stored.number
        #expect(stored == expected)
    }

    @Test(arguments: adapters)
    func theFirstOfManyOpenOnesAreThoseWithMostEvidence(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let storage = world.review
        defer { withExtendedLifetime(world) {} }
        let made = [("q1", 0.5, Int64(4)), ("q2", 11.25, 1), ("q3", -2, 9), ("q4", 3, 2)].map {
            question, score, changedAt in
            var proposal = Self.proposal(question)
            proposal.evidence.score = score
            proposal.changedAt = changedAt
            return proposal
        }
        _ = try await storage.changeProposals { _ in ProposalChanges(proposals: made) }
        // A report makes a proposal that was changed last, and must not push the others off the list.
        let open = try await storage.proposals(in: [.open], limit: 3)
        #expect(open.map(\.question) == ["q2", "q4", "q1"])
        let all = try await storage.proposals(in: Set(Proposal.State.allCases), limit: 9)
        #expect(all.map(\.question) == ["q2", "q4", "q1", "q3"])
    }

    @Test(arguments: adapters)
    func aDecisionIsWrittenTogetherWithItsEntry(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let storage = world.review
        let first = try #require(
            try await storage.changeProposals { _ in
                ProposalChanges(proposals: [Self.proposal()])
            }.first)
        var shipped = first
        shipped.state = .shipped
        shipped.version = "2"
        shipped.decision = Proposal.Decision(actor: "operator:a", at: 2, reason: "right")
        (shipped.release, shipped.shippedAt, shipped.changedAt) = (3, 4, 5)
        let entry = AuditEntry(time: 2, actor: "operator:a", .proposalConfirmed, "1")
        let change = ProposalChanges(proposals: [shipped], entries: [entry])
        _ = try await storage.changeProposals { _ in change }
        #expect(try await storage.proposal(first.number) == shipped)
        let log = AdministrationService(world.administration) { .distantPast }
        #expect(try await log.entries().map(\.action) == [.proposalConfirmed])
    }

    @Test(arguments: adapters)
    func nothingIsWrittenWhenTheDecisionFails(adapter: AccountAdapter) async throws {
        struct Refusal: Error {}
        let world = try await adapter.make()
        let storage = world.review
        defer { withExtendedLifetime(world) {} }
        await #expect(throws: Refusal.self) {
            _ = try await storage.changeProposals { _ in throw Refusal() }
        }
        #expect(try await storage.proposals(in: Set(Proposal.State.allCases), limit: 9) == [])
    }

    @Test(arguments: adapters)
    func aChangeSeesTheNewestProposalOfEachQuestion(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let storage = world.review
        defer { withExtendedLifetime(world) {} }
        for question in ["q1", "q2"] {
            _ = try await storage.changeProposals { _ in
                var dismissed = Self.proposal(question)
                dismissed.state = .dismissed
                dismissed.decision = Proposal.Decision(actor: "server", at: 1, reason: "no")
                return ProposalChanges(proposals: [dismissed])
            }
        }
        let again = try #require(
            try await storage.changeProposals { newest in
                var next = Self.proposal("q1")
                next.follows = newest.first { $0.question == "q1" }?.number
                return ProposalChanges(proposals: [next])
            }.first)
        #expect(again.follows != nil)
        _ = try await storage.changeProposals { newest in
            #expect(newest.map(\.question) == ["q2", "q1"])
            #expect(newest.last?.number == again.number)
            return ProposalChanges()
        }
    }

    @Test(arguments: adapters)
    func aQuestionHasOnePendingProposal(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let storage = world.review
        defer { withExtendedLifetime(world) {} }
        let change = ProposalChanges(proposals: [Self.proposal()])
        _ = try await storage.changeProposals { _ in change }
        await #expect(throws: (any Error).self) {
            _ = try await storage.changeProposals { _ in change }
        }
        #expect(try await storage.proposals(in: [.open], limit: 9).count == 1)
    }

    @Test(arguments: adapters)
    func aReleaseReachesItsSharesOnceEach(adapter: AccountAdapter) async throws {
        let world = try await adapter.make()
        let storage = world.uptake
        defer { withExtendedLifetime(world) {} }
        var spread = ReleaseSpread(release: 7, servedAt: 100)
        spread.note(
            Uptake([
                UptakeCount(release: 8, devices: 30), UptakeCount(release: 7, devices: 30),
                UptakeCount(release: 6, devices: 40),
            ]), at: 200)
        #expect(spread.reachedAt == [200, nil, nil])
        spread.note(
            Uptake([
                UptakeCount(release: 7, devices: 95), UptakeCount(release: nil, devices: 5),
            ]), at: 300)
        #expect(spread.reachedAt == [200, 300, nil])
        try await storage.set(spread)
        try await storage.set(ReleaseSpread(release: 8, servedAt: 150))
        #expect(
            try await storage.spread(limit: 9) == [
                ReleaseSpread(release: 8, servedAt: 150), spread,
            ])
        #expect(try await storage.spread(limit: 1).map(\.release) == [8])
    }
}
