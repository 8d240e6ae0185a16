import CCompression
import ContentModel
import Foundation
import NIOCore
import ServiceAPI
import Synchronization

/// The files of a release directory's current manifest, with a bounded cache in memory.
package final class ReleaseFiles: Sendable {
    private struct Snapshot {
        var stamp: ServedFileStamp?
        var manifest: ServedFile?
        var release: Int?
        /// The stamps of the compressed manifests while one of them is missing or damaged; else
        /// `nil`.
        var incomplete: [ServedFileStamp?]?
        /// The checksums by readable path.
        var files: [String: Checksum] = [:]
        var types: [Checksum: String] = [:]
    }

    fileprivate struct Cache {
        var files: [String: ServedFile] = [:]
        var order: [String] = []
        var bytes = 0
    }

    let root: String
    private let snapshot = Mutex(Snapshot())
    private let cache = Mutex(Cache())
    /// The files that change at other times than the manifest, each with the stamp by which it was read.
    private let stamped = Mutex<[String: (stamp: ServedFileStamp, file: ServedFile)]>([:])
    private let largeFiles: LargeFiles
    /// The log of files that are not served.
    let refusals: RefusalLog

    package init(
        root: String, refusals: RefusalLog = RefusalLog(), largeFiles: LargeFiles = LargeFiles()
    ) {
        self.root = root
        self.refusals = refusals
        self.largeFiles = largeFiles
    }

    /// Returns a file that is cached and still current; costs at most one `stat`.
    func cached(_ path: String) -> ServedFile? {
        if path == ContentRoutes.manifest {
            return isCurrent() ? snapshot.withLock { $0.manifest } : nil
        }
        if let file = cache.withLock({ $0.files[path] }) {
            return file.isImmutable || isCurrent() ? file : nil
        }
        guard let known = stamped.withLock({ $0[path] }),
            ServedFileStamp(path: root + "/" + path) == known.stamp
        else { return nil }
        return known.file
    }

    /// Returns the file at a path, and reads it from the disk if it is not cached.
    ///
    /// - Returns: `nil` when the release has no such file.
    /// - Throws: `ServeError` when the file exists but is damaged, `RequestError` `busy` when
    ///   too many readings of large files are queued.
    func load(_ path: String) async throws -> ServedFile? {
        // Compressed forms are sent in place of plain files, never under their own names.
        guard let parsed = ReleasePath(path), parsed.packing == nil else { return nil }
        try refresh()
        switch parsed.target {
        case .manifest:
            return snapshot.withLock { $0.manifest }
        case .history:
            return try await loadFile(
                path, type: "application/json", isImmutable: true, verifying: nil)
        case .object(let checksum):
            let type = snapshot.withLock { $0.types[checksum] }
            return try await loadObject(checksum, path: path, type: type, isImmutable: true)
        case .metadata(.timestamp, _), .changes:
            return try changing(path)
        case .metadata, .target:
            return try await loadFile(
                path, type: "application/json", isImmutable: true, verifying: nil)
        case .readable:
            guard let checksum = snapshot.withLock({ $0.files[path] }) else { return nil }
            return try await loadObject(
                checksum, path: path, type: ContentType.of(path), isImmutable: false)
        }
    }

    /// Returns the timestamp or a changeset, which change at other times than the manifest.
    private func changing(_ relative: String) throws -> ServedFile? {
        let path = root + "/" + relative
        guard let stamp = ServedFileStamp(path: path) else { return nil }
        guard stamp.size <= ChangesetLimits.bytesMax else {
            throw ServeError(message: "\(relative) is too large.", stamp: stamp)
        }
        let bytes = try Self.read(path)
        // Each changeset of a release carries the same timestamp, so one tag asks for news of all.
        let version = (try? Changeset(bytes))?.facts[.timestamp]?.version
        let file = serve(
            bytes, path: path, stamp,
            type: version == nil ? "application/json" : "application/octet-stream",
            isImmutable: false,
            tag: { coding in
                version.map { "\"\($0)\"" } ?? EntityTag.file(Checksum(of: bytes), coding)
            })
        stamped.withLock { known in
            if known.count >= Self.stampedMax { known.removeAll() }
            known[relative] = (stamp, file)
        }
        return file
    }

    /// The number of files that change by themselves which are held in memory.
    private static let stampedMax = 2 * ChangesetLimits.releasesMax

    /// True when the server has a valid manifest.
    package var isReady: Bool {
        (try? refresh()) != nil && snapshot.withLock { $0.manifest != nil }
    }

    /// The number of the served release; `nil` without one.
    package var release: Int? {
        try? refresh()
        return snapshot.withLock { $0.release }
    }

    // MARK: The current manifest

    private func isCurrent() -> Bool {
        guard let stamp = ServedFileStamp(path: root + "/" + ContentRoutes.manifest) else {
            return false
        }
        let (isSame, incomplete) = snapshot.withLock { ($0.stamp == stamp, $0.incomplete) }
        guard isSame, let incomplete else { return isSame }
        // A publish writes the compressed manifests after the plain one.
        return incomplete == siblingStamps()
    }

    private func siblingStamps() -> [ServedFileStamp?] {
        ContentCoding.allCases.filter { $0 != .identity }.map {
            ServedFileStamp(path: root + "/" + ContentRoutes.manifest + $0.fileSuffix)
        }
    }

    private func refresh() throws {
        let path = root + "/" + ContentRoutes.manifest
        guard let stamp = ServedFileStamp(path: path) else {
            snapshot.withLock { $0 = Snapshot() }
            return
        }
        if isCurrent() { return }
        let siblings = siblingStamps()
        let bytes = try Self.read(path)
        let manifest: Manifest
        do {
            manifest = try Manifest(bytes)
        } catch {
            throw ServeError(message: "manifest.json cannot be served: \(error)", stamp: stamp)
        }
        var next = Snapshot(stamp: stamp)
        next.release = manifest.release
        next.manifest = serve(
            bytes, path: path, stamp, type: "application/json", isImmutable: false,
            tag: { EntityTag.manifest(Checksum(of: bytes), $0) })
        let isComplete = next.manifest?.representations.count == ContentCoding.allCases.count
        next.incomplete = isComplete ? nil : siblings
        for entry in manifest.entries {
            let name = entry.path.text
            next.files[name] = entry.checksum
            next.types[entry.checksum] = ContentType.of(name)
        }
        snapshot.withLock { $0 = next }
        // Readable names may refer to other bytes now; objects never do.
        cache.withLock { cache in
            for (name, file) in cache.files where !file.isImmutable { cache.remove(name, file) }
        }
    }

    // MARK: Reading

    private func loadObject(
        _ checksum: Checksum, path: String, type: String?, isImmutable: Bool
    ) async throws -> ServedFile? {
        try await loadFile(
            ContentRoutes.object(checksum), name: path,
            type: type ?? "application/octet-stream", isImmutable: isImmutable,
            verifying: checksum)
    }

    private func loadFile(
        _ relative: String, name: String? = nil, type: String, isImmutable: Bool,
        verifying checksum: Checksum?
    ) async throws -> ServedFile? {
        let name = name ?? relative
        if let file = cache.withLock({ $0.files[name] }) { return file }
        let path = root + "/" + relative
        guard let stamp = ServedFileStamp(path: path) else { return nil }
        let isLarge = stamp.size > ServiceLimits.cachedFileBytesMax
        let bytes = isLarge ? [] : try Self.read(path)
        let found =
            isLarge ? try await largeFiles.checksum(of: path, stamp) : Checksum(of: bytes)
        if let checksum, found != checksum {
            throw ServeError(
                message: "\(relative) is damaged. `publish --verify` repairs it.", stamp: stamp)
        }
        if isLarge { return try await large(path, stamp, type, isImmutable, found) }
        let file = serve(
            bytes, path: path, stamp, type: type, isImmutable: isImmutable,
            tag: { EntityTag.file(found, $0) })
        cache.withLock { $0.insert(name, file, limit: ServiceLimits.cacheBytesMax) }
        return file
    }

    /// Returns a file that is streamed from the disk, with its valid compressed forms.
    private func large(
        _ path: String, _ stamp: ServedFileStamp, _ type: String, _ isImmutable: Bool,
        _ checksum: Checksum
    ) async throws -> ServedFile {
        func representation(_ coding: ContentCoding, size: Int) -> ServedFile.Representation {
            .init(
                coding: coding, entityTag: EntityTag.file(checksum, coding), size: size,
                body: nil, path: path + coding.fileSuffix)
        }
        var representations: [ServedFile.Representation] = []
        for coding in ContentCoding.allCases where coding != .identity {
            let name = path + coding.fileSuffix
            guard let found = ServedFileStamp(path: name),
                max(found.size, stamp.size) <= LargeFiles.comparedBytesMax
            else { continue }
            let packed = PackedFile(
                coding: coding, path: name, stamp: found, plain: path, checksum: checksum)
            if try await largeFiles.isIntact(packed) {
                representations.append(representation(coding, size: found.size))
            } else {
                noteLeftOut(name, found, beside: path, stamp)
            }
        }
        representations.append(representation(.identity, size: stamp.size))
        return ServedFile(
            contentType: type, isImmutable: isImmutable, representations: representations)
    }

    /// Logs a damaged compressed form, unless a publish is replacing files at this moment: the
    /// plain file may be a newer one by then.
    private func noteLeftOut(
        _ sibling: String, _ siblingStamp: ServedFileStamp, beside path: String,
        _ stamp: ServedFileStamp
    ) {
        guard ServedFileStamp(path: path) == stamp, ServedFileStamp(path: sibling) == siblingStamp
        else {
            return
        }
        refusals.noteLeftOut(String(sibling.dropFirst(root.count + 1)), siblingStamp)
    }

    private func serve(
        _ bytes: [UInt8], path: String, _ stamp: ServedFileStamp, type: String, isImmutable: Bool,
        tag: (ContentCoding) -> String
    ) -> ServedFile {
        let representations = ContentCoding.allCases.compactMap { coding in
            let body = coding == .identity ? bytes : packed(coding, of: bytes, path: path, stamp)
            return body.map {
                ServedFile.Representation(
                    coding: coding, entityTag: tag(coding), size: $0.count,
                    body: ByteBuffer(bytes: $0), path: path + coding.fileSuffix)
            }
        }
        return ServedFile(
            contentType: type, isImmutable: isImmutable, representations: representations)
    }

    /// Returns a compressed form as published; `nil` when it cannot be read or decompresses to
    /// other bytes than the plain file.
    private func packed(
        _ coding: ContentCoding, of plain: [UInt8], path: String, _ stamp: ServedFileStamp
    ) -> [UInt8]? {
        let sibling = path + coding.fileSuffix
        guard let siblingStamp = ServedFileStamp(path: sibling) else { return nil }
        if let packed = try? Self.read(sibling),
            underway_packed_holds(
                coding == .brotli ? 1 : 0, packed, packed.count, plain, plain.count) != 0
        {
            return packed
        }
        noteLeftOut(sibling, siblingStamp, beside: path, stamp)
        return nil
    }

    private static func read(_ path: String) throws -> [UInt8] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ServeError(message: "\(path) cannot be read.", stamp: ServedFileStamp(path: path))
        }
        return [UInt8](data)
    }
}

/// An error for a file that is part of the release but cannot be served.
struct ServeError: Error {
    /// The details, for the log only.
    var message: String
    /// The stamp of the file, if it could be read.
    var stamp: ServedFileStamp?
}

extension ReleaseFiles.Cache {
    fileprivate mutating func insert(_ name: String, _ file: ServedFile, limit: Int) {
        guard files.updateValue(file, forKey: name) == nil else { return }
        order.append(name)
        bytes += file.memoryBytes
        while bytes > limit, let oldest = order.first {
            if let file = files[oldest] { remove(oldest, file) }
        }
    }

    fileprivate mutating func remove(_ name: String, _ file: ServedFile) {
        files[name] = nil
        order.removeAll { $0 == name }
        bytes -= file.memoryBytes
    }
}
