package import ContentModel

/// The doubted key of a proposal, and the one that is proposed for it.
extension Proposal {
    /// The role of a response in a proposal.
    package enum Role: Sendable, Hashable {
        /// The key.
        case key
        /// The proposed key.
        case proposed
        /// Another response.
        case other
    }

    /// Returns the role of a response.
    package func role(of label: String) -> Role {
        label == key ? .key : label == proposedKey ? .proposed : .other
    }

    /// Returns the proposed key, named by a function; `nil` while the answers propose none.
    package func proposed(as name: (String) -> String = { $0 }) -> String? { proposedKey.map(name) }

    /// Returns the key and the proposed key, such as "Float → Double"; `nil` while the answers propose none.
    package func change(as name: (String) -> String = { $0 }) -> String? {
        proposed { "\(name(key)) → \(name($0))" }
    }

    /// True when the answers contradict the key or at least three learners reported it.
    package var doubtsKey: Bool { proposedKey != nil || evidence.reports >= 3 }

    /// Returns true if a question has the proposed key.
    package func isCorrected(in question: Question?) -> Bool {
        proposedKey.map { question?.hasKey($0) == true } ?? false
    }

    /// Returns true if a reviewer confirmed that key as the right one.
    package func isConfirmed(with key: String) -> Bool {
        state == .confirmed && proposedKey == key
    }

    /// Decides that a key is right.
    mutating func confirm(_ key: String) {
        state = .confirmed
        proposedKey = key
    }

    /// Returns the key that a correction writes.
    ///
    /// - Parameter named: The key that the reviewer names as right; `nil` for the proposed one.
    /// - Returns: The key.
    /// - Throws: `ReviewError` `isDecided` if the proposal was dismissed or has shipped or another key was confirmed,
    ///   `key` if no key is known or it is the current key (name another).
    package func rightKey(named: String?) throws -> String {
        guard state.isPending else {
            throw ReviewError(
                .isDecided,
                "Proposal \(number) is \(state.rawValue) already: nothing is to be corrected.")
        }
        if state == .confirmed, let named, let decided = proposedKey, named != decided {
            throw ReviewError(
                .isDecided,
                "Proposal \(number) is confirmed with the key \(decided). Name no other, or edit the question itself."
            )
        }
        guard let right = named ?? proposedKey else {
            throw ReviewError(.key, "Proposal \(number) proposes no key: name the right one.")
        }
        guard right != key else {
            throw ReviewError(
                .key,
                "This is the key now. If it is right, dismiss the proposal and say why. Nothing was changed."
            )
        }
        return right
    }
}

extension Proposal {
    /// Opens a proposal about what a review found.
    init(_ item: BankReview.Item, of bank: String, at now: Int64, after former: Proposal?) {
        self.init(
            bank: bank, question: item.question, version: item.version, key: item.key,
            proposedKey: item.proposedKey, evidence: item.evidence, flaggedAt: now,
            follows: former?.number)
    }

    /// Takes over what another review found; one that clears the key leaves what was proposed.
    mutating func take(_ item: BankReview.Item, at now: Int64) {
        version = item.version
        evidence = item.evidence
        proposedKey = item.speaksAgainstKey ? item.proposedKey : proposedKey
        changedAt = now
    }

    /// Returns true when a review proposes another key than was proposed.
    func isContradicted(by item: BankReview.Item) -> Bool {
        proposedKey != nil && proposedKey != item.proposedKey
    }

    /// Returns true when a review says about the same: as much evidence for the same key.
    func says(the item: BankReview.Item) -> Bool {
        let (before, after) = (evidence, item.evidence)
        return before.outcome == after.outcome && before.reports == after.reports
            && proposedKey == item.proposedKey && version == item.version
            && abs(after.respondents - before.respondents) * 10 < max(10, before.respondents)
    }
}
