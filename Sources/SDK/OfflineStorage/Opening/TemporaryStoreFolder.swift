import Foundation

/// A private folder that exists as long as this object.
final class TemporaryStoreFolder: Sendable {
    let url = FileManager.default.temporaryDirectory
        .appending(path: "underway-\(UUID().uuidString)", directoryHint: .isDirectory)

    /// Creates the folder.
    ///
    /// - Throws: ``StoreError`` `storage` when it cannot be made.
    init() throws {
        do {
            try PrivateFiles.makeFolder(url)
        } catch {
            throw StoreError(
                .storage, "\(url.path) cannot be made. Make room and try again.", cause: error)
        }
    }

    deinit {
        // The system removes a leftover.
        try? FileManager.default.removeItem(at: url)
    }
}
