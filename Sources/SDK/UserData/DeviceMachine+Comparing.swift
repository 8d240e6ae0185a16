extension DeviceMachine {
    /// The maximum number of repairs without an agreement of the digests.
    static let repairsMax = 3

    /// The next step after a comparison of the digests of answers.
    enum Comparison {
        /// The digests agree, or there was nothing to compare.
        case done
        /// The device must request sums, or the answers of names that differ.
        case asks
        /// The device's own name differs: the device must leave it first.
        case leavesName
        /// The digests differ after all repairs.
        case givesUp
    }

    /// Adds the answers of a reply and their hashes.
    ///
    /// - Returns: The new parts of the runs.
    mutating func addAnswers(_ response: ExchangeResponse) -> [AnswerSpan] {
        response.answers.enumerated().compactMap { index, span in
            guard let new = state.answers.add(span) else { return nil }
            let hashes = index < response.answerHashes.count ? response.answerHashes[index] : []
            state.answerDigests[span.client, default: SetDigest()]
                .add(SetDigest(hashes.suffix(new.count)))
            return new
        }
    }

    /// Adds the digest of answers that the caller stored in the state's transaction.
    package mutating func stored(_ digest: SetDigest, of client: ClientID) {
        state.answerDigests[client, default: SetDigest()].add(digest)
    }

    /// Removes the digest of answers whose numbers the caller removed in the state's transaction.
    package mutating func detached(_ digest: SetDigest, of client: ClientID) {
        guard let known = state.answerDigests[client] else { return }
        var rest = known
        rest.remove(digest)
        state.answerDigests[client] = rest == SetDigest() ? nil : rest
    }

    /// Compares the digests of answers when both sides have the same numbers, and repairs the names that differ.
    ///
    /// The answers of a name that differs lose their numbers. The server's are read from the first, and those that the
    /// server lacks then get a name of their own.
    /// - Returns: The next step.
    mutating func compareAnswers(
        _ response: ExchangeResponse, _ effects: inout [Effect]
    ) -> Comparison {
        guard state.answers == response.knownAnswers, let theirs = response.answersDigest else {
            return .done
        }
        guard theirs != state.answerDigests.values.joined else {
            state.wantsSums = false
            state.differingAnswerCount = 0
            repairCount = 0
            return .done
        }
        state.wantsSums = true
        guard let sums = response.sums else { return .asks }
        let names = Set(state.answers.lasts.keys).filter {
            sums[$0] ?? SetDigest() != state.answerDigests[$0] ?? SetDigest()
        }
        guard repairCount < Self.repairsMax else {
            state.differingAnswerCount = names.reduce(0) { $0 + Int(state.answers[$1]) }
            return .givesUp
        }
        repairCount += 1
        if names.contains(state.client) { return .leavesName }
        for name in names.sorted() { setAside(name, &effects) }
        return .asks
    }

    private mutating func setAside(_ name: ClientID, _ effects: inout [Effect]) {
        let span = AnswerSpan(client: name, first: 1, count: Int(state.answers[name]))
        state.answers.truncate(to: 0, of: name)
        state.answerDigests[name] = nil
        state.detachedCount += span.count
        effects.append(.detachAnswers(span))
    }
}
