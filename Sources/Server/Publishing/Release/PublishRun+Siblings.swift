import ContentModel
import Dispatch
import Synchronization

extension PublishRun {
    /// Returns the compressed manifests that a publish would make anew.
    mutating func wrongManifestSiblings() throws -> [ContentEncoding] {
        guard content.index.release > 0, !baseline.state.manifestIsForeign,
            !directory.isForDevelopment
        else { return [] }
        return try ManifestSiblings(
            directory: directory, checksum: content.index.manifestChecksum,
            readsAll: publisher.verifies
        ).wrong(&marks)
    }

    /// Makes the compressed manifests right before anything else, also when the publish then fails.
    mutating func mendManifestSiblings() throws {
        let wrong = try wrongManifestSiblings()
        guard !wrong.isEmpty else { return }
        let siblings = ManifestSiblings(
            directory: directory, checksum: content.index.manifestChecksum, readsAll: false)
        marks.siblings = try siblings.mend(&commit)
        content.summary.restored += wrong.map { ReleasePath.manifest.packed($0).text }
    }

    /// Reads the compressed siblings of some objects, and makes those anew that are missing or wrong.
    ///
    /// - Returns: The objects that had such.
    /// - Throws: `PublishingError`.
    func mendSiblings(of objects: Set<Checksum>) throws -> Set<Checksum> {
        guard !objects.isEmpty, !directory.isForDevelopment else { return [] }
        let checksums = Array(objects)
        let packable = Set(
            content.index.units.lazy.flatMap(\.files)
                .filter { ContentEncoding.pays(for: $0.path) }.map(\.checksum))
        let directory = directory
        let mended = Mutex<Result<Set<Checksum>, any Error>>(.success([]))
        DispatchQueue.concurrentPerform(iterations: checksums.count) { position in
            let checksum = checksums[position]
            let result = Result {
                try ObjectSiblings(
                    directory: directory, checksum: checksum, pays: packable.contains(checksum)
                ).mend()
            }
            mended.withLock { total in
                if case .failure(let error) = result { total = .failure(error) }
                if case .success(true) = result, case .success(var some) = total {
                    some.insert(checksum)
                    total = .success(some)
                }
            }
        }
        return try mended.withLock { try $0.get() }
    }
}

/// The compressed forms of one object.
struct ObjectSiblings {
    let directory: ReleaseDirectory
    let checksum: Checksum
    /// True for text, which is compressed where it saves a tenth.
    let pays: Bool

    /// Reads them, and recreates missing or wrong ones.
    ///
    /// - Returns: True if it repaired something.
    func mend() throws -> Bool {
        let object = ReleasePath.object(checksum)
        let siblings = ContentEncoding.allCases.map { ($0, directory.path(object.packed($0))) }
        guard pays || siblings.contains(where: { Files.look($1) != nil }) else { return false }
        let bytes = try directory.object(checksum)
        var isMended = false
        for (encoding, sibling) in siblings {
            // What cannot be read is as good as missing.
            let found = Files.look(sibling) == nil ? nil : (try? Files.read(sibling)) ?? []
            if let found, encoding.holds(found, bytes) { continue }
            let packed = pays ? encoding.compress(bytes) : nil
            guard packed != nil || found != nil else { continue }
            isMended = true
            try Files.discard(sibling)
            guard let packed else { continue }
            try directory.replace(
                sibling, packed,
                modifiedSeconds: ReleaseDirectory.modifiedSeconds(of: checksum))
        }
        return isMended
    }
}

extension ReleaseDirectory {
    /// Returns true when a readable name has the compressed siblings of its object, and no others.
    func siblingsAgree(_ readable: String, _ checksum: Checksum) -> Bool {
        let object = ReleasePath.object(checksum)
        return ContentEncoding.allCases.allSatisfy { encoding in
            let name = path("\(readable).\(encoding.rawValue)")
            let original = path(object.packed(encoding))
            let stamps = (Files.look(name)?.stamp, Files.look(original)?.stamp)
            if stamps.0 == stamps.1 { return true }
            // Copies, on a file system without hard links.
            guard stamps.0?.size == stamps.1?.size, let bytes = try? Files.read(name) else {
                return false
            }
            return bytes == (try? Files.read(original))
        }
    }
}
