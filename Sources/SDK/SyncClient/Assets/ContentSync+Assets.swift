import ContentModel
public import Foundation
import OfflineStorage
public import RemoteAssets

extension ContentSync {
    /// Returns the bytes of an asset of the installed release, such as the image of an announcement.
    ///
    /// An asset that is not eager is fetched on demand and stored.
    /// - Parameters:
    ///   - path: The asset's path in the release.
    ///   - bytesMax: The maximum length of the asset, in bytes.
    /// - Returns: The bytes, verified by the checksum in the manifest.
    /// - Throws: `AssetError`; `notFound` when the installed release has no such asset.
    public func asset(
        _ path: String, bytesMax: Int = Materializer<Data>.bytesMaxDefault
    ) async throws -> Data {
        let query = AssetQuery(known: nil, bytesMax: bytesMax)
        guard case .data(let data, _) = try await delivery(of: path, query) else {
            preconditionFailure("nothing was known, so nothing can be unchanged")
        }
        return data
    }

    /// Returns an asset for a source of `RemoteAsset`.
    ///
    /// - Throws: `AssetError`.
    func delivery(of path: String, _ query: AssetQuery) async throws -> AssetDelivery {
        do {
            return try await asset(path, query)
        } catch let error as SyncError {
            throw AssetError(error)
        } catch let error as StoreError {
            throw AssetError(
                error.code == .notFound ? .notFound : .storage, error.message, cause: error)
        }
    }

    /// Returns an asset of any class in the installed release, unless its version is known.
    ///
    /// - Throws: `SyncError`, `StoreError` or `AssetError`.
    private func asset(_ path: String, _ query: AssetQuery) async throws -> AssetDelivery {
        guard let entry = try assetEntries()[path] else {
            throw SyncError(.notFound, "The installed release has no asset \(path). Publish it.")
        }
        let tag = AssetTag(checksum: "\(entry.checksum)")
        if query.known?.checksum == tag.checksum { return .unchanged }
        if let size = entry.size, size > query.bytesMax {
            throw AssetError(
                .tooLong,
                "It has \(size) bytes; at most \(query.bytesMax) are used. Publish a smaller one.")
        }
        let bytes = try await bytes(of: entry, at: path)
        guard Checksum(of: bytes) == entry.checksum else {
            throw SyncError(.checksumMismatch, "The stored asset \(path) is damaged. Sync again.")
        }
        return .data(Data(bytes), tag)
    }

    private func bytes(of entry: AssetEntry, at path: String) async throws -> [UInt8] {
        if entry.fetchClass == .eager { return try store.asset(path).value }
        guard let file = try await files(.asset(path: path))[path],
            let data = FileManager.default.contents(atPath: file.path)
        else { throw SyncError(.storage, "The asset \(path) cannot be read. Sync again.") }
        return [UInt8](data)
    }

    /// Returns the predecessor of a refused asset, if there is one.
    private func shownInstead(of refused: RefusedDocument) throws -> AssetEntry? {
        guard refused.shownRelease != nil else { return nil }
        let bytes = try store.asset(refused.key).value
        return AssetEntry(
            checksum: Checksum(of: bytes), size: bytes.count, fetchClass: .eager)
    }

    private func assetEntries() throws -> [String: AssetEntry] {
        guard let generation = try store.currentGeneration() else { return [:] }
        if let known = knownAssets, known.manifest == generation.manifestChecksum {
            return known.entries
        }
        var entries = try store.currentManifest()?.manifest.assets ?? [:]
        for refused in try store.namedRefusals() where refused.kind == .asset {
            entries[refused.key] = try shownInstead(of: refused)
        }
        knownAssets = (generation.manifestChecksum, entries)
        return entries
    }
}

extension AssetError {
    fileprivate init(_ failure: SyncError) {
        let code: Code =
            switch failure.code {
            case .offline, .captivePortal, .wrongLength: .offline
            case .notFound: .notFound
            case .checksumMismatch: .checksumMismatch
            case .storage: .storage
            case .cancelled: .cancelled
            case .insecureAddress: .insecureAddress
            case .badAddress: .badAddress
            case .networkNotAllowed: .networkNotAllowed
            default: .serverError
            }
        self.init(code, failure.message, retryAfter: failure.retryAfter, cause: failure)
    }
}
