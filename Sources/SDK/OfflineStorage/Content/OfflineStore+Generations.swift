public import ContentModel
import Foundation
import GRDB

/// An installed generation.
///
/// ```swift
/// let store = try OfflineStore.inMemory()
/// if let generation = try store.currentGeneration() {
///     print(generation.freshness.release, generation.manifestChecksum)
/// }
/// ```
public struct Generation: Hashable, Sendable {
    /// The checksum of the manifest.
    public var manifestChecksum: Checksum
    /// The release, source and time of installation.
    public var freshness: ContentFreshness

    /// Creates a generation.
    public init(manifestChecksum: Checksum, freshness: ContentFreshness) {
        self.manifestChecksum = manifestChecksum
        self.freshness = freshness
    }
}

extension OfflineStore {
    /// Returns the current generation; `nil` on a device without any content.
    ///
    /// - Throws: ``StoreError`` `storage`; a damaged generation counts as none.
    public func currentGeneration() throws -> Generation? {
        try generations().first
    }

    /// Returns the current generation and the last good one, in this order, without unreadable ones.
    package func generations() throws -> [Generation] {
        try GenerationState.allCases.compactMap { state in
            try unlessDamaged { database in
                try Row.fetchOne(
                    database, sql: "SELECT * FROM generation WHERE state = ?",
                    arguments: [state.rawValue]
                ).map(Self.generation)
            } ?? nil
        }
    }

    enum GenerationState: String, CaseIterable {
        case current
        case lastGood
    }

    /// Reads in one transaction; `nil` for damaged rows, which the next sync repairs.
    private func unlessDamaged<Value>(_ body: (Database) throws -> Value) throws -> Value? {
        do {
            return try database.read(body)
        } catch let error as StoreError where error.code == .damaged {
            repair.raise()
            return nil
        }
    }

    static func generation(_ row: Row) throws -> Generation {
        guard let hex = String.fromDatabaseValue(row["manifestChecksum"]),
            let checksum = Checksum(hex: hex), let release = Int.fromDatabaseValue(row["release"]),
            let installedAt = Double.fromDatabaseValue(row["installedAt"]),
            let state = String.fromDatabaseValue(row["state"]),
            let source = String.fromDatabaseValue(row["source"])
        else { throw Self.damaged("A generation") }
        let freshness = ContentFreshness(
            source: ContentSource(rawValue: source) ?? .downloaded, release: release,
            installedAt: Date(timeIntervalSince1970: installedAt),
            isFallback: state == GenerationState.lastGood.rawValue)
        return Generation(manifestChecksum: checksum, freshness: freshness)
    }

    /// Returns the manifest of the current generation; `nil` when there is none, or it is damaged.
    package func currentManifest() throws -> VerifiedManifest? {
        guard let (checksum, bytes) = try currentManifestBytes() else { return nil }
        return try VerifiedManifest(verifying: bytes, expected: checksum)
    }

    /// Returns the bytes of the current generation's manifest, verified but not decoded; `nil` when there is
    /// none, or it is damaged.
    package func currentManifestBytes() throws -> (checksum: Checksum, bytes: [UInt8])? {
        let found = try unlessDamaged { database -> (Checksum, [UInt8])? in
            let row = try Row.fetchOne(
                database,
                sql: "SELECT manifest, manifestChecksum FROM generation WHERE state = 'current'")
            guard let row else { return nil }
            guard let data = Data.fromDatabaseValue(row[0]),
                let checksum = String.fromDatabaseValue(row[1]).flatMap({ Checksum(hex: $0) })
            else { throw Self.damaged("The manifest") }
            let bytes = [UInt8](data)
            guard Checksum(of: bytes) == checksum else { throw Self.damaged("The manifest") }
            return (checksum, bytes)
        }
        return found ?? nil
    }

    /// Returns the manifest of the release that was installed before the current one, to show what an update changed;
    /// `nil` when this device does not have it, or it is damaged.
    ///
    /// - Throws: ``StoreError`` `storage`.
    public func formerManifest() throws -> Manifest? {
        let data = try unlessDamaged { database in
            try Data.fetchOne(
                database, sql: "SELECT manifest FROM generation WHERE state = ?",
                arguments: [GenerationState.lastGood.rawValue])
        }
        // A former release that cannot be read is none.
        return (data ?? nil).flatMap { try? ReleaseReader.manifest([UInt8]($0)).manifest }
    }
}
