/// The bounds of connections, of bodies before they are read, and of requests by rate.
extension ServiceLimits {
    /// How long a client may take to send a request's head, in seconds.
    public static let requestHeadSeconds = 10
    /// The time in which a body or a reply must advance by this many seconds' worth of
    /// `bytesPerSecondMin`, in seconds.
    public static let transferWindowSeconds = 30
    /// The least rate of a body that is sent and of a reply that is read, in bytes per second.
    public static let bytesPerSecondMin = 1000
    /// How long a connection may idle when three quarters of all connections are taken, in seconds.
    public static let crowdedIdleSeconds = 5
    /// The most connections of one address; IPv6 addresses count by their first 64 bits.
    public static let connectionsPerAddressMax = 256
    /// How long a refused client may go on sending before its connection is closed, in seconds.
    public static let lingerSeconds = 2
    /// The most bytes of a refused request that are read and discarded.
    public static let discardedBytesMax = 1024 * 1024

    /// The most bytes of a body of an account route, which may not be packed.
    public static let accountBodyBytesMax = 16 * 1024
    /// The most bytes of an exchange or a record when the server has unpacked it.
    public static let unpackedRequestBytesMax = 2 * 1024 * 1024
    /// The most JSON values in a body that the server reads.
    public static let requestNodesMax = 250_000
    /// How many bodies of user data are unpacked and parsed at once.
    public static let parsesMax = 4
    /// How many bodies may wait to be parsed.
    public static let waitingParsesMax = 64
    /// The most bytes of request bodies in memory, of all clients.
    public static let bodiesBytesMax = 256 * 1024 * 1024
    /// The most bytes of request bodies in memory, of one address.
    public static let addressBodiesBytesMax = 16 * 1024 * 1024

    /// How many requests for account routes an address may make in a burst, and then each minute.
    public static let accountRequestsPerMinute = 600
    /// How many requests for records and of the account's owner a user may make in a burst, and
    /// then each minute.
    public static let recordRequestsPerMinute = 600
    /// How often a user may read the progress in a burst, and then each minute.
    public static let progressRequestsPerMinute = 60
    /// How often a user may export everything in a burst, and then each minute.
    public static let exportsPerMinute = 10
    /// How many names a rate limiter remembers; beyond it the one least recently seen is forgotten.
    public static let limitedNamesMax = 100_000
    /// How many requests may wait until the server has read a large file for the first time.
    public static let waitingReadingsMax = 1024
    /// How many states of large files the server remembers the checksum of.
    public static let knownLargeFilesMax = 4096
    /// How long the result of a probe of the disk is good for, in seconds.
    public static let diskProbeSeconds = 5
}
