import Accounts
import Crypto
import Foundation

extension UserBackend {
    /// An account that an operator identified by email or id.
    package struct NamedUser: Sendable, Hashable {
        /// The id.
        package var id: String
        /// False when the account was identified by an unverified email.
        package var isProven: Bool
    }

    /// Finds a user by an email or an id.
    ///
    /// - Returns: The account; `nil` if there is none.
    /// - Throws: `StorageError`, or an error of the adapter.
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
