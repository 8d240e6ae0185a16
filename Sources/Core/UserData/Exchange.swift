/// The end of a user's log, identified by a random mark.
///
/// A server that was restored, and has reached the same position again, has another mark.
public struct LogHead: Sendable, Hashable, Codable {
    /// The position of the last record.
    public var position: UInt64
    /// The random mark that was assigned when the position was written.
    public var mark: String

    /// Creates a head.
    public init(position: UInt64, mark: String) {
        self.position = position
        self.mark = mark
    }
}

/// A device's request of an exchange: its pending operations and its position in the user's log.
public struct ExchangeRequest: Sendable, Hashable, Codable {
    /// The sequence number of the request, which its reply repeats.
    public var number: UInt64
    /// The user's id; the server compares it with the token's.
    public var user: String
    /// The device.
    public var client: ClientID
    /// The epoch that the cursor belongs to; `nil` in the first request.
    public var epoch: String?
    /// The last position of the log that the device knows; 0 for none.
    public var cursor: UInt64
    /// The newest head of the log that the device knows of; `nil` for none.
    public var head: LogHead?
    /// Pending operations in the order in which they were made.
    public var operations: [ChangeOperation]
    /// The device has processed the results of all its operations below this counter; the server
    /// may drop them.
    public var processedBefore: UInt64
    /// The answers stored on the device.
    public var knownAnswers: AnswerVector
    /// The runs of answers that come with the request.
    public var answers: [AnswerSpan]
    /// True while the device reads the log from its start.
    public var isReadingAnew: Bool
    /// True when the device found that its store is a copy of another device's: the server applies
    /// nothing and reports which of the operations it knows.
    public var isCopied: Bool

    /// Creates a request.
    public init(
        number: UInt64, user: String, client: ClientID, epoch: String?, cursor: UInt64,
        head: LogHead? = nil, operations: [ChangeOperation], processedBefore: UInt64 = 0,
        knownAnswers: AnswerVector = AnswerVector(), answers: [AnswerSpan] = [],
        isReadingAnew: Bool = false, isCopied: Bool = false
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
    }
}

/// The server's reply to an exchange.
public struct ExchangeResponse: Sendable, Hashable, Codable {
    /// The sequence number of the request.
    public var number: UInt64
    /// The server's epoch.
    ///
    /// Another one than in the request means that the server was restored from a backup: nothing
    /// was applied, and the device offers the records that the server lost.
    public var epoch: String
    /// The result of each operation of the request.
    public var results: [OperationID: OperationResult]
    /// The records that changed after the request's cursor, in the order of the log.
    public var changes: [UserRecord]
    /// The last position that `changes` covers.
    public var cursor: UInt64
    /// The head of the log after the exchange; `nil` while the user has no records.
    public var head: LogHead?
    /// True when more changes follow the cursor.
    public var hasMore: Bool
    /// The answers stored on the server now, also when it applied nothing.
    public var knownAnswers: AnswerVector
    /// The answers that come with the reply.
    public var answers: [AnswerSpan]
    /// True when the device was offline for longer than tombstones are stored.
    ///
    /// Nothing was applied, and the device reads the log from its start; records missing from it
    /// were deleted.
    public var isTooOld: Bool
    /// The digest of all records at the cursor, when no more follow.
    public var digest: RecordDigest?
    /// True when answers of the request were left out because the account has reached its limit.
    public var isFull: Bool
    /// True when the request does not continue this device's earlier ones, as after the device was
    /// restored from a backup: nothing was applied, and the device takes a new identity.
    ///
    /// `results` contains the operations of the request that the server had applied before.
    public var isDeviceStale: Bool

    /// Creates a reply.
    public init(
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
public enum ExchangeFailure: Sendable, Hashable {
    /// There was no network, or the request timed out.
    case offline
    /// The server is overloaded or failed; it may state how long to wait.
    case server(retryAfterMilliseconds: Int64?)
    /// The access token has expired or was revoked.
    case unauthorized
    /// The request is longer than the server, or the device itself, allows.
    case tooLong
}
