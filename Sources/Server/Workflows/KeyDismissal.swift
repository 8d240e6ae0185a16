import Review

/// The end of a proposal about which nothing is to be done; the decision and its entry in the audit log are one transaction.
package struct KeyDismissal: Workflow {
    private let number: Int64
    private let reason: String

    /// Describes a dismissal by the proposal's number and a reason, which those who see the question flagged again will read.
    package init(_ number: Int64, reason: String) { (self.number, self.reason) = (number, reason) }

    /// Stores the decision.
    ///
    /// - Throws: `ReviewError` `notFound`, `isDecided`, `reason`; `LedgerError`. Nothing is changed then.
    package func run(in place: Workplace, by actor: Actor) async throws -> Outcome {
        let proposal = try await ProposalDecisions(try place.review, clock: { place.now })
            .dismiss(number, reason: reason, by: actor.id)
        return Outcome(sentence: "Proposal \(number) is dismissed.", json: proposal.json)
    }
}
