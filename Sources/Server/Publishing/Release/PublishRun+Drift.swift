import ContentModel
import ServiceAPI

extension PublishRun {
    /// Makes objects right that were edited, then does about the edits what is decided; a look changes nothing.
    ///
    /// - Returns: The decision.
    /// - Throws: `PublishingError` `drift` when they are refused or cannot be adopted.
    mutating func settleDrift(_ request: PublishRequest) throws -> DriftDecision {
        guard request.action != .look else {
            return DriftDecision(drift.edited, policy: publisher.driftPolicy)
        }
        _ = try restoreObjects(of: drift.damaged)
        let damaged = try damagedObjects()
        content.summary.damagedObjects = damaged.map(\.path)
        let decision = DriftDecision(
            drift.edited, damaged: damaged, lost: try restoreObjects(of: damaged),
            policy: publisher.driftPolicy)
        switch decision.action {
        case .none, .overwrite: break
        case .refuse(let error): throw error
        case .adopt(let files): try adopt(files)
        }
        content.differs = content.differs || decision.replacesManifest
        return decision
    }

    /// Writes edits into their sources, unless the content has errors anyway: a publish that fails changes no source.
    private mutating func adopt(_ files: [DriftedFile]) throws {
        var trial = self
        try trial.build(writes: false, generatedAt: "")
        let adoption = Adoption(root: folder.root, directory: directory)
        for file in files { try checkPublishedSource(of: file) }
        for file in files {
            let unit = file.unit.flatMap { folder.unit($0) }
            content.summary.adopted.append(try adoption.adopt(file, unit: unit))
        }
        folder = try ContentFolder(root: folder.root)
    }

    /// Checks that copying an edit back into its source loses no other edit.
    ///
    /// - Throws: `PublishingError` `drift` when the sources give another file than was published.
    private func checkPublishedSource(of file: DriftedFile) throws {
        guard let unit = file.unit.flatMap({ folder.unit($0) }),
            let known = content.index.units[unit.key], known.sources != unit.sources,
            let published = known.files.first(where: { $0.path == file.path })
        else { return }
        // Sources that cannot be built now are not those that were published.
        let built = try? builder().build(unit).files.first { $0.path == file.path }
        guard built?.checksum != published.checksum else { return }
        throw PublishingError(
            .drift,
            "The edit of \(file.path) cannot be adopted: its source in"
                + " \(unit.sources[0].path.split(separator: "/").dropLast().joined(separator: "/"))"
                + " has changed too since the last publish, and would be overwritten."
                + " Combine the two by hand; then discard the edit with `--overwrite`.")
    }

    private func builder() throws -> UnitBuilder {
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        return UnitBuilder(
            root: folder.root, settings: try folder.settings(report: report) ?? .fallback)
    }

    // MARK: Objects that were edited in place

    /// Returns the published files whose objects are damaged: a readable name is another name of its object, so an
    /// editor that writes in place changes both.
    func damagedObjects() throws -> [IndexedFile] {
        try drift.edited.compactMap { file in
            guard let key = file.unit,
                let known = content.index.units[key]?.files.first(where: { $0.path == file.path }),
                try !directory.isIntact(known.checksum)
            else { return nil }
            return known
        }
    }

    /// Makes objects right again as new files: the edited file stays under its readable name.
    ///
    /// - Returns: Those whose bytes exist nowhere any more; their objects are removed, because a wrong
    ///   one would be cached for ever.
    mutating func restoreObjects(of damaged: [IndexedFile]) throws -> [IndexedFile] {
        var lost: [IndexedFile] = []
        var restored: Set<Checksum> = []
        for file in damaged where try !directory.isIntact(file.checksum) {
            if let bytes = try publishedBytes(of: file) {
                try directory.replaceObject(file.checksum, bytes)
                restored.insert(file.checksum)
            } else {
                try Files.discard(directory.path(.object(file.checksum)))
                lost.append(file)
                for unit in Array(content.index.units)
                where unit.files.contains(where: { $0.checksum == file.checksum }) {
                    content.index.units[unit.recordKey]?.sources = []
                }
            }
        }
        _ = try mendSiblings(of: restored)
        return lost
    }

    /// Returns the bytes that were published, from the readable name, from the compressed sibling of the object or from
    /// the sources.
    private func publishedBytes(of file: IndexedFile) throws -> [UInt8]? {
        if directory.fileStamp(file.path) != nil,
            // A name that cannot be read is no source.
            let bytes = try? Files.read(directory.path(file.path)),
            Checksum(of: bytes) == file.checksum
        {
            return bytes
        }
        let sibling = directory.path(ReleasePath.object(file.checksum).packed(.gzip))
        // A sibling that is missing or damaged is no source.
        if let packed = try? Files.read(sibling),
            let bytes = try? Gzip.unpacked(packed, bytesMax: file.size),
            Checksum(of: bytes) == file.checksum
        {
            return bytes
        }
        let key = content.index.units.first { $0.files.contains { $0.path == file.path } }?.key
        guard let unit = key.flatMap({ folder.unit($0) }) else { return nil }
        // Sources that cannot be built now are no source either.
        let built = try? builder().build(unit)
        guard let found = built?.files.first(where: { $0.checksum == file.checksum }) else {
            return nil
        }
        let bytes = try Self.bytes(of: found, root: folder.root)
        return Checksum(of: bytes) == file.checksum ? bytes : nil
    }
}
