package import ServiceAPI
package import UserData

/// The storage of all users' logs, records, results and answers: what a database adapter implements.
///
/// The ledger opens, decides and writes: it names all that it needs, decides purely over a snapshot,
/// and hands back one value of changes. No rule of the ledger lives in an adapter, and no SQL above it.
package protocol LedgerStorage: Sendable {
    /// Opens an account, lets a decision look at it, and writes what it decided, as one transaction.
    ///
    /// - Parameters:
    ///   - keys: All that the decision needs.
    ///   - decide: The decision. It may run again, so it has no side effects, and takes time, chance
    ///     and identity from outside.
    /// - Returns: The decision's reply, after the changes were committed.
    /// - Throws: `StorageError`, what `decide` throws, or an error of the adapter; nothing is written
    ///   then.
    func exchange<Reply: Sendable>(
        _ keys: LedgerReadSet,
        _ decide: @escaping @Sendable (LedgerSnapshot) throws -> LedgerDecision<Reply>
    ) async throws -> Reply

    /// Reads what `keys` name, without a transaction that writes.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func open(_ keys: LedgerReadSet) async throws -> LedgerSnapshot

    /// Reads answers that the account has, as far as the limit on bytes allows.
    ///
    /// - Parameters:
    ///   - spans: Runs of stored answers.
    ///   - user: The account.
    ///   - bytesMax: The limit; the first answer is read whatever its size.
    /// - Returns: The answers from the first run on, and whether some were left out.
    /// - Throws: `StorageError`, or an error of the adapter.
    func answers(
        _ spans: [AnswerSpan], of user: String, bytesMax: Int
    ) async throws -> AnswerPage

    /// Reads a page of a collection in the order of ids, without deleted records.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func records(
        of user: String, in collection: String, after id: String, limit: Int, bytesMax: Int
    ) async throws -> RecordPage

    /// Reads the sums of a user's answers; `nil` while some are not counted yet.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func progress(of user: String) async throws -> AnswerProgress?

    /// Counts a bounded number of answers that an older server stored without counting them.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func countAnswers(of user: String) async throws

    /// Forgets records that were deleted before a time, and notes through which position.
    ///
    /// - Parameters:
    ///   - end: In milliseconds since 1970.
    ///   - limit: The most records of one call.
    /// - Returns: The number of forgotten records; less than `limit` when no more are left.
    /// - Throws: An error of the adapter.
    func purge(before end: Int64, limit: Int) async throws -> Int

    /// Counts the records that could not be read and were put aside.
    ///
    /// - Throws: An error of the adapter.
    func damagedRecordCount() async throws -> Int
}

/// Stored answers, as many as one reply has room for.
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
    /// True when more follow the last of them.
    package var hasMore = false

    package init() {}
}
