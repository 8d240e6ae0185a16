import Publishing
import Review

/// The end of a proposal about which nothing is to be done; the decision and its entry in the audit log are one transaction.
package struct KeyDismissal: Workflow {
    private let number: Int64
    private let reason: String

    /// Describes a dismissal by the proposal's number and a reason, which those who see the question flagged again will read.
    package init(_ number: Int64, reason: String) { (self.number, self.reason) = (number, reason) }

    /// Stores the decision, and says what a confirmation before it left in the content folder.
    ///
    /// - Throws: `ReviewError` `notFound`, `isDecided`, `reason`; `StorageError`. Nothing is changed then.
    package func run(in place: Workplace, by actor: Actor) async throws -> Outcome {
        let review = try place.review
        let before = try await review.neededProposal(number)
        let proposal = try await ProposalDecisions(review, clock: { place.now })
            .dismiss(number, reason: reason, by: actor.id)
        var sentences = ["Proposal \(number) is dismissed."]
        if before.state == .confirmed, let key = before.proposed() {
            sentences += try await place.threads.run {
                [Self.left(of: before, key, in: place)].compactMap(\.self)
            }
        }
        return Outcome(sentence: sentences.joined(separator: "\n"), json: proposal.json)
    }

    /// What the confirmation of a key changed and nobody took back; `nil` where nothing of it is there.
    private static func left(of proposal: Proposal, _ key: String, in place: Workplace) -> String? {
        let files = try? KeyCorrection.traces(
            of: key, proposal.question, in: proposal.bank, ContentEditor(folder: place.content))
        return switch (files?.key, files?.note) {
        case _ where files == nil:
            "Its confirmation changed the content folder: take the key back there, and the entry in corrections.yaml, before you publish."
        case (let file?, let note?):
            "\(file) still has the key \"\(key)\" of its confirmation, and by an entry in \(note) earlier answers are graded again. Take both back before you publish."
        case (let file?, nil):
            "\(file) still has the key \"\(key)\" of its confirmation. Take it back before you publish."
        case (nil, let note?):
            "By an entry in \(note) earlier answers are still graded again with the key \"\(key)\". Take it back before you publish."
        default: nil
        }
    }
}
