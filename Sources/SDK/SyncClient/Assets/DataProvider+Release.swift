import ContentModel
public import Foundation
public import OfflineStorage
public import RemoteAssets
import Synchronization

extension DataProvider {
    /// Returns an asset of the installed release, and of each later one, as a source.
    ///
    /// The bytes are verified by the checksum in the manifest. An asset that is not eager is fetched on demand.
    /// - Parameters:
    ///   - sync: The sync that installs releases; the asset is refreshed after each release.
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
    /// Creates a repository of the assets of a release.
    ///
    /// - Parameters:
    ///   - sync: The sync that installs releases.
    ///   - bundle: The app's own generation; each asset starts with its eager file there.
    ///   - folder: The storage of newer files.
    ///   - appVersion: The version of the app.
    public convenience init(
        sync: ContentSync, bundle: ContentBundle, folder: URL, appVersion: String
    ) {
        let assets = BundledAssets(bundle: bundle)
        self.init(
            folder: folder, appVersion: appVersion, bundled: { try assets.data($0) },
            release: { .release(sync, $0) })
    }
}

/// The assets of a bundle, whose manifest is parsed at the first access.
///
/// Most launches need none, since accepted files exist.
private final class BundledAssets: Sendable {
    private let bundle: ContentBundle
    private let entries = Mutex<[String: AssetEntry]?>(nil)

    init(bundle: ContentBundle) { self.bundle = bundle }

    func data(_ name: String) throws -> Data {
        let entry = try entries.withLock { entries in
            let read = try entries ?? bundle.assets()
            entries = read
            return read[name]
        }
        guard let entry else {
            throw AssetError(.badBundle, "The bundle has no asset \(name). Write the bundle again.")
        }
        return Data(try bundle.object(entry.checksum))
    }
}

extension SyncEvent {
    /// True when the installed content may have changed.
    fileprivate var isInstallation: Bool {
        guard case .ended(let report) = self else { return false }
        switch report.outcome {
        case .installed, .repaired: return true
        case .notDue, .upToDate, .refused, .banned, .keptNewer, .failed: return false
        }
    }
}
