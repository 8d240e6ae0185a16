/// The size of a pool and its time limits.
///
/// ```swift
/// var settings = PoolSettings(try PostgresAddress("postgres://app@localhost/underway"))
/// settings.connectionsMax = 8
/// let pool = PostgresPool(settings)
/// ```
public struct PoolSettings: Sendable, Hashable {
    /// The address of the database.
    public var address: PostgresAddress
    /// The most connections: 2 to 4 for each core of the database, at most 16 in a process, are fastest.
    public var connectionsMax = 8
    /// The most callers that wait for a connection; further ones fail with `poolBusy` at once.
    public var waitersMax = 1_000
    /// The longest time that a caller waits for a connection.
    public var waitTimeout = Duration.seconds(5)
    /// The longest time that a server may be silent while it has a statement; set it above `statement_timeout`.
    public var replyTimeout = Duration.seconds(30)
    /// The time without use after which a connection is tried before it is used.
    public var idleCheckAfter = Duration.seconds(30)
    /// The time that a connection has to answer that trial.
    public var idleCheckTimeout = Duration.seconds(2)
    /// The age at which a connection is replaced, so that a pool follows changes of the servers.
    public var connectionAgeMax = Duration.seconds(30 * 60)
    /// The most prepared statements of a connection; 0 prepares none, which a pooler in transaction mode needs.
    public var statementNamesMax = 0

    /// Describes a pool.
    public init(_ address: PostgresAddress) { self.address = address }
}

/// The numbers of a pool at one time.
public struct PoolStatus: Sendable, Hashable {
    /// The connections that nobody uses.
    public var idle: Int
    /// The connections in use.
    public var inUse: Int
    /// The connections that are being opened.
    public var connecting: Int
    /// The callers that wait.
    public var waiting: Int

    /// Names the numbers.
    public init(idle: Int, inUse: Int, connecting: Int, waiting: Int) {
        self.idle = idle
        self.inUse = inUse
        self.connecting = connecting
        self.waiting = waiting
    }
}
