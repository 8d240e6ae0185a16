package import ContentModel
public import Foundation
import GRDB

/// The bundled generation of an app: a folder with `manifest.json` and `objects/`.
///
/// ```swift
/// if let folder = Bundle.main.url(forResource: "content", withExtension: nil) {
///     let store = try OfflineStore.inMemory()
///     try store.installBundle(ContentBundle(folder: folder))
/// }
/// ```
public struct ContentBundle: Sendable {
    /// The folder that `underway bundle` wrote, in the app's resources.
    public var folder: URL

    /// Creates a bundle of a folder.
    public init(folder: URL) {
        self.folder = folder
    }

    func read(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: folder.appending(path: path).path)
        else {
            throw StoreError(.badBundle, "The bundle has no \(path). Write it again.")
        }
        return [UInt8](data)
    }

    func has(_ checksum: Checksum) -> Bool {
        FileManager.default.fileExists(atPath: file(checksum).path)
    }

    func file(_ checksum: Checksum) -> URL { folder.appending(path: path(checksum)) }

    private func path(_ checksum: Checksum) -> String { ReleasePath.object(checksum).text }

    /// Reads and verifies the manifest.
    func manifest() throws -> VerifiedManifest {
        try VerifiedManifest(verifying: read(ReleasePath.manifest.text))
    }

    /// Returns the assets of the bundled release, by path.
    package func assets() throws -> [String: AssetEntry] {
        try manifest().manifest.assets
    }

    /// Returns the bytes of an object, verified.
    package func object(_ checksum: Checksum) throws -> [UInt8] {
        let bytes = try read(path(checksum))
        guard Checksum(of: bytes) == checksum else {
            throw StoreError(
                .badBundle,
                "The object \(checksum) of the bundle is damaged. Write the bundle again.")
        }
        return bytes
    }
}

extension OfflineStore {
    /// Installs the bundled generation if it is newer than the installed one, and registers it as the source of
    /// documents that no installed generation has.
    ///
    /// Of two releases, the one built later is newer; without build times, the one with the higher number. A release
    /// that is banned on this device does not replace another. Call it at each launch: if there is nothing to install,
    /// it reads only the bundle's manifest. If the bundle cannot be installed, for example on a full disk, its
    /// documents are read from its folder.
    /// - Parameters:
    ///   - bundle: The bundle of the app.
    ///   - now: The wall clock.
    /// - Returns: True when the bundle was installed.
    /// - Throws: ``StoreError`` `badBundle` when the bundle is damaged. Its undamaged documents are still used, so the
    ///   app can continue.
    @discardableResult
    public func installBundle(_ bundle: ContentBundle, now: Date = Date()) throws -> Bool {
        bundled.register(bundle)
        defer { changes.send(()) }
        do {
            return try installIfNewer(bundle, now: now)
        } catch let error as StoreError where [.storage, .damaged].contains(error.code) {
            return false
        } catch {
            // It was refused: only documents without another source come from it.
            bundled.isFirst = false
            if let error = error as? StoreError { throw error }
            throw StoreError(
                .badBundle,
                "The manifest.json in \(bundle.folder.path) cannot be used. \(error)", cause: error)
        }
    }

    /// Installs the bundle that could not be installed at launch, if any.
    func installWaitingBundle(now: Date) throws {
        guard bundled.isFirst, let bundle = bundled.bundle else { return }
        bundled.isFirst = false
        do {
            _ = try installIfNewer(bundle, now: now)
        } catch let error as StoreError where [.storage, .damaged].contains(error.code) {
            throw error
        } catch {
            // A damaged bundle must not stop a sync.
            bundled.isFirst = false
        }
    }

    private func installIfNewer(_ bundle: ContentBundle, now: Date) throws -> Bool {
        let current = try currentGeneration()
        let knownMark = try setting("bundle")
        let bytes = try bundle.read(ReleasePath.manifest.text)
        let checksum = Checksum(of: bytes)
        if current != nil, knownMark == checksum.hex { return false }
        let verified = try VerifiedManifest(verifying: bytes)
        let manifest = verified.manifest
        if let current, try isOutdated(manifest, checksum, by: current, now: now) {
            try set("bundle", checksum.hex)
            return false
        }
        bundled.isFirst = true
        let documents = manifest.eagerDocuments
        let present = try present(documents.map(\.checksum))
        let missing = documents.filter { !present.contains($0.checksum) }
        let blobs = try missing.map { ($0.checksum, try bundle.object($0.checksum)) }
        try database.write { database in
            for (checksum, bytes) in blobs {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO blob (checksum, bytes) VALUES (?, ?)",
                    arguments: [checksum.hex, Data(bytes)])
            }
        }
        try install(verified, source: .bundled, now: now)
        bundled.isFirst = false
        try copyLazyFiles(of: bundle, manifest, now: now)
        try set("bundle", checksum.hex)
        return true
    }

    private func isOutdated(
        _ bundled: Manifest, _ checksum: Checksum, by current: Generation, now: Date
    ) throws -> Bool {
        if try current.manifestChecksum == checksum || banReason(checksum) != nil { return true }
        guard let installed = try currentManifest()?.manifest else { return false }
        return !BundleChoice.isNewer(bundled, than: installed, now: now)
    }

    /// Copies the audio and images of the bundle, so that they need no network.
    private func copyLazyFiles(of bundle: ContentBundle, _ manifest: Manifest, now: Date) throws {
        for checksum in manifest.lazyChecksums where bundle.has(checksum) {
            let bytes = try bundle.object(checksum)
            let partial = partialFile(checksum)
            do {
                try Data(bytes).write(to: partial)
            } catch {
                throw StoreError(
                    .storage, "\(partial.path) cannot be written. Make room and try again.",
                    cause: error)
            }
            _ = try keepLazyFile(partial, as: checksum, size: bytes.count, now: now)
        }
    }
}
