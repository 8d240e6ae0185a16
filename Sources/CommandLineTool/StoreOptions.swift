import ArgumentParser
import Foundation
import OfflineStorage
import Publishing
import SyncClient
import UserData

/// The options for the device's store.
struct StoreOptions: ParsableArguments {
    /// The default folder.
    static let defaultFolder = ".underway-store"

    @Option(
        help: "The folder of the device's store (default: .underway-store).",
        transform: PathArgument.path)
    var store = StoreOptions.defaultFolder

    @Option(
        help: "The bundled generation, for a device that has nothing yet.",
        transform: PathArgument.path)
    var bundle: String?

    @Option(
        help: """
            The version of the app that this device runs; with a new one, what an older one refused is \
            tried again.
            """)
    var appVersion = Tool.version

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
        if !making { try requireStore() }
        try Folder.requireNoFile(store, "--store")
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

    /// Opens the content.
    ///
    /// - Parameter making: True to create a store if there is none; with a bundle one is always
    ///   created.
    /// - Returns: The store.
    /// - Throws: `CommandFailure` when there is none, or `StoreError`.
    func open(making: Bool = false) throws -> OfflineStore {
        let bundle = try wholeBundle(making: making)
        if !making, bundle == nil { try requireStore() }
        try Folder.requireNoFile(store, "--store")
        let opened = try OfflineStore(
            folder: URL(fileURLWithPath: store), appVersion: appVersion)
        if let bundle { Self.install(bundle, into: opened) }
        return opened
    }
}

extension StoreOptions {
    /// Returns the bundle of `--bundle`; `nil` when it is missing, which is an error only for a
    /// device without a store.
    private func wholeBundle(making: Bool) throws -> ContentBundle? {
        guard let bundle else { return nil }
        guard !FileManager.default.fileExists(atPath: "\(bundle)/manifest.json") else {
            return ContentBundle(folder: URL(fileURLWithPath: bundle))
        }
        let failure = CommandFailure(
            .notFound,
            "There is no bundle in \(bundle): it has no manifest.json. `underway bundle FOLDER` writes"
                + " one from a release.", place: bundle)
        guard try making || DeviceFolder(path: store).hasStore() else { throw failure }
        Console.note("underway: \(failure.message)")
        return nil
    }

    /// Installs a bundle as the fallback.
    ///
    /// A damaged part is reported, and the rest is used.
    private static func install(_ bundle: ContentBundle, into store: OfflineStore) {
        do {
            try store.installBundle(bundle, now: Date())
        } catch {
            Console.note("underway: \(CommandFailure(error).message) The rest of it is used.")
        }
    }

    private func requireStore() throws {
        guard try !DeviceFolder(path: store).hasStore() else { return }
        throw CommandFailure(
            .notFound,
            "There is no device's store in \(store), and none was made. Name the right folder with"
                + " --store, or make a store: `underway sync URL` fetches content into it.",
            place: store)
    }
}
