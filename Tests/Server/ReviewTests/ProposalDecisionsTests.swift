import Accounts
import ContentModel
import Foundation
import Review
import Testing

/// What people decide about proposals.
@Suite struct ProposalDecisionsTests {
    private let memory: MemoryReview
    private var storage: ReviewStorage { memory.storage }

    init() throws { memory = try MemoryReview() }

    private func proposal() async throws -> Int64 {
        let new = Proposal(
            bank: "int/made", question: "q1", version: "1", key: "a", proposedKey: "b",
            evidence: .init(), flaggedAt: 1)
        return try #require(
            try await storage.changeProposals { _ in ProposalChanges(proposals: [new]) }.first
        ).number
    }

    @Test func twoPeopleConfirmOnce() async throws {
        let number = try await proposal()
        let decisions = ProposalDecisions(storage) { Date(timeIntervalSince1970: 2) }
        let confirmed = try await decisions.confirm(number, key: "b", by: "operator:a")
        #expect(confirmed.decision == .init(actor: "operator:a", at: 2_000))
        await #expect(throws: ReviewError.self) {
            try await decisions.confirm(number, key: "b", by: "operator:b")
        }
        #expect(try await memory.entries.map(\.actor) == ["operator:a"])
        #expect(try await memory.entries.map(\.action) == [.proposalConfirmed])
    }

    @Test func whoConfirmedByMistakeDismisses() async throws {
        let number = try await proposal()
        let decisions = ProposalDecisions(storage) { Date(timeIntervalSince1970: 2) }
        _ = try await decisions.confirm(number, key: "b", by: "a")
        let dismissed = try await decisions.dismiss(number, reason: "It is right.", by: "b")
        #expect(dismissed.state == .dismissed && dismissed.decision?.actor == "b")
        await #expect(throws: ReviewError.self) {
            try await decisions.dismiss(number, reason: "Once more.", by: "b")
        }
        #expect(try await memory.entries.map(\.action) == [.proposalConfirmed, .proposalDismissed])
    }

    @Test(arguments: ["", "  \n", String(repeating: "x", count: 1_001), "a\u{0}"])
    func aDismissalNeedsAReason(reason: String) async throws {
        let number = try await proposal()
        await #expect(throws: ReviewError.self) {
            try await ProposalDecisions(storage).dismiss(number, reason: reason, by: "u")
        }
        #expect(try await storage.proposal(number)?.state == .open)
    }

    @Test func aMissingOneIsNamed() async throws {
        do {
            _ = try await ProposalDecisions(storage).dismiss(77, reason: "no", by: "u")
            Issue.record("It was dismissed.")
        } catch let error as ReviewError {
            #expect(error.code == .notFound && error.message.contains("77"))
        }
    }
}
