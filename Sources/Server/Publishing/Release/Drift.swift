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

    /// The served files that were edited by hand.
    var edited: [DriftedFile] = []
    /// Readable names that are gone, or whose compressed siblings are; a publish puts them back.
    var missing: [String] = []
    /// Files as published whose objects are gone or were replaced; a publish makes them right.
    var damaged: [IndexedFile] = []
    /// Files under readable names that no unit owns, or compressed forms of such; sorted.
    private(set) var unowned: [String] = []
    /// The checksums that a killed publish may have left under readable names.
    private let previous: [String: Checksum]
    private let published: Int?

    init(
        directory: ReleaseDirectory, readsAll: Bool, previous: [String: Checksum] = [:],
        published: Int? = nil
    ) {
        self.published = published
        self.directory = directory
        self.readsAll = readsAll
        self.previous = previous
    }

    /// Compares all served files with the index and refreshes the stamps in it.
    mutating func run(_ index: inout ReleaseIndex) throws {
        try compareNames(&index)
        edited.sort { $0.path < $1.path }
        guard !directory.isForDevelopment else { return }
        let since = readsAll || index.hasStrayFiles ? nil : published
        var names = StrayFiles(directory: directory, units: index.units)
        let found = try names.find(since: since)
        unowned = found.files
        index.hasStrayFiles = !unowned.isEmpty || found.hasFolders
    }

    private mutating func compareNames(_ index: inout ReleaseIndex) throws {
        let units = index.units
        guard units.count > 0 else { return }
        let root = try OpenFolder(directory.root)
        var folders = ObjectFolders(directory: directory)
        for var unit in try suspects(among: units, below: root, &folders) {
            for (position, file) in unit.files.enumerated() {
                let look = Files.look(file.path, below: root)
                let found = look?.kind == .file ? look : nil
                if let found, found.stamp == file.stamp, !readsAll,
                    try folders.objectIsRight(file.checksum.hex.utf8, as: found)
                {
                    continue
                }
                unit.files[position].stamp = try examine(file, found?.stamp, unit: unit.key)
            }
            index.units[unit.recordKey] = unit
        }
    }

    /// Returns the units with a file that is not as it was published; all that the index does not store, too.
    private func suspects(
        among units: RecordTable<IndexedUnit>, below root: OpenFolder,
        _ folders: inout ObjectFolders
    ) throws -> [IndexedUnit] {
        guard !readsAll else { return Array(units) }
        var suspects = Array(units.changed.values)
        for position in units.storedPositions {
            var isRight = true
            try units.forEachFile(at: position) { file in
                guard isRight, let look = Files.look(file.path, below: root), look.kind == .file,
                    look.stamp == file.stamp,
                    try folders.objectIsRight(file.checksum.bytes, as: look)
                else { return isRight = false }
            }
            if !isRight, let unit = units.value(at: position) { suspects.append(unit) }
        }
        return suspects
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
            guard try directory.objectIsRight(file.checksum, as: stamp) else {
                damaged.append(file)
                missing.append(file.path)
                return nil
            }
            if directory.siblingsAgree(file.path, file.checksum) { return stamp }
            missing.append(file.path)
            return nil
        }
        // Another version that was published: a publish was interrupted before this name. An edit in
        // place is none, also one with the bytes of another file: it changed the object too.
        let isKnown =
            try EarlierNames(directory, previous: previous).holds(file.path)
            || directory.isIntact(found)
        if try isKnown && directory.isIntact(file.checksum) {
            missing.append(file.path)
            return nil
        }
        edited.append(DriftedFile(path: file.path, checksum: found, unit: unit))
        return nil
    }
}

/// The check of the objects of unchanged readable names, by one look for each folder of objects.
///
/// A readable name is a hard link to its object. Removing, replacing or editing the object changes the file's time, and
/// with it the stamp of the readable name. (POSIX: `unlink` and `rename` mark the last change of status of a file with
/// other names.) Only moving a whole folder away leaves no mark in its files.
private struct ObjectFolders {
    let directory: ReleaseDirectory
    /// The folders that were seen to hold their objects, by the two digits of their names.
    private var inPlace: Set<Digits> = []

    private typealias Digits = SIMD2<UInt8>

    init(directory: ReleaseDirectory) { self.directory = directory }

    /// Judges the object, by the digits of its checksum, of a readable name whose stamp is that of its
    /// publish.
    mutating func objectIsRight(
        _ hex: some Collection<UInt8>, as name: Files.Look
    ) throws -> Bool {
        var digits = hex.makeIterator()
        let folder = Digits(digits.next() ?? 0, digits.next() ?? 0)
        // A name that stands alone is a copy: the file system has no links, or no more of them.
        if name.links > 1, inPlace.contains(folder) { return true }
        guard let checksum = Checksum(hex: String(decoding: hex, as: UTF8.self)),
            try directory.objectIsRight(checksum, as: name.stamp)
        else { return false }
        if name.links > 1 { inPlace.insert(folder) }
        return true
    }
}
