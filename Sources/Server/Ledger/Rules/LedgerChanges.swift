package import ServiceAPI
package import UserData

/// A decision: the changes to write, and the reply to send after their commit.
package struct LedgerDecision<Reply: Sendable>: Sendable {
    /// The changes, possibly none.
    package var changes: LedgerChanges
    /// The reply.
    package var reply: Reply

    package init(changes: LedgerChanges, reply: Reply) {
        self.changes = changes
        self.reply = reply
    }
}

/// All changes of one decision, which a storage writes atomically.
///
/// Devices are identified by name; a storage adds unknown ones.
package struct LedgerChanges: Sendable, Hashable {
    /// The account's totals; `nil` if unchanged.
    package var account: LedgerAccount?
    /// The retired devices.
    ///
    /// A device without answers and applied operations is deleted.
    package var retired: [ClientID] = []
    /// The retired devices whose operations are no longer deduplicated.
    ///
    /// A device without answers is deleted.
    package var forgotten: [ClientID] = []
    /// The requesting device with its request; its count of answers follows from the runs.
    package var device: LedgerDevice?
    /// Runs of new answers; each begins after the last stored answer of its device.
    package var runs: [AnswerColumns] = []
    /// The digests of all answers of the devices with new answers.
    package var digests: [ClientID: SetDigest] = [:]
    /// The sums of the new answers by session, less those of answers that are taken back, for the boards.
    package var sessions: [SessionScore] = []
    /// The first answers among the new answers, if the user agreed to their analysis.
    package var firstAnswers: [FirstAnswer] = []
    /// The contributed first answers among those that are taken back.
    package var retractedFirstAnswers: [FirstAnswer] = []
    /// The changes of what is taken back.
    package var retractions = RetractionChanges()
    /// The new states of records, in the order of the log.
    package var records: [LogRow] = []
    /// True when a changed record concerns the review of keys.
    package var concernsReview: Bool {
        records.contains { ReviewRecords.collections.contains($0.record.key.collection) }
    }
    /// The results of the device's operations, by sequence number.
    package var results: [UInt64: StoredVerdict] = [:]
    /// The sequence number below which the device's results are then dropped.
    package var resultsBefore: UInt64 = 0
    /// The mark of the log's new end.
    package var mark: LogHead?
    /// The number of marks to retain after adding one.
    package var marksMax = 0

    package init() {}
}
