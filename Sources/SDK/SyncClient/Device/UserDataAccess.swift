package import Foundation
package import OfflineStorage

/// The access of a ``DeviceSync`` to user data, which is opened only when it is needed.
package struct UserDataAccess {
    let openStore: () throws -> UserStore
    let openAccount: (_ store: UserStore, _ serverURL: URL) throws -> Account

    /// Creates an access.
    ///
    /// - Parameters:
    ///   - openStore: Opens the device's store of user data, and creates it if it is missing.
    ///   - openAccount: Opens the account of the store's user on a server.
    package init(
        openStore: @escaping () throws -> UserStore,
        openAccount: @escaping (_ store: UserStore, _ serverURL: URL) throws -> Account
    ) {
        self.openStore = openStore
        self.openAccount = openAccount
    }
}
