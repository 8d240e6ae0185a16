package import ServiceAPI
package import UserData

/// The storage of all users' logs, records, results and answers, as a database adapter implements it.
///
/// The ledger opens, decides and writes: it names its read set, decides purely over a snapshot, and returns one value
/// of changes. Adapters contain no rule of the ledger, and rules contain no SQL.
package protocol LedgerStorage: Sendable {
    /// Opens an account, runs a decision over it, and writes its changes, as one transaction.
    ///
    /// - Parameters:
    ///   - keys: The read set of the decision.
    ///   - decide: The decision. It may run again, so it has no side effects, and gets time, randomness and identity
    ///     from outside.
    /// - Returns: The decision's reply, after the changes were committed.
    /// - Throws: `StorageError`, the error of `decide`, or an error of the adapter; then nothing is written.
    func exchange<Reply: Sendable>(
        _ keys: LedgerReadSet,
        _ decide: @escaping @Sendable (LedgerSnapshot) throws -> LedgerDecision<Reply>
    ) async throws -> Reply

    /// Reads the read set without a write transaction.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func open(_ keys: LedgerReadSet) async throws -> LedgerSnapshot

    /// Reads stored answers of the account, up to a limit of bytes.
    ///
    /// - Parameters:
    ///   - spans: Runs of stored answers.
    ///   - user: The account.
    ///   - bytesMax: The limit; the first answer is read whatever its size.
    /// - Returns: The answers in the order of the runs, and whether some were left out.
    /// - Throws: `StorageError`, or an error of the adapter.
    func answers(
        _ spans: [AnswerSpan], of user: String, bytesMax: Int
    ) async throws -> AnswerPage

    /// Reads which stored answers within runs are taken back.
    ///
    /// - Parameters:
    ///   - spans: Runs of stored answers.
    ///   - user: The account.
    /// - Returns: The answers, each with the retraction that holds.
    /// - Throws: `StorageError`, or an error of the adapter.
    func retractions(
        in spans: [AnswerSpan], of user: String
    ) async throws -> [AnswerID: AnswerID]

    /// Reads a page of a collection in the order of ids, without deleted records.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func records(
        of user: String, in collection: String, after id: String, limit: Int, bytesMax: Int
    ) async throws -> RecordPage

    /// Reads the sums of a user's answers; `nil` while some are not yet counted.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func progress(of user: String) async throws -> AnswerProgress?

    /// Counts a bounded number of answers that an older server stored without counting them.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func countAnswers(of user: String) async throws

    /// Prunes records that were deleted before a time, and stores the last pruned position.
    ///
    /// - Parameters:
    ///   - end: The time, in milliseconds since 1970.
    ///   - limit: The maximum number of records per call.
    /// - Returns: The number of pruned records; less than `limit` when none is left.
    /// - Throws: An error of the adapter.
    func purge(before end: Int64, limit: Int) async throws -> Int

    /// Counts the unreadable records that were moved aside.
    ///
    /// - Throws: An error of the adapter.
    func damagedRecordCount() async throws -> Int
}

/// Stored answers, as many as fit into one reply.
package struct AnswerPage: Sendable, Hashable {
    /// The answers, run by run.
    package var runs: [AnswerColumns] = []
    /// True when answers of the runs were left out.
    package var hasMore = false

    package init() {}
}

/// Records of a collection in the order of ids.
package struct RecordPage: Sendable {
    /// The records.
    package var records: [UserRecord] = []
    /// True when more records follow.
    package var hasMore = false

    package init() {}
}
