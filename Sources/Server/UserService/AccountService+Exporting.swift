import Crypto
import Foundation

extension AccountService {
    /// Opens the service on SQLite for an operator's command beside a server that runs: it reads, and signs nobody in.
    ///
    /// - Parameter database: The server's database.
    /// - Returns: A service whose tokens no server accepts.
    /// - Throws: An error of the file system.
    package static func reader(_ database: UserDatabase) async throws -> AccountService {
        try await AccountService(
            database, UserServiceOptions(folder: FileManager.default.temporaryDirectory),
            clock: { Date() }, key: SymmetricKey(size: .bits256))
    }

    /// Opens the service on another storage, as `reader` does on SQLite.
    ///
    /// - Parameters:
    ///   - accounts: The storage of accounts.
    ///   - ledger: The storage of the ledger.
    ///   - boards: The storage of boards.
    ///   - events: The storage of live events.
    /// - Returns: A service whose tokens no server accepts.
    package static func reader(
        accounts: any AccountStorage, ledger: any LedgerStorage, boards: any BoardStorage,
        events: any EventStorage
    ) async -> AccountService {
        await AccountService(
            accounts: accounts, ledger: ledger,
            UserServiceOptions(folder: FileManager.default.temporaryDirectory), clock: { Date() },
            key: SymmetricKey(size: .bits256), boards: boards, events: events)
    }

    /// Finds a user by an email or an id.
    ///
    /// - Returns: The id; `nil` when there is no such account.
    /// - Throws: `LedgerError`, or an error of the adapter.
    package func findUser(_ name: String) async throws -> String? {
        for key in [Email(name).map { AccountKeys.Name.email($0.text) }, .id(name)] {
            guard let key else { continue }
            let snapshot = try await accounts.storage.open(AccountKeys(key))
            if let account = snapshot.account { return account.id }
        }
        return nil
    }
}
