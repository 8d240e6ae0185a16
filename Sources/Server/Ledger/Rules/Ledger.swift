package import ServiceAPI
package import UserData

/// The rules of the ledger: what an exchange, a plain write or a retirement does to an account.
///
/// Pure: each decision has its keys, which a storage opens, and is made over the snapshot.
package struct Ledger: Sendable {
    /// A judge of one operation on the record that the account has.
    package typealias Judge =
        @Sendable (_ operation: ChangeOperation, _ record: UserRecord?, _ policy: Policy) -> Verdict

    /// The collections by name.
    package let rules: [String: CollectionRules]
    /// The limits of an account and of a reply.
    package var limits = LedgerLimits()
    /// The judge of operations; a simulation plants its mistakes here.
    package var judge: Judge = { MergeRules.judge($0, on: $1, policy: $2) }

    /// Makes a ledger of these collections.
    package init(rules: some Sequence<CollectionRules>) {
        self.rules = Dictionary(
            rules.map { ($0.declaration.name, $0) }, uniquingKeysWith: { $1 })
    }

    // MARK: Exchanges

    /// Returns all that the decision on an exchange needs to see.
    ///
    /// - Parameters:
    ///   - call: The request, whose user was compared with the token.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: The keys.
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
        keys.bringsAnswers = !call.answers.isEmpty
        return keys
    }

    /// Decides on an exchange.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - requestDigest: The hashes of the request.
    ///   - now: The wall clock, in milliseconds since 1970.
    ///   - chance: A text that nobody used before: the name of what is written now, and of the
    ///     account's history, should the server find that it went back.
    ///   - snapshot: The account.
    /// - Returns: The changes, and the reply but for the rows of its answers.
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

/// The reply to an exchange, but for the rows of its answers, which never change and are read later.
package struct ExchangeOutline: Sendable {
    /// The reply without answers.
    package var response: ExchangeResponse
    /// The runs of answers that the device lacks.
    package var answers: [AnswerSpan] = []
}

/// The limits of an account and of a reply that a simulation lowers, so that it meets them.
package struct LedgerLimits: Sendable, Hashable {
    /// The most records of a reply.
    package var recordsPerReplyMax = ServiceLimits.recordsPerReplyMax
    /// The most answers of a reply.
    package var answersPerReplyMax = ServiceLimits.answersPerReplyMax
    /// The most marks of an account: a device that missed more writes reads the log anew.
    package var marksMax = 200
    /// The most devices in use.
    package var devicesPerUserMax = ServiceLimits.devicesPerUserMax
    /// The most retired devices of whose operations it is remembered which were applied.
    package var retiredDevicesMax = ServiceLimits.devicesPerUserMax
    /// The number of results that are recognised below those that a device has processed.
    package var processedResultsMax = ServiceLimits.processedResultsMax
}
