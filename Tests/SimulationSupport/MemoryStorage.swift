package import Ledger
import Synchronization
package import UserData

/// An in-memory implementation of the ledger's storage.
package final class MemoryStorage: LedgerStorage {
    private let tables: Mutex<MemoryTables>

    /// Creates a storage with the accounts of these users.
    package init(users: [String] = []) {
        var tables = MemoryTables()
        for user in users { tables.accounts[user] = MemoryTables.Account() }
        self.tables = Mutex(tables)
    }

    /// Adds an empty account.
    package func addAccount(_ user: String) {
        tables.withLock { $0.accounts[user] = MemoryTables.Account() }
    }

    /// Returns the data of a user.
    package func account(_ user: String) throws -> MemoryTables.Account {
        try tables.withLock { try $0.account(user) }
    }

    /// Deletes an account with all its data.
    package func deleteAccount(_ user: String) { tables.withLock { $0.accounts[user] = nil } }

    /// Starts a new generation, as after a declared restore.
    package func startGeneration() { tables.withLock { $0.generation += 1 } }

    package func exchange<Reply: Sendable>(
        _ keys: LedgerReadSet,
        _ decide: @escaping @Sendable (LedgerSnapshot) throws -> LedgerDecision<Reply>
    ) async throws -> Reply {
        try tables.withLock { try $0.exchange(keys, decide) }
    }

    package func open(_ keys: LedgerReadSet) async throws -> LedgerSnapshot {
        try tables.withLock { try $0.open(keys) }
    }

    package func answers(
        _ spans: [AnswerSpan], of user: String, bytesMax: Int
    ) async throws -> AnswerPage {
        try tables.withLock { try $0.answers(spans, of: user, bytesMax: bytesMax) }
    }

    package func retractions(
        in spans: [AnswerSpan], of user: String
    ) async throws -> [AnswerID: AnswerID] {
        try tables.withLock { try $0.account(user).holding(in: spans) }
    }

    package func records(
        of user: String, in collection: String, after id: String, limit: Int, bytesMax: Int
    ) async throws -> RecordPage {
        try tables.withLock {
            try $0.records(
                of: user, in: collection, after: id, limit: limit, bytesMax: bytesMax)
        }
    }

    package func progress(of user: String) async throws -> AnswerProgress? {
        try tables.withLock { try $0.progress(of: user) }
    }

    package func countAnswers(of user: String) async throws {
        _ = try tables.withLock { try $0.account(user) }
    }

    package func purge(before end: Int64, limit: Int) async throws -> Int {
        tables.withLock { $0.purge(before: end, limit: limit) }
    }

    package func damagedRecordCount() async throws -> Int { 0 }
}
