/// The bounds that server and client keep, in one place.
public enum ServiceLimits {
    /// The most bytes of request headers that the server reads.
    public static let requestHeaderBytesMax = 16 * 1024
    /// How long a connection may idle, in seconds.
    public static let connectionIdleSeconds = 75
    /// How many connections the server holds at once.
    public static let connectionsMax = 10_000
    /// How many bytes of served files the server keeps in memory.
    public static let cacheBytesMax = 256 * 1024 * 1024
    /// The largest file that is kept in memory; larger ones are streamed.
    public static let cachedFileBytesMax = 1024 * 1024
    /// How many blobs a client fetches at once, whatever their size.
    public static let parallelDownloadsMax = 4
    /// How many blobs a client fetches at once while they are small.
    public static let smallDownloadsMax = 16
    /// The most bytes of small blobs that are fetched at once.
    public static let smallDownloadsBytesMax = 8 * 1024 * 1024
    /// How often one request is tried.
    public static let attemptsMax = 3
    /// The longest `Retry-After` that a client obeys, in seconds (one day).
    public static let retryAfterSecondsMax = 86_400
    /// The most bytes of a body of user data, packed as it arrives.
    public static let bodyBytesMax = 2 * 1024 * 1024
    /// The most bytes of a reply of user data when the device has unpacked it.
    public static let unpackedBodyBytesMax = 16 * 1024 * 1024
    /// Bodies of at least this many bytes are packed.
    public static let packedBodyBytesMin = 600
    /// How hard bodies of user data are packed: 10,000 answers take 3.5 ms and 10.8 bytes each at level
    /// 2, 22 ms and 9.7 bytes at level 6.
    public static let packingLevel: Int32 = 2
    /// The most answers in a reply.
    public static let answersPerReplyMax = 20_000
    /// The most records in a reply; a request's changes are never parted, so it may be more by one
    /// request's.
    public static let recordsPerReplyMax = 500
    /// The most bytes of records in a reply as JSON, and again of answers; a request's changes are never
    /// parted, so it may be more by one request's.
    public static let replyBytesMax = 4 * 1024 * 1024
    /// The most bytes of records that the operations of one request read and write.
    ///
    /// The others are to be sent again at once. One record may be more.
    public static let resultBytesMax = 1024 * 1024
    /// The most devices of a user at a time; another one retires the least recently used.
    public static let devicesPerUserMax = 200
    /// The most devices of a user whose answers are kept, retired ones too.
    public static let devicesWithAnswersMax = 2_000
    /// The most results of a device that it has not acknowledged.
    public static let unsettledResultsMax = 2_000
    /// How many operations below `settledBefore` the server still recognises, for each device.
    public static let settledResultsMax: UInt64 = 1_000
    /// The most bytes of one stored record, with what decides between its writers.
    public static let storedRecordBytesMax = 128 * 1024
    /// The most bytes of one user's stored records.
    public static let recordBytesPerUserMax = 32 * 1024 * 1024
    /// The most bytes of answers, unpacked into rows, that one request adds.
    public static let answerBytesPerRequestMax = 4 * 1024 * 1024
    /// The most bytes of one user's answers, as `AnswerRow.estimatedBytes` counts them.
    public static let answerBytesPerUserMax = 256 * 1024 * 1024
    /// The most records of one user, deleted ones too while they are remembered.
    public static let recordsPerUserMax = 20_000
    /// The most answers of one user.
    public static let answersPerUserMax = 2_000_000
    /// How long deleted records are remembered, in days.
    public static let tombstoneDays = 180
    /// How many exchanges a user may make in a burst, and then each minute.
    public static let exchangesPerMinute = 240
    /// How often an address may try to sign in or make an account in a burst, and then each minute.
    public static let signInsPerMinute = 30
    /// How many wrong passwords or external tokens an address may show in a minute.
    public static let failedSignInsPerMinute = 30
    /// How many wrong passwords an address may show for one email in a minute.
    public static let failedSignInsPerEmailMinute = 10
    /// How old a sign-in may be to change how an account is opened, in seconds.
    public static let freshSignInSeconds = 5 * 60
    /// How many passwords are checked at once; each check takes 32 MiB.
    public static let passwordChecksMax = 2
    /// How many checks of passwords may wait.
    public static let waitingPasswordChecksMax = 64
    /// How many of them may be one address's.
    public static let waitingPasswordChecksPerAddressMax = 8
    /// How many ways in one account may have beside its email.
    public static let identitiesPerUserMax = 16
    /// How long a code that was sent by e-mail is valid, in seconds.
    public static let emailCodeSeconds = 30 * 60
    /// How many codes are sent to one email in an hour; further requests are answered alike.
    public static let emailCodesPerHour = 30
    /// How many of them one network address, or the account itself, may ask for.
    public static let askedCodesPerHour = 5
    /// How long a request for a reset takes at the least, in milliseconds, so that its duration does
    /// not say whether the email belongs to an account.
    public static let resetReplyMilliseconds = 250
    /// How many messages may wait in a folder of messages.
    public static let waitingMessagesMax = 10_000
    /// After how many days an account is removed that has no way in, no data, and was not used.
    public static let unusedAccountDays = 30
    /// After how many days an account is removed that has no way in, has data, and was not used.
    public static let unusedAccountWithDataDays = 400
    /// How many rows upkeep deletes in one transaction.
    public static let upkeepBatchMax = 1_000
    /// How many deleted accounts and ended sessions are remembered beside the server's key.
    public static let revocationsMax = 1_000_000
    /// How often the mark changes by which a server notices that its database went back, in seconds.
    public static let instanceMarkSeconds: Int64 = 5 * 60
    /// How many keys another issuer may publish.
    public static let issuerKeysMax = 64
    /// How many bytes another issuer's keys may have.
    public static let issuerKeysBytesMax = 256 * 1024
    /// How many requests may wait while an issuer's keys are fetched.
    public static let waitingForIssuerMax = 64
    /// How long an access token is valid, in seconds.
    public static let accessTokenSeconds = 10 * 60
    /// How long a refresh token may lie unused, in days.
    public static let refreshTokenDays = 180
    /// How many unused successors a refresh token may have beside the newest, for lost replies.
    public static let spareRefreshTokensMax = 3
    /// How many requests of user data may wait for the one writer.
    public static let waitingExchangesMax = 2_000
    /// The size bound of a blob whose size the manifest does not say, in bytes.
    public static let unsizedBlobBytesMax = 8 * 1024 * 1024

    // MARK: Releases

    /// A release that was built so long after now has a wrong time, in seconds.
    public static let clockToleranceSeconds: Double = 86_400
    /// How many documents of a release a host may fail to deliver while the rest is installed.
    public static let undeliveredMax = 16
}
