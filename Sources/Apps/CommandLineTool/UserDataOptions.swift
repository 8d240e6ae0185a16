import ArgumentParser
import Foundation
import OfflineStorage
import Publishing
import SyncClient
import UserData

/// The options for the user data in the device's store.
struct UserDataOptions: ParsableArguments {
    /// The default folder.
    static let defaultFolder = ".underway-store"

    @Option(
        help: "The folder of the device's store (default: .underway-store).",
        transform: PathArgument.path)
    var store = UserDataOptions.defaultFolder

    @Option(
        help: "A content folder whose underway.yaml declares the app's collections.",
        transform: PathArgument.path)
    var declared: String?

    /// Opens answers, sessions and records, which are in the same folder, in a database of their
    /// own.
    ///
    /// - Parameter making: True to create a store if there is none; a command that only reads never
    ///   does, since a mistyped folder would look like an empty one.
    /// - Returns: The store.
    /// - Throws: `CommandFailure` when there is none, or `StoreError`.
    func openUserData(making: Bool = false) throws -> UserStore {
        if !making { try checkStore() }
        try Folder.checkNoFile(store, "--store")
        let settings = try declared.map { try UserDataSettings.read(folder: $0) }
        return try UserStore(
            folder: URL(fileURLWithPath: store),
            collections: settings?.collections.map(\.declaration) ?? [])
    }

    /// Opens the account of the device's user on a server.
    func account(_ store: UserStore, _ transport: HTTPTransport, server: URL) throws -> Account {
        let folder = URL(fileURLWithPath: self.store).appending(path: "secrets")
        return Account(
            store: store, secrets: try FileSecretStore(folder: folder), transport: transport,
            serverURL: server)
    }

    /// Returns the access of a sync to user data.
    func userDataAccess(_ transport: HTTPTransport) -> UserDataAccess {
        UserDataAccess(
            openStore: { try Self.storing { try openUserData(making: true) } },
            openAccount: { store, server in
                try Self.storing { try account(store, transport, server: server) }
            })
    }

    /// Runs a body in which a failure of any file, also of a declaration, counts as one of the disk:
    /// the sync reports it beside the content.
    private static func storing<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            let failure = CommandFailure(error)
            guard failure.code == .files else { throw failure }
            throw StoreError(.storage, failure.message, cause: error)
        }
    }

    /// Rejects a folder without a store, which a mistyped name would be.
    func checkStore() throws {
        guard try !DeviceFolder(path: store).hasStore() else { return }
        throw CommandFailure(
            .notFound,
            "There is no device's store in \(store), and none was made. Name the right folder with"
                + " --store, or make a store: `underway sync URL` fetches content into it.",
            place: store)
    }
}
