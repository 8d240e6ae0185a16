package import Tables

/// The storage of accounts, their sign-in methods and sessions, as a database adapter implements it.
///
/// As with `LedgerStorage`, a rule names its read set, decides purely over a snapshot, and returns a list of changes.
/// Adapters contain no rule, and rules contain no SQL.
package protocol AccountStorage: Sendable {
    // MARK: Decisions

    /// Opens an account, runs a decision over it, and writes its changes, as one transaction.
    ///
    /// Decisions about the same account are serialized, across all processes.
    ///
    /// - Parameters:
    ///   - keys: The read set of the decision.
    ///   - decide: The decision. It may run again, so it has no side effects, and gets time and randomness from
    ///     outside.
    /// - Returns: The decision's reply, after the changes were committed.
    /// - Throws: `StorageError`, the error of `decide`, or an error of the adapter; then nothing is written.
    func change<Reply: Sendable>(
        _ keys: AccountReadSet,
        _ decide: @escaping @Sendable (AccountSnapshot) throws -> AccountOutcome<Reply>
    ) async throws -> Reply

    /// Reads the read set without a write transaction.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func open(_ keys: AccountReadSet) async throws -> AccountSnapshot

    /// Returns the reason why the storage cannot serve; `nil` if it is readable and writable and has the tables of this
    /// version.
    func obstacle() async -> StorageObstacle?

    /// Tests a write that leaves nothing behind, and returns the reason of its failure; `nil` if it succeeded.
    ///
    /// The adapter of SQLite leaves the test of the folder to its caller.
    func writeObstacle() async -> StorageObstacle?

    // MARK: Upkeep

    /// The database, for statements without a decision.
    var tables: any TableDatabase { get }

    /// Removes rows of deleted accounts, in one transaction.
    ///
    /// - Parameter limit: The maximum number of rows.
    /// - Returns: True if no such account is left, except those that another process is erasing.
    /// - Throws: `StorageError`, or an error of the adapter.
    func eraseDeletedAccounts(limit: Int) async throws -> Bool

    // MARK: Restores

    /// Compares the storage with its external marks, and begins another generation if it was restored from a backup.
    ///
    /// - Returns: True if the storage may differ from the one that the marks were written for.
    /// - Throws: `SetupError` for a damaged mark, `StorageError`, or an error of the adapter.
    @discardableResult
    func detectRestore() async throws -> Bool

    /// Renews the marks if the last renewal is some minutes old.
    ///
    /// - Parameter now: In milliseconds since 1970.
    /// - Throws: `StorageError`, or an error of the adapter.
    func renewMark(now: Int64) async throws

    /// Returns the revocations that survive a restore, for the replay at a start.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func revocations() async throws -> [Revocation]

    /// Drops revocations that are older than any valid token.
    ///
    /// - Parameter now: In milliseconds since 1970.
    /// - Throws: `StorageError`, or an error of the adapter.
    func compactRevocations(now: Int64) async throws
}

/// A kind of rows that expire.
package enum ExpiringRows: Sendable, Hashable, CaseIterable {
    /// Refresh tokens.
    case tokens
    /// Codes that were sent by email.
    case codes
}

/// An account with the facts that upkeep needs.
package struct AccountUse: Sendable, Hashable {
    /// A position in the order of last use.
    package struct Place: Sendable, Hashable {
        /// The time of the last use, in seconds since 1970.
        package var usedAt: Int64
        /// The adapter's number of the account.
        package var number: Int64

        package init(usedAt: Int64, number: Int64) {
            self.usedAt = usedAt
            self.number = number
        }
    }

    /// The account's id.
    package var id: String
    /// The account's position.
    package var place: Place
    /// True when the account has a password or an external identity.
    package var hasSignInMethods: Bool
    /// True when the account ever had a record or has an answer.
    package var hasData: Bool

    package init(id: String, place: Place, hasSignInMethods: Bool, hasData: Bool) {
        self.id = id
        self.place = place
        self.hasSignInMethods = hasSignInMethods
        self.hasData = hasData
    }
}
