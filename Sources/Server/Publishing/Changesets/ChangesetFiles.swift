import ContentModel
import Dispatch
import ServiceAPI
import Synchronization

/// The changesets of a release directory: one name for each release from which a device may come.
struct ChangesetFiles: Sendable {
    private static let folder = "changes"

    let directory: ReleaseDirectory

    /// What is to be written, and what no longer leads to the newest release.
    struct Change {
        var files: [(path: ReleasePath, bytes: [UInt8])] = []
        var stale: [ReleasePath] = []
    }

    /// Leads from the kept releases, at most ``ChangesetLimits/releasesMax`` back, to a new one.
    ///
    /// - Parameters:
    ///   - manifest: Its manifest.
    ///   - release: Its number.
    ///   - trusted: What a device trusts then.
    ///   - eager: The documents that devices fetch with the release.
    ///   - before: The release of the devices that a rollout leaves out, however old it is.
    /// - Returns: The files, and those that lead nowhere any more.
    /// - Throws: `PublishingError`.
    func leading(
        to manifest: [UInt8], _ release: Int, _ trusted: TrustedMetadata, eager: Set<Checksum>,
        before: Int? = nil
    ) throws -> Change {
        guard let facts = ReleaseFacts(trusted, manifest: manifest, release: release) else {
            return change([])
        }
        let writer = ChangesetWriter(directory, manifest: manifest, eager: eager)
        let bases = directory.keptReleases.filter {
            (release - ChangesetLimits.releasesMax..<release).contains($0) || $0 == before
        }
        let results = Mutex<[Result<Changeset?, any Error>?]>(
            .init(repeating: nil, count: bases.count))
        DispatchQueue.concurrentPerform(iterations: bases.count) { index in
            let result = Result {
                try body(from: bases[index], by: writer).map {
                    facts.changeset(from: bases[index], to: release, body: $0)
                }
            }
            results.withLock { $0[index] = result }
        }
        let changesets = try results.withLock { $0 }.compactMap { try $0?.get() }
        return change(
            [facts.changeset(from: release, to: release, body: ([], false))] + changesets)
    }

    /// The body that leads on from a kept release; `nil` from one that cannot be read, which is no base.
    private func body(
        from base: Int, by writer: ChangesetWriter
    ) throws -> (bytes: [UInt8], isDeflated: Bool)? {
        guard let path = ReleasePath.history(release: base),
            let bytes = try? Files.read(
                directory.path(path), limit: ContentLimits.manifestBytesMax)
        else { return nil }
        return try writer.body(from: bytes)
    }

    /// Lets the changesets that are there carry newer signatures of the same release.
    ///
    /// - Returns: The files, and those that lead nowhere any more.
    /// - Throws: `PublishingError`.
    func refreshed(
        _ manifest: [UInt8], _ release: Int, _ trusted: TrustedMetadata
    ) throws -> Change {
        guard let facts = ReleaseFacts(trusted, manifest: manifest, release: release) else {
            return change([])
        }
        var changesets = [facts.changeset(from: release, to: release, body: ([], false))]
        for path in present {
            guard
                let bytes = try? Files.read(
                    directory.path(path), limit: ChangesetLimits.bytesMax),
                // One that is damaged, or leads elsewhere, is removed.
                let former = try? Changeset(bytes), former.to == release, former.from < release,
                case .changes(former.from) = path.target
            else { continue }
            changesets.append(
                facts.changeset(
                    from: former.from, to: release, body: (former.body, former.isDeflated)))
        }
        return change(changesets)
    }

    private func change(_ changesets: [Changeset]) -> Change {
        var change = Change()
        for changeset in changesets {
            let bytes = changeset.bytes
            guard bytes.count <= ChangesetLimits.bytesMax,
                let path = ReleasePath.changes(from: changeset.from)
            else { continue }
            change.files.append((path, bytes))
        }
        let kept = Set(change.files.map(\.path))
        change.stale = present.filter { !kept.contains($0) }
        return change
    }

    /// The highest version of a timestamp that a changeset carries; `nil` without changesets.
    ///
    /// They are in place before their timestamp is: a device may trust it although the publish was killed in between.
    var timestampVersion: Int? {
        present.compactMap { path in
            let bytes = try? Files.read(directory.path(path), limit: ChangesetLimits.bytesMax)
            return bytes.flatMap { try? Changeset($0) }?.facts[.timestamp]?.version
        }.max()
    }

    private var present: [ReleasePath] {
        ((try? Files.names(in: directory.path(Self.folder))) ?? []).compactMap { name in
            guard let path = ReleasePath("\(Self.folder)/\(name)"), path.packing == nil else {
                return nil
            }
            return path
        }
    }
}
