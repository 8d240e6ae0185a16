/// The end of a user's log, with a name that is given at random when it is written: a server that went
/// back, and on again to the same position, does not know it.
public struct LogHead: Sendable, Hashable, Codable {
    /// The position of the last record.
    public var position: UInt64
    /// Its name.
    public var mark: String

    /// Names an end.
    public init(position: UInt64, mark: String) {
        self.position = position
        self.mark = mark
    }
}

/// What a device sends: its changes, and where it stands in the user's log.
public struct ExchangeRequest: Sendable, Hashable, Codable {
    /// The number of the request, which its answer repeats.
    public var number: UInt64
    /// The user; the server compares it with that of the token.
    public var user: String
    /// The device.
    public var client: ClientID
    /// The server's history that the cursor belongs to; `nil` at the first time.
    public var epoch: String?
    /// The last position of the log that the device knows; 0 for none.
    public var cursor: UInt64
    /// The newest state of the server that the device has heard of; `nil` for none.
    public var head: LogHead?
    /// Changes in the order in which they were made.
    public var operations: [ChangeOperation]
    /// Answers to all operations of this device with a lower counter were read.
    public var settledBefore: UInt64
    /// The answers that the device has.
    public var answersHeld: AnswerVector
    /// The answers that come with the request.
    public var answers: [AnswerSpan]
    /// True while the device reads the log from its start.
    public var isReadingAnew: Bool
    /// True when the device found that its store is a copy of another device's: nothing is to be done
    /// but to say which of the operations are known.
    public var isCopied: Bool

    /// Describes a request.
    public init(
        number: UInt64, user: String, client: ClientID, epoch: String?, cursor: UInt64,
        head: LogHead? = nil, operations: [ChangeOperation], settledBefore: UInt64 = 0,
        answersHeld: AnswerVector = AnswerVector(), answers: [AnswerSpan] = [],
        isReadingAnew: Bool = false, isCopied: Bool = false
    ) {
        self.number = number
        self.user = user
        self.client = client
        self.epoch = epoch
        self.cursor = cursor
        self.head = head
        self.operations = operations
        self.settledBefore = settledBefore
        self.answersHeld = answersHeld
        self.answers = answers
        self.isReadingAnew = isReadingAnew
        self.isCopied = isCopied
    }
}

/// What the server answers.
public struct ExchangeResponse: Sendable, Hashable, Codable {
    /// The number of the request.
    public var number: UInt64
    /// The server's history.
    ///
    /// Another one than in the request means that the server went back to a backup: nothing was
    /// done, and the device offers again what it has.
    public var epoch: String
    /// An answer for each operation of the request.
    public var results: [OperationID: OperationResult]
    /// What changed since the cursor, in the order of the log.
    public var changes: [UserRecord]
    /// Up to where `changes` goes.
    public var cursor: UInt64
    /// The state of the server after it; `nil` while the user has no records.
    public var head: LogHead?
    /// True when there is more behind the cursor.
    public var hasMore: Bool
    /// The answers that the server has now, also when it did nothing.
    public var answersHeld: AnswerVector
    /// The answers that come with the reply.
    public var answers: [AnswerSpan]
    /// True when the device slept longer than deleted records are remembered: nothing was done, and
    /// the device reads the log from its start; what is not in it any more was deleted.
    public var isTooOld: Bool
    /// The digest of all records at the cursor, when there is no more.
    public var digest: RecordDigest?
    /// True when answers of the request were left out because the account holds as many as it may.
    public var isFull: Bool
    /// True when the request is not a continuation of this device's earlier ones, as after the device
    /// was restored from a backup: nothing was done, and the device takes a new identity.
    ///
    /// `results` names the operations of the request that the server has applied already.
    public var isDeviceStale: Bool

    /// Describes an answer.
    public init(
        number: UInt64, epoch: String, results: [OperationID: OperationResult] = [:],
        changes: [UserRecord] = [], cursor: UInt64 = 0, head: LogHead? = nil,
        hasMore: Bool = false,
        answersHeld: AnswerVector = AnswerVector(), answers: [AnswerSpan] = [],
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
        self.answersHeld = answersHeld
        self.answers = answers
        self.isTooOld = isTooOld
        self.digest = digest
        self.isFull = isFull
        self.isDeviceStale = isDeviceStale
    }
}

/// Why a request got no answer.
public enum ExchangeFailure: Sendable, Hashable {
    /// There was no network, or it took too long.
    case offline
    /// The server is busy or broken; it may say how long to wait.
    case server(retryAfterMilliseconds: Int64?)
    /// The access token is not valid any more.
    case unauthorized
    /// The request is longer than the server, or the device itself, allows.
    case tooLong
}
