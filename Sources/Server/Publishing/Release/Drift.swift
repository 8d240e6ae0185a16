import ContentModel

/// A served file that is no longer what was published.
struct DriftedFile: Hashable, Sendable {
    /// The path in the release directory.
    var path: String
    /// The bytes that stand there now.
    var checksum: Checksum
    /// The unit that owns the path; `nil` for the manifest.
    var unit: String?
}

/// Looks for served files that were edited by hand.
struct DriftScan {
    let directory: ReleaseDirectory
    /// True to read every file, false to trust size, time and inode.
    let readsAll: Bool

    /// What was edited.
    var edited: [DriftedFile] = []
    /// Readable names that are gone, or whose compressed siblings are; a publish puts them back.
    var missing: [String] = []

    init(directory: ReleaseDirectory, readsAll: Bool) {
        self.directory = directory
        self.readsAll = readsAll
    }

    /// Compares all served files with the index and refreshes the stamps in it.
    mutating func run(_ index: inout ReleaseIndex) throws {
        let units = index.units
        for (key, unit) in units {
            for (position, file) in unit.files.enumerated() {
                let stamp = Files.look(directory.path(file.path))?.stamp
                if let stamp, stamp == file.stamp, !readsAll { continue }
                index.units[key]?.files[position].stamp = try examine(file, stamp, unit: key)
            }
        }
        edited.sort { $0.path < $1.path }
    }

    /// Looks closely at a file whose stamp is not the expected one.
    ///
    /// - Returns: The stamp when the file is as published.
    private mutating func examine(
        _ file: IndexedFile, _ stamp: FileStamp?, unit: String
    ) throws -> FileStamp? {
        guard let stamp else {
            missing.append(file.path)
            return nil
        }
        let found = Checksum(of: try Files.read(directory.path(file.path)))
        if found == file.checksum {
            if directory.siblingsAgree(file.path, file.checksum) { return stamp }
            missing.append(file.path)
            return nil
        }
        if try directory.isIntact(found) {
            // Another version that was published: a publish was interrupted after this name.
            missing.append(file.path)
            return nil
        }
        edited.append(DriftedFile(path: file.path, checksum: found, unit: unit))
        return nil
    }
}
