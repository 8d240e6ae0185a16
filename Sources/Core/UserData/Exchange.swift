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
    /// Changes in the order in which they were made.
    public var operations: [Operation]
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
    public var changes: [Record]
    /// Up to where `changes` goes.
    public var cursor: UInt64
    /// True when there is more behind the cursor.
    public var hasMore: Bool
    /// The digest of all records at the cursor, when there is no more.
    public var digest: RecordDigest?

    /// Describes an answer.
    public init(
        number: UInt64, epoch: String, results: [OperationID: OperationResult] = [:],
        changes: [Record] = [], cursor: UInt64 = 0, hasMore: Bool = false,
        digest: RecordDigest? = nil
    ) {
        self.number = number
        self.epoch = epoch
        self.results = results
        self.changes = changes
        self.cursor = cursor
        self.hasMore = hasMore
        self.digest = digest
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
}
