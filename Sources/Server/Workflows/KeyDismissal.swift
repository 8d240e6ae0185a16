import Publishing
import Review

/// The dismissal of a proposal; one transaction stores the decision and its audit entry.
package struct KeyDismissal: Workflow {
    private let number: Int64
    private let reason: String

    /// Creates a dismissal with a reason, for the reviewers of the question if it is flagged again.
    package init(_ number: Int64, reason: String) { (self.number, self.reason) = (number, reason) }

    /// Stores the decision, and reports the changes that an earlier confirmation left in the content folder.
    ///
    /// - Throws: `ReviewError` `notFound`, `isDecided`, `reason`; `StorageError`. Then nothing is changed.
    package func run(in place: Workplace, by actor: Actor) async throws -> Outcome {
        let review = try place.review
        let before = try await review.neededProposal(number)
        let proposal = try await ProposalDecisions(review, clock: { place.now })
            .dismiss(number, reason: reason, by: actor.id)
        var sentences = ["Proposal \(number) is dismissed."]
        // One that stopped half way left something too, and its proposal is open.
        if let key = before.proposed() {
            sentences += try await place.threads.run {
                [Self.left(of: before, key, in: place)].compactMap(\.self)
            }
        }
        return Outcome(sentence: sentences.joined(separator: "\n"), json: proposal.json)
    }

    /// Returns the remaining changes of a key's confirmation; `nil` for none.
    private static func left(of proposal: Proposal, _ key: String, in place: Workplace) -> String? {
        let release = release(with: proposal, in: place)
        func end(_ what: String) -> String {
            guard let release else { return "Take \(what) back before you publish." }
            return "Release \(release) has this key already: take \(what) back, and publish again."
        }
        // A confirmation changed files, whether they can be read now or not.
        guard
            let files = try? KeyCorrection.traces(
                of: key, proposal.question, in: proposal.bank, ContentEditor(folder: place.content))
        else {
            return proposal.state == .confirmed
                ? "Its confirmation changed the content folder: the key there, and an entry in corrections.yaml. \(end("both"))"
                : nil
        }
        return switch files {
        case (let file?, let note?):
            "\(file) still has the key \"\(key)\" of its confirmation, and by an entry in \(note) earlier answers are graded again. \(end("both"))"
        case (let file?, nil):
            "\(file) still has the key \"\(key)\" of its confirmation. \(end("it"))"
        case (nil, let note?):
            "By an entry in \(note) earlier answers are still graded again with the key \"\(key)\". \(end("the entry"))"
        case (nil, nil):
            (proposal.state == .confirmed ? release : nil).map {
                "Release \($0) has the key \"\(key)\" of its confirmation until you publish again."
            }
        }
    }

    /// Returns the number of the served release where that has the proposed key, as in a staged rollout; a release that
    /// cannot be read says nothing.
    private static func release(with proposal: Proposal, in place: Workplace) -> Int? {
        // Nothing is asked about earlier releases.
        let none = ReviewedRelease(number: 0, banks: [])
        guard let served = try? ReviewedRelease(directory: place.release, after: none),
            proposal.isCorrected(in: served.question(proposal.question, of: proposal.bank))
        else { return nil }
        return served.number
    }
}
