import Accounts
import ContentModel
package import Foundation
import ServiceAPI

/// The decisions of people about proposals.
///
/// Each decision is made once, in one transaction with its audit entry.
package struct ProposalDecisions: Sendable {
    private let storage: ReviewStorage
    private let clock: @Sendable () -> Date

    package init(
        _ storage: ReviewStorage, clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.storage = storage
        self.clock = clock
    }

    /// Confirms that a key is wrong: the proposal then waits for a release with the right key.
    ///
    /// - Parameters:
    ///   - number: The proposal.
    ///   - key: The right key.
    ///   - actor: The reviewer.
    /// - Returns: The updated proposal.
    /// - Throws: `ReviewError` `notFound`, `isDecided`; `StorageError`. Then nothing is changed.
    package func confirm(
        _ number: Int64, key: String, by actor: String
    ) async throws -> Proposal {
        try await decide(number, .proposalConfirmed, by: actor) { $0.confirm(key) }
    }

    /// Dismisses a proposal, including one that was confirmed and has not shipped.
    ///
    /// - Parameters:
    ///   - number: The proposal.
    ///   - reason: The reason, for the reviewers of the question if it is flagged again.
    ///   - actor: The reviewer.
    /// - Returns: The updated proposal.
    /// - Throws: `ReviewError` `notFound`, `isDecided`, `reason`; `StorageError`. Then nothing is changed.
    package func dismiss(
        _ number: Int64, reason: String, by actor: String
    ) async throws -> Proposal {
        let reason = reason.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !reason.isEmpty, reason.utf8.count <= ServiceLimits.decisionReasonBytesMax,
            !reason.utf8.contains(0)
        else {
            throw ReviewError(
                .reason,
                "A dismissal needs a reason of 1 to \(ServiceLimits.decisionReasonBytesMax) bytes.")
        }
        return try await decide(
            number, .proposalDismissed, reason: reason, by: actor, from: [.open, .confirmed]
        ) {
            $0.state = .dismissed
        }
    }

    private func decide(
        _ number: Int64, _ action: AuditEntry.Action, reason: String = "", by actor: String,
        from states: Set<Proposal.State> = [.open],
        _ change: @escaping @Sendable (inout Proposal) -> Void
    ) async throws -> Proposal {
        let now = clock().millisecondsSince1970
        let written = try await storage.changeProposals { newest in
            // An older one of the question is not among these, and was decided about.
            guard var proposal = newest.first(where: { $0.number == number }),
                states.contains(proposal.state)
            else { return ProposalChanges() }
            change(&proposal)
            proposal.changedAt = now
            proposal.decision = Proposal.Decision(actor: actor, at: now, reason: reason)
            let entry = AuditEntry(
                time: now, actor: actor, action, String(number),
                "\(proposal.bank) \(proposal.question)"
                    + (reason.isEmpty ? "" : ": \(reason)"))
            return ProposalChanges(proposals: [proposal], entries: [entry])
        }
        if let proposal = written.first { return proposal }
        let known = try await storage.neededProposal(number)
        let who = known.decision?.actor ?? ProposalRule.server
        throw ReviewError(
            .isDecided, "Proposal \(number) is \(known.state.rawValue) already, by \(who).")
    }
}

extension ReviewStorage {
    /// Returns a proposal.
    ///
    /// - Throws: `ReviewError` `notFound`, `StorageError`.
    package func neededProposal(_ number: Int64) async throws -> Proposal {
        guard let proposal = try await proposal(number) else {
            throw ReviewError(
                .notFound, "There is no proposal \(number). `underway proposals list` lists them.")
        }
        return proposal
    }
}
