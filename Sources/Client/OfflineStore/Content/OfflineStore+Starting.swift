package import ContentModel
public import Foundation
import GRDB

/// The bundled generation of an app: a folder with `manifest.json` and `objects/`.
public struct ContentBundle: Sendable {
    /// The folder that `underway bundle` wrote.
    public var folder: URL

    /// Names the folder.
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
        FileManager.default.fileExists(atPath: folder.appending(path: path(checksum)).path)
    }

    private func path(_ checksum: Checksum) -> String {
        "objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
    }

    /// The assets of the bundled release, by path.
    package func assets() throws -> [String: AssetEntry] {
        try ReleaseReader.manifest(try read("manifest.json")).manifest.assets
    }

    /// The bytes of an object, verified.
    package func object(_ checksum: Checksum) throws -> [UInt8] {
        let bytes = try read(path(checksum))
        guard Checksum(of: bytes) == checksum else {
            throw StoreError(.badBundle, "The object \(checksum) of the bundle is damaged.")
        }
        return bytes
    }
}

extension OfflineStore {
    /// Installs the bundled generation where it is newer than what is installed.
    ///
    /// Call it at each start: it reads only the bundle's manifest when there is nothing to do.
    /// - Returns: True when the bundle was installed.
    /// - Throws: `StoreError` `badBundle` when it is damaged.
    @discardableResult
    public func installBundle(_ bundle: ContentBundle, now: Date) throws -> Bool {
        let current = try currentGeneration()
        let knownMark = try setting("bundle")
        let manifestBytes = try bundle.read("manifest.json")
        let checksum = Checksum(of: manifestBytes)
        if current != nil, knownMark == checksum.hex { return false }
        let manifest = try ReleaseReader.manifest(manifestBytes).manifest
        if let current, current.freshness.release >= manifest.release {
            try set("bundle", checksum.hex)
            return false
        }
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
        try install(manifestBytes, source: .bundled, now: now)
        try keepLazyFiles(of: bundle, manifest, now: now)
        try set("bundle", checksum.hex)
        return true
    }

    /// Brings over the audio and images that a bundle ships, so that they need no network either.
    private func keepLazyFiles(of bundle: ContentBundle, _ manifest: Manifest, now: Date) throws {
        for checksum in manifest.lazyChecksums where bundle.has(checksum) {
            let bytes = try bundle.object(checksum)
            let partial = partialFile(checksum)
            do {
                try Data(bytes).write(to: partial)
            } catch {
                throw StoreError(.storage, "A file of the bundle could not be kept: \(error)")
            }
            _ = try keepLazyFile(partial, as: checksum, size: bytes.count, now: now)
        }
    }
}
