import ContentModel
import ServiceAPI

/// The changesets of a release directory: one name for each release from which a device may come.
struct ChangesetFiles: Sendable {
    private static let folder = "changes"

    let directory: ReleaseDirectory

    /// The files to write, and the obsolete ones that do not lead to the newest release.
    struct Change {
        var files: [(path: ReleasePath, bytes: [UInt8])] = []
        var stale: [ReleasePath] = []
    }

    /// Leads from the kept releases, at most ``ChangesetLimits/releasesMax`` back, to a new one.
    ///
    /// - Parameters:
    ///   - manifest: Its manifest.
    ///   - trusted: What a device trusts then.
    ///   - eager: The documents that devices fetch with the release.
    ///   - before: The release of the devices that a rollout leaves out, however old it is.
    /// - Returns: The files, and those that lead nowhere any more.
    /// - Throws: `PublishingError`.
    func leading(
        to manifest: ManifestFile, _ trusted: TrustedMetadata, eager: Set<Checksum>,
        before: Int? = nil
    ) throws -> Change {
        guard let facts = ReleaseFacts(trusted, manifest) else {
            return change([])
        }
        let writer = ChangesetWriter(directory, manifest: manifest.bytes, eager: eager)
        let release = manifest.release
        let bases = directory.keptReleases.filter {
            (release - ChangesetLimits.releasesMax..<release).contains($0) || $0 == before
        }
        @Sendable func changeset(from base: Int) throws -> Changeset? {
            try body(from: base, by: writer).map {
                facts.changeset(from: base, to: release, body: $0)
            }
        }
        // The oldest one first: most of what the others need is made with it.
        let changesets =
            try bases.prefix(1).map(changeset)
            + Array(bases.dropFirst()).concurrentMap { try changeset(from: $0) }
        return change(
            [facts.changeset(from: release, to: release, body: ([], false))]
                + changesets.compactMap(\.self))
    }

    /// Returns the changeset from a retained release; `nil` if that manifest was pruned.
    private func body(
        from base: Int, by writer: ChangesetWriter
    ) throws -> (bytes: [UInt8], isDeflated: Bool)? {
        guard let path = ReleasePath.history(release: base),
            let bytes = try Files.readIfThere(
                directory.path(path), limit: ContentLimits.manifestBytesMax)
        else { return nil }
        return try writer.body(from: bytes)
    }

    /// Lets the changesets that are there carry newer signatures of the same release.
    ///
    /// - Returns: The files, and those that lead nowhere any more.
    /// - Throws: `PublishingError`.
    func refreshed(
        _ manifest: ManifestFile, _ trusted: TrustedMetadata
    ) throws -> Change {
        guard let facts = ReleaseFacts(trusted, manifest) else {
            return change([])
        }
        let release = manifest.release
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

    /// Removes what does not lead to the newest release: a publish that was killed leaves such names.
    ///
    /// - Throws: `PublishingError` `unwritable`.
    func discardStrays(of release: Int) throws {
        for path in present {
            let bytes = try? Files.read(directory.path(path), limit: ChangesetLimits.bytesMax)
            if let changeset = bytes.flatMap({ try? Changeset($0) }), changeset.to == release,
                path.target == .changes(from: changeset.from)
            {
                continue
            }
            try Files.discard(directory.path(path))
        }
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

    /// True where changesets are, which only a signed release has.
    var areThere: Bool { !present.isEmpty }

    private var present: [ReleasePath] {
        ((try? Files.names(in: directory.path(Self.folder))) ?? []).compactMap { name in
            guard let path = ReleasePath("\(Self.folder)/\(name)"), path.packing == nil else {
                return nil
            }
            return path
        }
    }
}
