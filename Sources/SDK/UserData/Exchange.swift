/// The end of a user's log, identified by a random mark.
///
/// A server that was restored, and has reached the same position again, has another mark.
package struct LogHead: Sendable, Hashable, Codable {
    /// The position of the last record.
    package var position: UInt64
    /// The random mark that was assigned when the position was written.
    package var mark: String

    /// Creates a head.
    package init(position: UInt64, mark: String) {
        self.position = position
        self.mark = mark
    }
}

/// A device's request of an exchange: its pending operations and its position in the user's log.
package struct ExchangeRequest: Sendable, Hashable, Codable {
    /// The sequence number of the request, which its reply repeats.
    package var number: UInt64
    /// The user's id; the server compares it with the token's.
    package var user: String
    /// The device.
    package var client: ClientID
    /// The epoch that the cursor belongs to; `nil` in the first request.
    package var epoch: String?
    /// The last position of the log that the device knows; 0 for none.
    package var cursor: UInt64
    /// The newest head of the log that the device knows of; `nil` for none.
    package var head: LogHead?
    /// Pending operations in the order in which they were made.
    package var operations: [ChangeOperation]
    /// The device has processed the results of all its operations below this counter; the server
    /// may drop them.
    package var processedBefore: UInt64
    /// The answers stored on the device.
    package var knownAnswers: AnswerVector
    /// The runs of answers that come with the request.
    package var answers: [AnswerSpan]
    /// True while the device reads the log from its start.
    package var isReadingAnew: Bool
    /// True when the device detected that its store is a copy of another device's: the server applies nothing and
    /// reports which of the operations it knows.
    package var isCopied: Bool
    /// True when the digests of answers differed: the reply then has one for each device.
    package var wantsSums: Bool

    /// Creates a request.
    package init(
        number: UInt64, user: String, client: ClientID, epoch: String?, cursor: UInt64,
        head: LogHead? = nil, operations: [ChangeOperation], processedBefore: UInt64 = 0,
        knownAnswers: AnswerVector = AnswerVector(), answers: [AnswerSpan] = [],
        isReadingAnew: Bool = false, isCopied: Bool = false, wantsSums: Bool = false
    ) {
        self.number = number
        self.user = user
        self.client = client
        self.epoch = epoch
        self.cursor = cursor
        self.head = head
        self.operations = operations
        self.processedBefore = processedBefore
        self.knownAnswers = knownAnswers
        self.answers = answers
        self.isReadingAnew = isReadingAnew
        self.isCopied = isCopied
        self.wantsSums = wantsSums
    }
}

/// The server's reply to an exchange.
package struct ExchangeResponse: Sendable, Hashable, Codable {
    /// The sequence number of the request.
    package var number: UInt64
    /// The server's epoch.
    ///
    /// A change of the epoch means that the server was restored from a backup: nothing was applied, and the device
    /// offers the records that the server lost.
    package var epoch: String
    /// The result of each operation of the request.
    package var results: [OperationID: OperationResult]
    /// The records that changed after the request's cursor, in the order of the log.
    package var changes: [UserRecord]
    /// The last position that `changes` covers.
    package var cursor: UInt64
    /// The head of the log after the exchange; `nil` while the user has no records.
    package var head: LogHead?
    /// True when more changes follow the cursor.
    package var hasMore: Bool
    /// The answers stored on the server now, also when it applied nothing.
    package var knownAnswers: AnswerVector
    /// The answers that come with the reply.
    package var answers: [AnswerSpan]
    /// The hashes of these answers, run by run; the receiver computes them.
    package var answerHashes: [[UInt64]] = []
    /// The digest of all answers on the server now, when no more follow.
    package var answersDigest: SetDigest?
    /// The digest of each device's answers, if the request asks for them.
    package var sums: [ClientID: SetDigest]?
    /// True when the device was offline for longer than tombstones are stored.
    ///
    /// Nothing was applied, and the device reads the log from its start; records missing from it
    /// were deleted.
    package var isTooOld: Bool
    /// The digest of all records at the cursor, when no more follow.
    package var digest: RecordDigest?
    /// True when answers of the request were ignored because the account has reached its limit.
    package var isFull: Bool
    /// True when the request does not continue this device's earlier ones, as after a restore of the device from a
    /// backup: nothing was applied, and the device gets a new identity.
    ///
    /// `results` contains the operations of the request that the server had applied before.
    package var isDeviceStale: Bool

    /// Creates a reply.
    package init(
        number: UInt64, epoch: String, results: [OperationID: OperationResult] = [:],
        changes: [UserRecord] = [], cursor: UInt64 = 0, head: LogHead? = nil,
        hasMore: Bool = false,
        knownAnswers: AnswerVector = AnswerVector(), answers: [AnswerSpan] = [],
        isTooOld: Bool = false, digest: RecordDigest? = nil, isFull: Bool = false,
        isDeviceStale: Bool = false
    ) {
        self.number = number
        self.epoch = epoch
        self.results = results
        self.changes = changes
        self.cursor = cursor
        self.head = head
        self.hasMore = hasMore
        self.knownAnswers = knownAnswers
        self.answers = answers
        self.isTooOld = isTooOld
        self.digest = digest
        self.isFull = isFull
        self.isDeviceStale = isDeviceStale
    }
}

/// The reason why a request has no reply.
package enum ExchangeFailure: Sendable, Hashable {
    /// There was no network, or the request timed out.
    case offline
    /// The server is overloaded or failed; it may state how long to wait.
    case server(retryAfterMilliseconds: Int64?)
    /// The access token has expired or was revoked.
    case unauthorized
    /// The request is longer than the server, or the device itself, allows.
    case tooLong
}
