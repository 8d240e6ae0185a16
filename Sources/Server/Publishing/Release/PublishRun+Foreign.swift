import ContentModel

/// Files of others in the place of names of this release.
extension PublishRun {
    /// Refuses links in the place of the folders of readable names: nothing is written or removed behind
    /// them.
    ///
    /// - Throws: `PublishingError` `invalidRequest`.
    func checkNoLinks() throws {
        let folders = content.index.units.folders.union(
            StrayFiles.folders(above: content.summary.removed))
        try ReleasePlace(directory: directory, content: publisher.folder)
            .checkNoLinks(folders.sorted())
    }

    /// Returns the files of others under names that the last release does not have and this one has, compressed forms
    /// too; sorted.
    ///
    /// Files with bytes that were published are none: a killed publish or a backup left them.
    func foreignNames() throws -> [String] {
        guard !directory.isForDevelopment else { return [] }
        // A path belongs to one unit: what its unit had before is no name of others.
        let unlinked = content.index.units.unlinked.flatMap { unit in
            let known = (baseline.loaded.units[unit.recordKey]?.files ?? []).map {
                Array($0.path.utf8)
            }
            return unit.files.filter {
                $0.stamp == nil && !known.contains(Array($0.path.utf8))
            }
        }
        guard !unlinked.isEmpty else { return [] }
        // By bytes: a name in another normalisation is another name in the file system.
        let known = Set(baseline.loaded.units.paths.map { Array($0.utf8) })
        var earlier: EarlierNames?
        var found: [String] = []
        for file in unlinked where !known.contains(Array(file.path.utf8)) {
            // A first publish that was killed leaves siblings without the name that they belong to.
            let names =
                baseline.loaded.release == 0
                ? [file.path] : ReleasePath(file.path)?.withSiblings.map(\.text) ?? []
            for name in names {
                guard let look = Files.look(directory.path(name)), look.kind != .folder,
                    !known.contains(Array(name.utf8)), !known.contains(plain(name))
                else { continue }
                if earlier == nil {
                    earlier = EarlierNames(directory, previous: baseline.state.previous)
                    earlier?.addKeptReleases()
                }
                if look.kind == .file, earlier?.holds(name) == true { continue }
                if look.kind == .file, try isPublished(name, file) { continue }
                found.append(name)
            }
        }
        return found.sorted()
    }

    private func plain(_ name: String) -> [UInt8] {
        Array((ContentEncoding.split(name)?.plain ?? "").utf8)
    }

    /// Returns true when a file has the bytes of an object, or is a compressed form of what is to be published.
    private func isPublished(_ name: String, _ file: IndexedFile) throws -> Bool {
        let bytes = try Files.read(directory.path(name))
        if name == file.path {
            let checksum = Checksum(of: bytes)
            return try checksum == file.checksum || directory.isIntact(checksum)
        }
        // Before it is published, what is to be published may stand under its name already.
        let standing = try? Files.read(directory.path(file.path))
        guard let encoding = ContentEncoding.split(name)?.packing,
            let plain = (try? directory.object(file.checksum))
                ?? standing.flatMap({ Checksum(of: $0) == file.checksum ? $0 : nil })
        else { return false }
        return encoding.holds(bytes, plain)
    }
}
