import ContentModel
import Foundation
import OfflineStorage
import TestSupport

/// A release made in memory, of documents of all kinds: for a store, or as a bundle.
struct MemoryRelease {
    var manifest: Manifest
    private(set) var objects: [Checksum: [UInt8]] = [:]

    init(_ release: Int, generatedAt: String? = nil, _ blueprints: Blueprint...) {
        manifest = Manifest(release: release, generatedAt: generatedAt)
        for blueprint in blueprints {
            let reference = add(blueprint.json.canonicalBytes)
            if blueprint.kind == .exam {
                manifest.exams[blueprint.id] = ExamEntry(blueprint: reference)
            } else {
                manifest.languages[blueprint.id, default: LanguageEntry()].blueprint = reference
            }
        }
    }

    private mutating func add(_ bytes: [UInt8]) -> ContentReference {
        let checksum = Checksum(of: bytes)
        objects[checksum] = bytes
        return ContentReference(checksum: checksum, size: bytes.count)
    }

    func texts(_ json: String, _ language: String = "es") -> Self {
        var copy = self
        let reference = copy.add(Array(json.utf8))
        copy.manifest.languages[language, default: LanguageEntry()].localization = reference
        return copy
    }

    func announcements(_ json: String) -> Self {
        var copy = self
        copy.manifest.announcements = copy.add(Array(json.utf8))
        return copy
    }

    func asset(_ path: String, _ text: String, _ fetchClass: AssetClass = .eager) -> Self {
        var copy = self
        let reference = copy.add(Array(text.utf8))
        copy.manifest.assets[path] = AssetEntry(
            checksum: reference.checksum, size: reference.size, fetchClass: fetchClass)
        return copy
    }

    /// Stages all documents and installs the release as a download.
    func install(
        in store: OfflineStore, now: Date, replacing text: String = "", by other: String = "",
        undelivered: [Checksum: String] = [:], decoder: @escaping ContentDecoder = { _, _ in }
    ) throws {
        let eager = Set(manifest.eagerDocuments.map(\.checksum))
        for (checksum, bytes) in objects
        where eager.contains(checksum) && undelivered[checksum] == nil {
            try store.stage(bytes, as: checksum)
        }
        var json = String(decoding: manifest.canonicalBytes, as: UTF8.self)
        if !text.isEmpty { json = json.replacing(text, with: other) }
        try store.install(
            VerifiedManifest(verifying: Array(json.utf8)), source: .downloaded, now: now,
            undelivered: undelivered, decoder: decoder)
    }

    /// Writes the release as an app's bundle.
    func bundle(in folder: TemporaryFolder, _ name: String = "app") throws -> ContentBundle {
        try folder.write(manifest.canonicalBytes, to: "\(name)/manifest.json")
        for (checksum, bytes) in objects {
            try folder.write(bytes, to: "\(name)/\(ReleasePath.object(checksum).text)")
        }
        return ContentBundle(folder: folder.url.appending(path: name))
    }
}

extension OfflineStore {
    /// The releases of the installed generations, the current one first.
    var installedReleases: [Int] { get throws { try generations().map(\.freshness.release) } }
}
