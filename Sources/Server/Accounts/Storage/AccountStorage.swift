package import Tables

/// The storage of accounts, their sign-in methods and sessions: the protocol that a database adapter
/// implements.
///
/// As with `LedgerStorage`, a rule names all that it needs, decides purely over a snapshot, and returns
/// a list of changes. No rule lives in an adapter, and no SQL above it.
package protocol AccountStorage: Sendable {
    // MARK: Decisions

    /// Opens an account, runs a decision over it, and writes its changes, as one transaction.
    ///
    /// Two decisions about one account run one after the other, in whatever processes they are made.
    ///
    /// - Parameters:
    ///   - keys: All that the decision needs.
    ///   - decide: The decision. It may run again, so it has no side effects, and takes time and
    ///     randomness from outside.
    /// - Returns: The decision's reply, after the changes were committed.
    /// - Throws: `StorageError`, the error of `decide`, or an error of the adapter; nothing is written
    ///   then.
    func change<Reply: Sendable>(
        _ keys: AccountReadSet,
        _ decide: @escaping @Sendable (AccountSnapshot) throws -> AccountOutcome<Reply>
    ) async throws -> Reply

    /// Reads what `keys` name, without a transaction that writes.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func open(_ keys: AccountReadSet) async throws -> AccountSnapshot

    /// Returns the reason why the storage cannot serve for now; `nil` when it can be read and written, and its
    /// tables are of this version.
    func obstacle() async -> StorageObstacle?

    /// Writes to the database what leaves nothing behind, and returns the reason why that failed; `nil` when it did not.
    ///
    /// Of SQLite the folder is tested, by whoever knows it.
    func writeObstacle() async -> StorageObstacle?

    // MARK: Upkeep

    /// The database, for statements that need no decision.
    var tables: any TableDatabase { get }

    /// Removes rows of accounts that are marked as deleted, in one transaction.
    ///
    /// - Parameter limit: The most rows.
    /// - Returns: True when there is no such account that another process is not erasing.
    /// - Throws: `StorageError`, or an error of the adapter.
    func eraseDeletedAccounts(limit: Int) async throws -> Bool

    // MARK: Restores

    /// Compares the storage with its marks outside, and begins another generation if it was restored
    /// from a backup.
    ///
    /// - Returns: True when the storage is not known to be the one that the marks were written for.
    /// - Throws: `SetupError` for a damaged mark, `StorageError`, or an error of the adapter.
    @discardableResult
    func detectRestore() async throws -> Bool

    /// Renews the marks when the last renewal is some minutes old.
    ///
    /// - Parameter now: In milliseconds since 1970.
    /// - Throws: `StorageError`, or an error of the adapter.
    func renewMark(now: Int64) async throws

    /// Returns the revocations that outlive a restore, to be replayed at a start.
    ///
    /// - Throws: `StorageError`, or an error of the adapter.
    func revocations() async throws -> [Revocation]

    /// Drops revocations that are older than any valid token.
    ///
    /// - Parameter now: In milliseconds since 1970.
    /// - Throws: `StorageError`, or an error of the adapter.
    func compactRevocations(now: Int64) async throws
}

/// A kind of rows that have an end.
package enum ExpiringRows: Sendable, Hashable, CaseIterable {
    /// Refresh tokens.
    case tokens
    /// Codes that were sent by e-mail.
    case codes
}

/// An account as upkeep sees it.
package struct AccountUse: Sendable, Hashable {
    /// A place in the order of last use.
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
    /// The account's place.
    package var place: Place
    /// True when a password or an external identity opens the account.
    package var hasSignInMethods: Bool
    /// True when a record was ever written or an answer is stored.
    package var hasData: Bool

    package init(id: String, place: Place, hasSignInMethods: Bool, hasData: Bool) {
        self.id = id
        self.place = place
        self.hasSignInMethods = hasSignInMethods
        self.hasData = hasData
    }
}
