import Accounts
import ContentModel

/// The rule that creates, updates or ends proposals by the current answers and releases.
///
/// A dismissed question is not flagged again by the same evidence. It needs half as many further answers, at least
/// ``newAnswersMin``, or another proposed key, or further reports. Versions with the same question and key count as
/// one: a corrected explanation ends no proposal. All of it is pure.
package struct ProposalRule: Sendable {
    /// The minimum number of further answers that count as new evidence.
    package static let newAnswersMin = 20
    /// The minimum number of further reports that count as new evidence.
    package static let newReportsMin = 3
    /// The actor of automatic decisions.
    package static let server = "server"

    /// The time, in milliseconds since 1970.
    package var now: Int64
    /// The served release.
    package var release: ReviewedRelease

    package init(now: Int64, release: ReviewedRelease) {
        self.now = now
        self.release = release
    }

    // MARK: Answers

    /// Returns the proposals to write after the review of a bank.
    ///
    /// - Parameters:
    ///   - review: The review of the bank in the current release.
    ///   - newest: The newest proposal of each question.
    /// - Returns: The changed proposals.
    package func changes(_ review: BankReview, _ newest: [Proposal]) -> ProposalChanges {
        let known = Dictionary(
            newest.filter { $0.bank == review.bank }.map { ($0.question, $0) },
            uniquingKeysWith: { $1 })
        var changes = ProposalChanges()
        for item in review.items.values.sorted(by: { $0.question < $1.question }) {
            guard let change = change(item, of: review.bank, known[item.question]) else { continue }
            changes.proposals.append(change)
        }
        return changes
    }

    private func change(
        _ item: BankReview.Item, of bank: String, _ newest: Proposal?
    ) -> Proposal? {
        guard let newest else { return opened(item, of: bank, after: nil) }
        let isSame = newest.version == item.version || release.asksTheSame(newest)
        switch newest.state {
        case .open where isSame: return updated(newest, item)
        // A release decides about these.
        case .open, .confirmed: return nil
        case .dismissed where isSame && !isNew(item, since: newest): return nil
        case .dismissed, .shipped: return opened(item, of: bank, after: newest)
        }
    }

    private func opened(
        _ item: BankReview.Item, of bank: String, after former: Proposal?
    ) -> Proposal? {
        item.speaksAgainstKey ? Proposal(item, of: bank, at: now, after: former) : nil
    }

    /// Returns true for evidence that a decision did not know.
    func isNew(_ item: BankReview.Item, since decided: Proposal) -> Bool {
        let (before, after) = (decided.evidence, item.evidence)
        if after.reports >= before.reports + max(Self.newReportsMin, before.reports) { return true }
        guard item.isSuspicious else { return false }
        if decided.isContradicted(by: item) { return true }
        // Nobody looked at what the server dismissed: a few answers bring it back, so that it does not come and go with each.
        if decided.decision?.actor == Self.server {
            return after.respondents >= before.respondents + Self.newAnswersMin
        }
        return after.respondents
            >= before.respondents + max(Self.newAnswersMin, before.respondents / 2)
    }

    /// Brings the evidence of an open proposal up to date; `nil` while it says about the same.
    private func updated(_ proposal: Proposal, _ item: BankReview.Item) -> Proposal? {
        var new = proposal
        new.take(item, at: now)
        guard item.speaksAgainstKey else {
            // Later answers cleared the key, or the reports were taken back.
            new.state = .dismissed
            new.decision = Proposal.Decision(
                actor: Self.server, at: now,
                reason: "Nothing speaks against the key any more.")
            return new
        }
        return proposal.says(the: item) ? nil : new
    }

    // MARK: Releases

    /// Returns the proposals that the current release ends, and their audit entries.
    ///
    /// A question with the proposed key is shipped, however it was corrected, once all devices get the release. A
    /// question that changed in another way, was retired or is gone ends its proposal.
    package func changesByRelease(_ newest: [Proposal]) -> ProposalChanges {
        var changes = ProposalChanges()
        for proposal in newest where proposal.state.isPending {
            guard let ended = ended(proposal) else { continue }
            changes.proposals.append(ended)
            guard ended.state == .shipped else { continue }
            changes.entries.append(
                AuditEntry(
                    time: now, actor: Self.server, .proposalShipped, String(ended.number),
                    "release \(release.number), \(ended.bank) \(ended.question)"))
        }
        return changes
    }

    private func ended(_ proposal: Proposal) -> Proposal? {
        let question = release.question(proposal.question, of: proposal.bank)
        if let question, !question.isRetired {
            if release.asksTheSame(proposal) { return nil }
            if proposal.isCorrected(in: question) {
                if release.isStaged { return nil }
                var shipped = proposal
                shipped.state = .shipped
                shipped.release = release.number
                shipped.shippedAt = now
                shipped.changedAt = now
                shipped.decision =
                    proposal.decision
                    ?? Proposal.Decision(
                        actor: Self.server, at: now, reason: "The key was corrected in the content."
                    )
                return shipped
            }
            // A confirmed fix may ship together with other edits, and later.
            if proposal.state == .confirmed, question.keyLabel == proposal.key { return nil }
        }
        var gone = proposal
        gone.state = .dismissed
        gone.changedAt = now
        gone.decision = Proposal.Decision(
            actor: Self.server, at: now,
            reason: question == nil || question?.isRetired == true
                ? "The question is not asked any more." : "The question was changed.")
        return gone
    }
}

extension ReviewedRelease {
    /// Returns true while a proposal is about what the release asks.
    fileprivate func asksTheSame(_ proposal: Proposal) -> Bool {
        banks.first { $0.name == proposal.bank }?.asksTheSame(proposal.question, proposal.version)
            ?? false
    }
}
