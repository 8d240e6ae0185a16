import Crypto
import Foundation

extension UserBackend {
    /// Opens the service on SQLite for an operator's command beside a server that runs: it reads, and signs nobody in.
    ///
    /// - Parameter database: The server's database.
    /// - Returns: A service whose tokens no server accepts.
    /// - Throws: An error of the file system.
    package static func reader(_ database: UserDatabase) async throws -> UserBackend {
        try await UserBackend(
            database, UserServiceOptions(folder: FileManager.default.temporaryDirectory),
            clock: { Date() }, key: SymmetricKey(size: .bits256))
    }

    /// An account that an operator named.
    package struct NamedUser: Sendable, Hashable {
        /// The id.
        package var id: String
        /// False when the account was named by an email that nobody proved to own.
        package var isProven: Bool
    }

    /// Finds a user by an email or an id.
    ///
    /// - Returns: The account; `nil` when there is none.
    /// - Throws: `LedgerError`, or an error of the adapter.
    package func findUser(_ name: String) async throws -> NamedUser? {
        for key in [Email(name).map { AccountReadSet.Name.email($0.text) }, .id(name)] {
            guard let key else { continue }
            var keys = AccountReadSet(key)
            keys.readsSignInMethods = true
            let snapshot = try await accounts.storage.open(keys)
            guard let account = snapshot.account else { continue }
            if case .id = key { return NamedUser(id: account.id, isProven: true) }
            return NamedUser(
                id: account.id, isProven: snapshot.password?.verifiedAt != nil)
        }
        return nil
    }
}
