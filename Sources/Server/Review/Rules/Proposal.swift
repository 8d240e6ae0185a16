package import Accounts

/// A question whose key or wording needs a review by a person, with the evidence.
///
/// A proposal is durable: its history is never rewritten. If the question is flagged again, a new proposal follows it.
package struct Proposal: Sendable, Hashable, Identifiable {
    /// The progress of a proposal.
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Undecided.
        case open
        /// A reviewer confirmed that the key is wrong; the release with the fix is not yet served.
        case confirmed
        /// A reviewer dismissed the proposal, or the question changed in another way.
        case dismissed
        /// A served release has the proposed key.
        case shipped

        /// True while the proposal needs a decision or a release.
        package var isPending: Bool { self == .open || self == .confirmed }
    }

    /// The number, which increases and is never reused; 0 before it is stored.
    package var number: Int64
    /// The bank: a language, or a region and an exam separated by a slash.
    package var bank: String
    /// The question's id.
    package var question: String
    /// The version of the question that the evidence concerns.
    package var version: String
    /// The key at that time: ids of options separated by spaces, or a number.
    package var key: String
    /// The proposed key in the same form; `nil` while the answers propose none.
    package var proposedKey: String?
    /// The progress.
    package var state: State = .open
    /// The figures of the evidence.
    package var evidence: Evidence
    /// The time at which the question was flagged, in milliseconds since 1970.
    package var flaggedAt: Int64
    /// The time of the last change, in milliseconds since 1970.
    package var changedAt: Int64
    /// The decision; `nil` while it is pending.
    package var decision: Decision?
    /// The first served release that has the proposed key.
    package var release: Int?
    /// The time since which that release is served, in milliseconds since 1970.
    package var shippedAt: Int64?
    /// The earlier proposal for the same question.
    package var follows: Int64?

    package var id: Int64 { number }

    /// A decision: its actor, time and reason.
    package struct Decision: Sendable, Hashable {
        /// The account, `operator:NAME` or `server`.
        package var actor: String
        /// The time, in milliseconds since 1970.
        package var at: Int64
        /// The reason; empty for a confirmation without one.
        package var reason: String

        package init(actor: String, at: Int64, reason: String = "") {
            self.actor = actor
            self.at = at
            self.reason = reason
        }
    }

    /// The evidence for a proposal.
    package struct Evidence: Sendable, Hashable {
        /// The number of learners who answered this version at first sight.
        package var respondents: Int
        /// The number of learners who reported it.
        package var reports: Int
        /// The sort key of proposals; the natural logarithm of the odds that the key is wrong if ``probability`` is
        /// known.
        package var score: Double
        /// The probability that the key is wrong; `nil` for too few answers and for questions without a single option
        /// as answer.
        package var probability: Double?
        /// The outcome of a `WrongKeyFinding`: act, review, notEnoughSignal, fine; `nil` without one.
        package var outcome: String?
        /// The response of each row of ``shares``.
        package var labels: [String]
        /// The share of each response.
        package var shares: [Double]
        /// The curves: groups of learners, the least able first.
        package var groups: [Group]

        /// Learners of similar ability.
        package struct Group: Sendable, Hashable {
            /// The number of learners.
            package var count: Int
            /// The share of each response.
            package var shares: [Double]

            package init(count: Int, shares: [Double]) {
                self.count = count
                self.shares = shares
            }
        }

        package init(
            respondents: Int = 0, reports: Int = 0, score: Double = 0, probability: Double? = nil,
            outcome: String? = nil, labels: [String] = [], shares: [Double] = [],
            groups: [Group] = []
        ) {
            self.respondents = respondents
            self.reports = reports
            self.score = score
            self.probability = probability
            self.outcome = outcome
            self.labels = labels
            self.shares = shares
            self.groups = groups
        }
    }

    package init(
        number: Int64 = 0, bank: String, question: String, version: String, key: String,
        proposedKey: String?, evidence: Evidence, flaggedAt: Int64, follows: Int64? = nil
    ) {
        self.number = number
        self.bank = bank
        self.question = question
        self.version = version
        self.key = key
        self.proposedKey = proposedKey
        self.evidence = evidence
        self.flaggedAt = flaggedAt
        changedAt = flaggedAt
        self.follows = follows
    }
}

extension Proposal {
    /// Returns true if this proposal has stronger evidence than another.
    package func precedes(_ other: Proposal) -> Bool {
        let (mine, theirs) = (evidence.score, other.evidence.score)
        return mine == theirs ? number < other.number : mine > theirs
    }
}

/// Proposals that are written in one transaction, with their audit entries.
package struct ProposalChanges: Sendable, Hashable {
    /// The proposals; those with the number 0 are new.
    package var proposals: [Proposal] = []
    /// The entries for the audit log.
    package var entries: [AuditEntry] = []

    package init(proposals: [Proposal] = [], entries: [AuditEntry] = []) {
        self.proposals = proposals
        self.entries = entries
    }
}

/// A learner's report as authors read it.
package struct ReceivedReport: Sendable, Hashable {
    /// The bank.
    package var bank: String
    /// The question's id.
    package var question: String
    /// The version that was shown.
    package var version: String
    /// The name of the reason.
    package var reason: String
    /// The learner's text.
    package var text: String
    /// The time at which the server received it, in milliseconds since 1970.
    package var at: Int64

    package init(
        bank: String, question: String, version: String, reason: String, text: String, at: Int64
    ) {
        self.bank = bank
        self.question = question
        self.version = version
        self.reason = reason
        self.text = text
        self.at = at
    }
}

/// The number of learners who reported a version of a question.
package struct ReportCount: Sendable, Hashable {
    /// The bank.
    package var bank: String
    /// The question's id.
    package var question: String
    /// The version that was shown.
    package var version: String
    /// The number of learners.
    package var learners: Int

    package init(bank: String, question: String, version: String, learners: Int) {
        self.bank = bank
        self.question = question
        self.version = version
        self.learners = learners
    }
}
