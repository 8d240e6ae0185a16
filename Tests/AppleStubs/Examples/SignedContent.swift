import Foundation
import OfflineStorage
import SyncClient

/// A device that takes signed releases alone, by the signatures of CryptoKit.
func signedContent(
    _ store: OfflineStore, _ bundleFolder: URL, _ address: URL
) throws -> ContentSync {
    // apple: begin
    let root = try Data(contentsOf: bundleFolder.appending(path: "trust/root.json"))
    let sync = ContentSync(
        store: store, transport: HTTPTransport(), releaseURL: address,
        trust: try .pinned(root: root))
    // apple: end
    return sync
}
