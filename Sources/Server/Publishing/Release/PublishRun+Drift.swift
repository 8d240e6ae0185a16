import ContentModel
import ServiceAPI

extension PublishRun {
    /// Decides what becomes of edits of served files; the objects are right after it, whatever it is.
    mutating func settleDrift() throws {
        guard !drift.edited.isEmpty else { return }
        let damaged = try damagedObjects()
        summary.damagedObjects = damaged.map(\.path)
        let lost = try restoreObjects(of: damaged)
        switch publisher.driftPolicy {
        case .refuse: throw refusal(damaged: damaged, lost: lost)
        case .adopt: try adopt()
        case .overwrite: break
        }
        differs = differs || manifestIsForeign
    }

    private func refusal(damaged: [IndexedFile], lost: [IndexedFile]) -> PublishingError {
        let names = drift.edited.map { "  " + $0.path }.joined(separator: "\n")
        var text =
            "These served files were edited by hand since they were published:\n\(names)\n"
            + "`--adopt` brings the edits back into the content folder,"
            + " `--overwrite` discards them."
        if !damaged.isEmpty {
            text +=
                " \(damaged.count) of them were edited in place, which changed the objects that devices"
                + " read; the objects are as published again."
        }
        if !lost.isEmpty {
            text +=
                " But \(lost.map(\.path).sorted().joined(separator: ", ")) can only be made right by"
                + " one of the two: its source is another one by now."
        }
        return PublishingError(.drift, text)
    }

    private mutating func adopt() throws {
        let adoption = Adoption(root: folder.root, directory: directory)
        for file in drift.edited {
            guard file.unit != nil else {
                throw PublishingError(
                    .drift,
                    "\(file.path) was edited by hand and cannot be adopted, because it is made"
                        + " from everything else. `--overwrite` makes it anew.")
            }
            let unit = folder.units.first { $0.key == file.unit }
            summary.adopted.append(try adoption.adopt(file, unit: unit))
        }
        folder = try ContentFolder(root: folder.root)
    }

    // MARK: Objects that were edited in place

    /// The published files whose objects are damaged: a readable name is another name of its object, so
    /// an editor that writes in place changes both.
    func damagedObjects() throws -> [IndexedFile] {
        try drift.edited.compactMap { file in
            guard let key = file.unit,
                let known = index.units[key]?.files.first(where: { $0.path == file.path }),
                try !directory.isIntact(known.checksum)
            else { return nil }
            return known
        }
    }

    /// Makes objects right again as new files: the edited file stays under its readable name.
    ///
    /// - Returns: Those whose bytes exist nowhere any more; their objects are removed, because a wrong
    ///   one would be cached for ever.
    private mutating func restoreObjects(of damaged: [IndexedFile]) throws -> [IndexedFile] {
        var lost: [IndexedFile] = []
        for file in damaged {
            if let bytes = try publishedBytes(of: file) {
                try directory.replaceObject(file.checksum, bytes)
            } else {
                Files.remove(directory.path(ContentRoutes.object(file.checksum)))
                lost.append(file)
                for (key, unit) in index.units
                where unit.files.contains(where: { $0.checksum == file.checksum }) {
                    index.units[key]?.sources = []
                }
            }
        }
        return lost
    }

    /// The bytes that were published, from the compressed sibling of the object or from the sources.
    private func publishedBytes(of file: IndexedFile) throws -> [UInt8]? {
        let sibling = directory.path("\(ContentRoutes.object(file.checksum)).gz")
        // A sibling that is missing or damaged is no source.
        if let packed = try? Files.read(sibling),
            let bytes = try? Gzip.unpacked(packed, bytesMax: file.size),
            Checksum(of: bytes) == file.checksum
        {
            return bytes
        }
        let key = index.units.first { $0.value.files.contains { $0.path == file.path } }?.key
        guard let unit = folder.units.first(where: { $0.key == key }) else { return nil }
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let settings = try folder.settings(report: report) ?? .fallback
        // Sources that cannot be built now are no source either.
        let built = try? UnitBuilder(root: folder.root, settings: settings).build(unit)
        guard let found = built?.files.first(where: { $0.checksum == file.checksum }) else {
            return nil
        }
        let bytes = try Self.bytes(of: found, root: folder.root)
        return Checksum(of: bytes) == file.checksum ? bytes : nil
    }
}
