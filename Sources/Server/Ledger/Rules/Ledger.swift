package import ServiceAPI
package import UserData

/// The rules of the ledger: the effects of an exchange, a direct write or a retirement on an account.
///
/// Pure: a storage opens the read set of each decision, and the decision runs over the snapshot.
package struct Ledger: Sendable {
    /// A judge of one operation on the account's current record.
    package typealias Judge =
        @Sendable (_ operation: ChangeOperation, _ record: UserRecord?, _ policy: Policy) -> Verdict

    /// The collections, by name.
    package internal(set) var rules: [String: CollectionRules]
    /// The limits of an account and of a reply.
    package var limits = LedgerLimits()
    /// The judge of operations; a simulation injects its errors here.
    package var judge: Judge = { MergeRules.judge($0, on: $1, policy: $2) }

    /// Creates a ledger of collections.
    package init(rules: some Sequence<CollectionRules>) {
        self.rules = Dictionary(
            rules.map { ($0.declaration.name, $0) }, uniquingKeysWith: { $1 })
    }

    // MARK: Exchanges

    /// Returns the read set of the decision on an exchange.
    ///
    /// - Parameters:
    ///   - call: The request; its user matches the token.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: The read set.
    package func keys(of call: ExchangeCall, now: Int64) -> LedgerReadSet {
        let request = call.request
        var keys = LedgerReadSet(user: request.user, client: request.client, now: now)
        keys.counters = Set(request.operations.map(\.id.counter))
        keys.records = Set(request.operations.map(\.key))
        keys.firstUnread = LedgerDevice.firstUnread(in: request)
        keys.page = .init(
            after: request.cursor, recordsMax: limits.recordsPerReplyMax,
            bytesMax: ServiceLimits.replyBytesMax)
        keys.head = request.head?.position
        keys.runs = call.answers.map(\.span).filter { $0.client == request.client }
        keys.bring(call.answers)
        return keys
    }

    /// Decides on an exchange.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - requestDigest: The hashes of the request.
    ///   - now: The wall clock, in milliseconds since 1970.
    ///   - chance: A unique random text, which names this write, and the account's new history if the server detects
    ///     that it was restored.
    ///   - snapshot: The account.
    /// - Returns: The changes, and the reply without the rows of its answers.
    package func decide(
        _ call: ExchangeCall, requestDigest: RequestDigest, now: Int64, chance: String,
        over snapshot: LedgerSnapshot
    ) -> LedgerDecision<ExchangeOutline> {
        var decision = ExchangeDecision(
            call: call, requestDigest: requestDigest, chance: chance,
            account: AccountDecision(ledger: self, now: now, snapshot: snapshot))
        let outline = decision.outline()
        return LedgerDecision(changes: decision.account.finished, reply: outline)
    }

    // MARK: Devices

    /// Returns what the decision to retire a device needs to see.
    func keys(retiring client: ClientID, of user: String, now: Int64) -> LedgerReadSet {
        LedgerReadSet(user: user, client: client, now: now)
    }

    /// Decides to retire a device; the reply is false when the user has no such device in use.
    func retire(
        _ client: ClientID, now: Int64, over snapshot: LedgerSnapshot
    ) -> LedgerDecision<Bool> {
        var account = AccountDecision(ledger: self, now: now, snapshot: snapshot)
        let device = snapshot.devices.first { $0.client == client && $0.isInUse }
        if let device { account.retire([device]) }
        // A repetition finds what the first run did.
        let wasRetired =
            snapshot.isRepeated
            && snapshot.devices.contains { $0.client == client && $0.isRetired }
        return LedgerDecision(changes: account.finished, reply: device != nil || wasRetired)
    }
}

/// The reply to an exchange without the rows of its answers, which never change and are read later.
package struct ExchangeOutline: Sendable {
    /// The reply without answers.
    package var response: ExchangeResponse
    /// The runs of answers that the device lacks.
    package var answers: [AnswerSpan] = []
}

/// The limits of an account and of a reply; a simulation lowers them in order to reach them.
package struct LedgerLimits: Sendable, Hashable {
    /// The maximum number of records in a reply.
    package var recordsPerReplyMax = ServiceLimits.recordsPerReplyMax
    /// The maximum number of answers in a reply.
    package var answersPerReplyMax = ServiceLimits.answersPerReplyMax
    /// The maximum number of marks of an account; a device that missed more writes reads the whole log again.
    package var marksMax = 200
    /// The maximum number of devices in use.
    package var devicesPerUserMax = ServiceLimits.devicesPerUserMax
    /// The maximum number of retired devices whose applied operations are still deduplicated.
    package var retiredDevicesMax = ServiceLimits.devicesPerUserMax
    /// The number of processed results that are still recognised.
    package var processedResultsMax = ServiceLimits.processedResultsMax
}
