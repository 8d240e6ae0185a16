package import UserData

/// An account as one transaction sees it, as far as its keys named it.
package struct LedgerSnapshot: Sendable {
    /// The account's totals.
    package var account: LedgerAccount
    /// The server's generation, which each declared restore raises; `nil` before the first.
    package var generation: String?
    /// The asking device; `nil` when the account has none of this name.
    package var device: LedgerDevice?
    /// All devices of the account, in the order in which they came.
    package var devices: [LedgerDevice] = []
    /// The known results of the named operations, by sequence number.
    package var results: [UInt64: StoredVerdict] = [:]
    /// The named records, deleted ones too.
    package var records: [RecordKey: LogRow] = [:]
    /// The number of records of each collection; `nil` when every named record is there.
    package var recordCounts: [String: Int]?
    /// The page of the log; `nil` when none was named.
    package var page: LogPage?
    /// The mark at the log's end; `nil` while nothing is written.
    package var endMark: String?
    /// The mark at the named position; `nil` when none is kept.
    package var namedMark: String?
    /// The oldest position that has a mark, when the named one has none; 0 for none.
    package var oldestMark: UInt64 = 0
    /// The number of marks, when the named position has none.
    package var markCount = 0
    /// The stored answers within the named runs, by each run's first number.
    package var answers: [UInt64: [AnswerRow?]] = [:]
    /// True when the user agreed that first answers are analysed; read only where the keys say that there are answers.
    package var contributes = false
    /// The records that the storage refused when this decision ran before.
    package var rejected: Set<RecordKey> = []
    /// True when this decision ran before, and its changes may have been committed.
    package var isRepeated = false

    package init(account: LedgerAccount) { self.account = account }

    /// The number of the asking device's results that it has not processed.
    package var unreadResults: Int { device?.unreadResults ?? 0 }
    /// The devices in use, the last used first.
    package var devicesInUse: [LedgerDevice] { devices.filter(\.isInUse).lastUsedFirst }
}

/// An account's totals.
package struct LedgerAccount: Sendable, Hashable {
    /// The last position of the log.
    package var position: UInt64 = 0
    /// Deleted records up to here may be forgotten.
    package var purgedThrough: UInt64 = 0
    /// The digest of all records.
    package var digest = RecordDigest()
    /// The bytes of all records as JSON.
    package var recordBytes = 0
    /// The bytes of all answers.
    package var answerBytes = 0
    /// The number of all answers.
    package var answerCount = 0
    /// The name of the account's history; empty before the first exchange.
    package var epoch = ""

    package init() {}
}

/// A record at its place in the log.
package struct LogRow: Sendable, Hashable {
    /// The record.
    package var record: UserRecord
    /// The record's JSON, which is what is stored.
    package var json: String
    /// The place in the log.
    package var position: UInt64
    /// The first position of the request that wrote it.
    package var batch: UInt64
    /// The time of a deletion, in milliseconds since 1970; `nil` for a living record.
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
    /// True when the log goes on behind it.
    package var hasMore = false

    package init() {}
}

extension SetDigest {
    /// Makes the digest of a device's answers from its columns; `nil` where they are missing.
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
