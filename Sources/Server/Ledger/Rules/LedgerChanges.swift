package import ServiceAPI
package import UserData

/// A decision: the changes to write, and the reply to send once they are committed.
package struct LedgerDecision<Reply: Sendable>: Sendable {
    /// The changes; they may be none.
    package var changes: LedgerChanges
    /// The reply.
    package var reply: Reply

    package init(changes: LedgerChanges, reply: Reply) {
        self.changes = changes
        self.reply = reply
    }
}

/// All changes of one decision, which a storage writes as one.
///
/// Devices are named, not numbered; a storage adds those that it does not have.
package struct LedgerChanges: Sendable, Hashable {
    /// The account's totals; `nil` when they stay.
    package var account: LedgerAccount?
    /// The devices that are retired.
    ///
    /// Of one without answers and applied operations nothing stays.
    package var retired: [ClientID] = []
    /// The retired devices of whose operations nothing is remembered any more.
    ///
    /// Of one without answers nothing stays.
    package var forgotten: [ClientID] = []
    /// The asking device with its request; what it has of answers follows from the runs.
    package var device: LedgerDevice?
    /// Runs of new answers; each begins behind the last stored answer of its device.
    package var runs: [AnswerColumns] = []
    /// The digests of all answers of the devices that have new ones.
    package var digests: [ClientID: SetDigest] = [:]
    /// The sums of the new answers by session, for the boards.
    package var sessions: [SessionScore] = []
    /// The first answers among the new ones, of a user who agreed to their analysis.
    package var firstAnswers: [FirstAnswer] = []
    /// The records as they are now, in the order of the log.
    package var records: [LogRow] = []
    /// True when a record changes that the review of keys reads.
    package var concernsReview: Bool {
        records.contains { ReviewRecords.collections.contains($0.record.key.collection) }
    }
    /// The results of the device's operations, by sequence number.
    package var results: [UInt64: StoredVerdict] = [:]
    /// The device's results below this number are dropped after that.
    package var resultsBefore: UInt64 = 0
    /// The name of the log's new end.
    package var mark: LogHead?
    /// The number of marks that are kept when one is added.
    package var marksMax = 0

    package init() {}
}
