package import UserData

/// An account as one transaction reads it, limited to its read set.
package struct LedgerSnapshot: Sendable {
    /// The account's totals.
    package var account: LedgerAccount
    /// The server's generation, which each declared restore increases; `nil` before the first.
    package var generation: String?
    /// The requesting device; `nil` if the account has no device of that name.
    package var device: LedgerDevice?
    /// All devices of the account, in the order of their first request.
    package var devices: [LedgerDevice] = []
    /// The known results of the named operations, by sequence number.
    package var results: [UInt64: StoredVerdict] = [:]
    /// The named records, including deleted ones.
    package var records: [RecordKey: LogRow] = [:]
    /// The number of records of each collection; `nil` when every named record exists.
    package var recordCounts: [String: Int]?
    /// The page of the log; `nil` when none was named.
    package var page: LogPage?
    /// The mark at the log's end; `nil` for an empty log.
    package var endMark: String?
    /// The mark at the named position; `nil` if it was pruned or never existed.
    package var namedMark: String?
    /// The oldest position with a mark if the named one has none; 0 for none.
    package var oldestMark: UInt64 = 0
    /// The number of marks if the named position has none.
    package var markCount = 0
    /// The stored answers within the named runs, by each run's first number.
    package var answers: [UInt64: [AnswerRow?]] = [:]
    /// True when the user agreed to the analysis of first answers; read only for requests with answers.
    package var contributes = false
    /// True when a stored retraction waits for an answer of the request.
    package var awaitsAnswers = false
    /// The stored rows by which retractions are judged; read only if the request contains a retraction, or an answer for
    /// which one waits.
    package var retractions = KnownRetractions()
    /// The records that the storage rejected in the previous run of this decision.
    package var rejected: Set<RecordKey> = []
    /// True when this decision ran before and its changes may have been committed.
    package var isRepeated = false

    package init(account: LedgerAccount) { self.account = account }

    /// The number of results that the requesting device has not processed.
    package var unreadResults: Int { device?.unreadResults ?? 0 }
    /// The devices in use, the last used first.
    package var devicesInUse: [LedgerDevice] { devices.filter(\.isInUse).lastUsedFirst }
}

/// An account's totals.
package struct LedgerAccount: Sendable, Hashable {
    /// The last position of the log.
    package var position: UInt64 = 0
    /// The position through which deleted records may have been pruned.
    package var purgedThrough: UInt64 = 0
    /// The digest of all records.
    package var digest = RecordDigest()
    /// The size of all records as JSON, in bytes.
    package var recordBytes = 0
    /// The size of all answers, in bytes.
    package var answerBytes = 0
    /// The number of all answers.
    package var answerCount = 0
    /// The identifier of the account's history; empty before the first exchange.
    package var epoch = ""

    package init() {}
}

/// A record at its position in the log.
package struct LogRow: Sendable, Hashable {
    /// The record.
    package var record: UserRecord
    /// The record's JSON, as it is stored.
    package var json: String
    /// The position in the log.
    package var position: UInt64
    /// The first position of the request that wrote the record.
    package var batch: UInt64
    /// The time of deletion, in milliseconds since 1970; `nil` for an existing record.
    package var deletedAt: Int64?

    package init(
        record: UserRecord, json: String, position: UInt64, batch: UInt64, deletedAt: Int64?
    ) {
        self.record = record
        self.json = json
        self.position = position
        self.batch = batch
        self.deletedAt = deletedAt
    }
}

/// A part of the log that ends with a whole request.
package struct LogPage: Sendable, Hashable {
    /// The records in the order of the log.
    package var rows: [LogRow] = []
    /// The last position that the page covers.
    package var through: UInt64 = 0
    /// True when the log continues after the page.
    package var hasMore = false

    package init() {}
}

extension SetDigest {
    /// Creates the digest of a device's answers from its columns; `nil` if they are missing.
    package init?(count: UInt64, sum: Int64?, cross: Int64?) {
        guard count > 0 else {
            self.init()
            return
        }
        guard let sum, let cross else { return nil }
        self.init(
            count: count, sum: UInt64(bitPattern: sum), cross: UInt64(bitPattern: cross))
    }
}
