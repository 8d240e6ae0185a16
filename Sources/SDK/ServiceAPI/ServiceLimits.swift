/// The limits that server and client enforce, in one place.
public enum ServiceLimits {
    /// The maximum size of request headers that the server reads, in bytes.
    public static let requestHeaderBytesMax = 16 * 1024
    /// The idle limit of a connection, in seconds.
    public static let connectionIdleSeconds = 75
    /// The maximum number of open connections.
    public static let connectionsMax = 10_000
    /// The maximum size of the server's file cache, in bytes.
    public static let cacheBytesMax = 256 * 1024 * 1024
    /// The maximum size of a cached file, in bytes; larger ones are streamed.
    public static let cachedFileBytesMax = 1024 * 1024
    /// The number of blobs that a client downloads in parallel, regardless of their size.
    public static let parallelDownloadsMax = 4
    /// The number of small blobs that a client downloads in parallel.
    public static let smallDownloadsMax = 16
    /// The maximum size of small blobs that are downloaded in parallel, in bytes.
    public static let smallDownloadsBytesMax = 8 * 1024 * 1024
    /// The maximum number of attempts of one request.
    public static let attemptsMax = 3
    /// The maximum `Retry-After` that a client respects, in seconds: one day.
    public static let retryAfterSecondsMax = 86_400
    /// The maximum size of a user-data body as transmitted, compressed, in bytes.
    public static let bodyBytesMax = 2 * 1024 * 1024
    /// The maximum size of a user-data reply once the device has decompressed it, in bytes.
    public static let unpackedBodyBytesMax = 16 * 1024 * 1024
    /// The minimum size of a body that is compressed, in bytes.
    public static let packedBodyBytesMin = 600
    /// The gzip level of user-data bodies: 10,000 answers take 3.5 ms and 10.8 bytes each at level
    /// 2, 22 ms and 9.7 bytes at level 6.
    public static let packingLevel: Int32 = 2
    /// The maximum number of answers in a reply.
    public static let answersPerReplyMax = 20_000
    /// The maximum number of records in a reply; the changes of one request are never split, so a
    /// reply may exceed it by one request's.
    public static let recordsPerReplyMax = 500
    /// The maximum size of the records in a reply as JSON, and again of the answers, in bytes; the
    /// changes of one request are never split, so a reply may exceed it by one request's.
    public static let replyBytesMax = 4 * 1024 * 1024
    /// The maximum size of the records that the operations of one request read and write, in bytes.
    ///
    /// Further operations must be sent again at once. A single record may be larger.
    public static let resultBytesMax = 1024 * 1024
    /// The maximum number of questions in a page of published content.
    public static let contentPageRowsMax = 500
    /// The maximum size of the questions in a page of published content, in bytes; a page has at
    /// least one question.
    public static let contentPageBytesMax = 1024 * 1024
    /// The maximum number of active devices of a user; another one retires the least recently used.
    public static let devicesPerUserMax = 200
    /// The maximum number of devices of a user whose answers are stored, retired ones included.
    public static let devicesWithAnswersMax = 2_000
    /// The maximum number of a device's unacknowledged results.
    public static let unprocessedResultsMax = 2_000
    /// The number of operations below `processedBefore` that the server still recognises, for each
    /// device.
    public static let processedResultsMax: UInt64 = 1_000
    /// The maximum size of one stored record with its metadata, in bytes.
    public static let storedRecordBytesMax = 128 * 1024
    /// The maximum size of one user's stored records, in bytes.
    public static let recordBytesPerUserMax = 32 * 1024 * 1024
    /// The maximum size of the answers that one request adds, expanded into rows, in bytes.
    public static let answerBytesPerRequestMax = 4 * 1024 * 1024
    /// The maximum size of one user's answers by `AnswerRow.estimatedBytes`, in bytes.
    public static let answerBytesPerUserMax = 256 * 1024 * 1024
    /// The maximum number of one user's records, tombstones included.
    public static let recordsPerUserMax = 20_000
    /// The maximum number of one user's answers.
    public static let answersPerUserMax = 2_000_000
    /// The maximum number of retractions that wait for the answers of one request and are judged with them; of those
    /// of an answer beyond it none holds.
    public static let retractionsJudgedMax = 10_000
    /// The maximum number of answers, all of one device, that a step of a move copies.
    public static let movedAnswersPerStep = 5_000
    /// The maximum number of records that a step of a move merges.
    public static let movedRecordsPerStep = 500
    /// The maximum number of steps of a move that a request runs: an account may have many devices with an answer each.
    public static let moveStepsPerRequest = 100
    /// The interval at which a device polls the progress of a move, in seconds.
    public static let moveRetrySeconds = 1
    /// The interval after which a device of a moving account retries, in seconds.
    public static let movingAccountRetrySeconds = 2
    /// The retention of tombstones, in days.
    public static let tombstoneDays = 180
    /// The exchanges that a user may make in a burst, and then each minute.
    public static let exchangesPerMinute = 240
    /// The attempts to sign in or to create an account that an address may make in a burst, and
    /// then each minute.
    public static let signInsPerMinute = 30
    /// The failed sign-ins that an address may make in a minute.
    public static let failedSignInsPerMinute = 30
    /// The failed sign-ins that an address may make for one email in a minute.
    public static let failedSignInsPerEmailMinute = 10
    /// The maximum age of a sign-in that permits a change of sign-in methods, in seconds.
    public static let freshSignInSeconds = 5 * 60
    /// The maximum number of passwords that are checked at once; each check takes 32 MiB.
    public static let passwordChecksMax = 2
    /// The maximum number of password checks that wait.
    public static let waitingPasswordChecksMax = 64
    /// The maximum number of one address's password checks that wait.
    public static let waitingPasswordChecksPerAddressMax = 8
    /// The maximum number of external sign-in methods of an account, in addition to its email.
    public static let identitiesPerUserMax = 16
    /// The validity of a code sent by email, in seconds.
    public static let emailCodeSeconds = 30 * 60
    /// The validity of a code that reverts a changed email, in seconds.
    public static let emailWayBackSeconds = 7 * 86_400
    /// The maximum number of codes that are sent to one email in an hour; further requests get the same reply.
    public static let emailCodesPerHour = 30
    /// The maximum number of codes that one network address, or the account itself, may request in an hour.
    public static let askedCodesPerHour = 5
    /// The minimum duration of a reset request, in milliseconds, so that its duration does not
    /// reveal whether the email belongs to an account.
    public static let resetReplyMilliseconds = 250
    /// The maximum number of messages that wait in a folder of messages.
    public static let waitingMessagesMax = 10_000
    /// The time after which an unused account without sign-in method and data is deleted, in days.
    public static let unusedAccountDays = 30
    /// The time after which an unused account without sign-in method but with data is deleted, in
    /// days.
    public static let unusedAccountWithDataDays = 400
    /// The maximum number of rows that maintenance deletes in one transaction.
    public static let upkeepBatchMax = 1_000
    /// The maximum number of deleted accounts and ended sessions that are stored beside the
    /// server's key.
    public static let revocationsMax = 1_000_000
    /// The time for which deletions and moves of accounts are stored beside the server's key, in days.
    public static let accountRevocationDays = 400
    /// The interval, in seconds, at which the mark changes by which the server detects a restored database.
    public static let instanceMarkSeconds: Int64 = 5 * 60
    /// The maximum number of keys that an external issuer may publish.
    public static let issuerKeysMax = 64
    /// The maximum size of an external issuer's keys, in bytes.
    public static let issuerKeysBytesMax = 256 * 1024
    /// The maximum number of requests that wait while an issuer's keys are fetched.
    public static let waitingForIssuerMax = 64
    /// The validity of an access token, in seconds.
    public static let accessTokenSeconds = 10 * 60
    /// The validity of an unused refresh token, in days.
    public static let refreshTokenDays = 180
    /// The maximum number of unused successors of a refresh token beside the newest, for lost
    /// replies.
    public static let spareRefreshTokensMax = 3
    /// The maximum number of times that one refresh token is renewed in a day, for lost replies.
    public static let renewalsOfTokenPerDay = 20
    /// The maximum number of sessions that copies of an account's devices get in a day.
    public static let copiedSessionsPerDay = 10
    /// The maximum number of user-data requests that wait for the writer.
    public static let waitingExchangesMax = 2_000
    /// The maximum size of a blob whose size the manifest does not state, in bytes.
    public static let unsizedBlobBytesMax = 8 * 1024 * 1024

    // MARK: Releases

    /// The tolerance for a release built in the future, in seconds; a later time is wrong.
    public static let clockToleranceSeconds: Double = 86_400
    /// The maximum number of a release's documents that a host may fail to deliver while the others are installed.
    public static let undeliveredMax = 16
}
