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
    /// The maximum number of connections; 2 to 4 for each core of the database, at most 16 in a process, are fastest.
    public var connectionsMax = 8
    /// The maximum number of waiting callers; further ones fail with `poolBusy` at once.
    public var waitersMax = 1_000
    /// The maximum time that a caller waits for a connection.
    public var waitTimeout = Duration.seconds(5)
    /// The maximum silence of the server during a statement; set it above `statement_timeout`.
    public var replyTimeout = Duration.seconds(30)
    /// The idle time after which a connection is checked before its use.
    public var idleCheckAfter = Duration.seconds(30)
    /// The time limit of that check.
    public var idleCheckTimeout = Duration.seconds(2)
    /// The age at which a connection is replaced, so that a pool follows changes of the servers.
    public var connectionAgeMax = Duration.seconds(30 * 60)
    /// The maximum number of prepared statements of a connection; 0 prepares none, as a pooler in transaction mode
    /// requires.
    public var statementNamesMax = 0

    /// Creates the settings of a pool.
    public init(_ address: PostgresAddress) { self.address = address }
}

/// The counts of a pool at one moment.
public struct PoolStatus: Sendable, Hashable {
    /// The number of idle connections.
    public var idle: Int
    /// The number of connections in use.
    public var inUse: Int
    /// The number of connections that are being opened.
    public var connecting: Int
    /// The number of waiting callers.
    public var waiting: Int

    /// Creates the counts.
    public init(idle: Int, inUse: Int, connecting: Int, waiting: Int) {
        self.idle = idle
        self.inUse = inUse
        self.connecting = connecting
        self.waiting = waiting
    }
}
