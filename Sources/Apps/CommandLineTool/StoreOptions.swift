import ArgumentParser
import Foundation
import OfflineStorage

/// The options for the content and the user data in the device's store.
struct StoreOptions: ParsableArguments {
    @OptionGroup var userData: UserDataOptions

    @Option(
        help: "The content that ships inside the app, for a device without content.",
        transform: PathArgument.path)
    var bundle: String?

    @Option(
        help: """
            The version of the app on this device. A new version tries again what an older one refused.
            """)
    var appVersion = Tool.version

    /// The folder.
    var store: String { userData.store }

    /// Opens the content.
    ///
    /// - Parameter making: True to create a store if there is none; with a bundle one is always
    ///   created.
    /// - Returns: The store.
    /// - Throws: `CommandFailure` when there is none, or `StoreError`.
    func open(making: Bool = false) throws -> OfflineStore {
        let bundle = try wholeBundle(making: making)
        if !making, bundle == nil { try userData.checkStore() }
        try Folder.checkNoFile(store, "--store")
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
}
