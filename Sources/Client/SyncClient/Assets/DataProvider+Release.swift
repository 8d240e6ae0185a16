import ContentModel
public import Foundation
public import OfflineStore
public import RemoteAssets

extension DataProvider {
    /// An asset of the release that a device has installed, and of each one that follows.
    ///
    /// The bytes are held against the checksum of the manifest. An asset that is not eager is fetched
    /// when it is asked for.
    /// - Parameters:
    ///   - sync: What installs releases; the asset is asked for again after each.
    ///   - path: The asset's path in the release.
    /// - Returns: A source that needs no network for eager assets.
    public static func release(_ sync: ContentSync, _ path: String) -> DataProvider {
        DataProvider { try await sync.delivery(of: path, $0) }.refreshed {
            let events = sync.events()
            return AsyncStream {
                for await event in events where event.isInstallation { return () }
                return nil
            }
        }
    }
}

extension AssetRepository {
    /// Makes a repository of the assets of a release.
    ///
    /// - Parameters:
    ///   - sync: What installs releases.
    ///   - bundle: The generation that the app brings; its eager assets are what each asset starts
    ///     with.
    ///   - folder: Where what replaces them is kept.
    ///   - appVersion: The version of the app.
    public convenience init(
        sync: ContentSync, bundle: ContentBundle, folder: URL, appVersion: String
    ) {
        let assets = Result { try bundle.assets() }
        self.init(
            folder: folder, appVersion: appVersion,
            bundled: { name in
                guard let entry = try assets.get()[name] else {
                    throw AssetError(.badBundle, "The bundle has no asset \(name).")
                }
                return Data(try bundle.object(entry.checksum))
            },
            release: { .release(sync, $0) })
    }
}

extension SyncEvent {
    /// True when other content may be installed now than before.
    fileprivate var isInstallation: Bool {
        guard case .ended(let report) = self else { return false }
        switch report.outcome {
        case .installed, .repaired: return true
        case .notDue, .upToDate, .refused, .failed: return false
        }
    }
}
