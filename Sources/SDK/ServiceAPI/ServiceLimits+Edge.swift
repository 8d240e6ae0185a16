/// The limits of connections, of bodies before they are read, and of request rates.
extension ServiceLimits {
    /// The time limit for sending a request's head, in seconds.
    public static let requestHeadSeconds = 10
    /// The window within which a body or a reply must advance by as many seconds' worth of
    /// `bytesPerSecondMin`, in seconds.
    public static let transferWindowSeconds = 30
    /// The minimum rate of a body that is sent and of a reply that is read, in bytes per second.
    public static let bytesPerSecondMin = 1000
    /// The idle limit of a connection when three quarters of all connections are in use, in
    /// seconds.
    public static let crowdedIdleSeconds = 5
    /// The maximum number of connections of one address; IPv6 addresses count by their first 64
    /// bits.
    public static let connectionsPerAddressMax = 256
    /// The time for which a rejected client may continue to send before its connection is closed, in seconds.
    public static let lingerSeconds = 2
    /// The maximum number of bytes of a rejected request that are read and discarded.
    ///
    /// It exceeds the limit of a proxy (3 MiB in deploy/nginx): a proxy that is still sending when the connection
    /// closes replies with status 502 instead of the rejection.
    public static let discardedBytesMax = 4 * 1024 * 1024

    /// The maximum size of a body of an account route, which may not be compressed, in bytes.
    public static let accountBodyBytesMax = 16 * 1024
    /// The maximum size of an exchange or a record once decompressed, in bytes.
    public static let unpackedRequestBytesMax = 2 * 1024 * 1024
    /// The maximum number of JSON values in a body that the server reads.
    public static let requestNodesMax = 250_000
    /// The maximum number of user-data bodies that are decompressed and parsed at once.
    public static let parsesMax = 4
    /// The maximum number of rows of an exchange's reply that are encoded beside other requests; larger replies are
    /// encoded where bodies are parsed.
    public static let rowsEncodedAtOnceMax = 200
    /// The maximum number of bodies that wait to be parsed.
    public static let waitingParsesMax = 64
    /// The maximum size of all clients' request bodies in memory, in bytes.
    public static let bodiesBytesMax = 256 * 1024 * 1024
    /// The maximum size of one address's request bodies in memory, in bytes.
    public static let addressBodiesBytesMax = 16 * 1024 * 1024

    /// The account requests that an address may make in a burst, and then each minute.
    public static let accountRequestsPerMinute = 600
    /// The requests for published questions that an address may make in a burst, and then each
    /// minute.
    public static let contentRequestsPerMinute = 600
    /// The requests for records and by the account's owner that a user may make in a burst, and
    /// then each minute.
    public static let recordRequestsPerMinute = 600
    /// The progress requests that a user may make in a burst, and then each minute.
    public static let progressRequestsPerMinute = 60
    /// The exports that a user may make in a burst, and then each minute.
    public static let exportsPerMinute = 10
    /// The rows that a user may export in a burst, and then each minute.
    ///
    /// A row is an answer, or ``exportRowBytes`` of records. One larger export is possible, and delays the next one.
    public static let exportedRowsPerMinute = 100_000
    /// The rows that an address may export in a burst, and then each minute.
    public static let exportedRowsPerAddressMinute = 400_000
    /// The bytes of records that count as one row of an export.
    public static let exportRowBytes = 256
    /// The maximum number of answers in a chunk of an export.
    public static let exportedAnswersMax = 1_000
    /// The maximum size of the answers, or of the records, in a chunk of an export, in bytes; a chunk may exceed it by
    /// one request's records.
    public static let exportedBytesMax = 512 * 1024
    /// The number of threads that encode exports.
    public static let exportThreads = 1
    /// The maximum number of exports that are sent at once, and of one address.
    public static let openExportsMax = 64
    /// The maximum number of one address's exports that are sent at once.
    public static let openExportsPerAddressMax = 4
    /// The maximum number of names that a rate limiter stores; beyond it the least recently seen
    /// one is evicted.
    public static let limitedNamesMax = 100_000
    /// The maximum number of requests that wait until the server has read a large file for the
    /// first time.
    public static let waitingReadingsMax = 1024
    /// The maximum number of large files' states whose checksum the server stores.
    public static let knownLargeFilesMax = 4096
    /// The maximum number of an account's writes that wait for one of the same account in a process.
    public static let waitingAccountWritesMax = 64
    /// The validity of a disk probe's result, in seconds.
    public static let diskProbeSeconds = 5
    /// The validity of a check of the database of users by `/health/ready`, in seconds.
    public static let databaseProbeSeconds = 1
    /// The time limit of a check of disk or database, in seconds.
    public static let probePatienceSeconds = 3
}
