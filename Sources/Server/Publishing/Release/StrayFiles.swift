import ContentModel

/// The names in a release directory that look like those of a release and that the current one does not have; a backup,
/// or a host that deletes nothing, restores removed names.
struct StrayFiles {
    let directory: ReleaseDirectory
    private let units: RecordTable<IndexedUnit>
    /// The paths of the current release, collected only when one is asked for.
    private lazy var owned = units.paths

    init(directory: ReleaseDirectory, units: RecordTable<IndexedUnit>) {
        self.directory = directory
        self.units = units
    }

    /// The result of a search.
    struct Found {
        var files: [String] = []
        /// True when there are folders that the release does not have, empty ones too: a file that comes
        /// into one later changes none that the release has.
        var hasFolders = false
    }

    /// The folders of readable names; other files that an operator puts beside them are left alone.
    private static let folders = ManifestEntry.Kind.allCases.map(\.folder).filter { !$0.isEmpty }

    /// Finds the files that stand under such names, compressed forms too, sorted.
    ///
    /// Links are named, not followed.
    /// - Parameter since: A moment in nanoseconds since 1970 at which there was nothing. Only folders that
    ///   changed after it are listed: by the time that the kernel sets, because programs that copy put the
    ///   other one back.
    /// - Returns: The paths below the release directory.
    /// - Throws: `PublishingError` `unreadable` when a folder cannot be listed.
    mutating func find(since: Int? = nil) throws -> Found {
        var found = Found()
        let expected = expectedFolders
        for folder in expected {
            guard let look = Files.look(directory.path(folder)) else { continue }
            guard look.kind == .folder else {
                found.files.append(folder)
                continue
            }
            if let since, look.stamp.latest < since { continue }
            try find(in: folder, expected, &found)
        }
        for name in ReleasePath.announcements.withSiblings.map(\.text)
        where Files.look(directory.path(name)) != nil && !isOwned(name) {
            found.files.append(name)
        }
        found.files.sort()
        return found
    }

    /// The folders of readable names, and those above what the current release publishes.
    private var expectedFolders: Set<String> {
        units.folders.union(Self.folders)
    }

    /// Returns all folders above some names.
    static func folders(above names: some Sequence<String>) -> Set<String> {
        var folders: Set<String> = []
        for path in names {
            var rest = Substring(path)
            while let slash = rest.utf8.lastIndex(of: UInt8(ascii: "/")) {
                rest = rest[..<slash]
                guard folders.insert(String(rest)).inserted else { break }
            }
        }
        return folders
    }

    /// Lists a folder and those in it that the current release does not have.
    private mutating func find(
        in folder: String, _ expected: Set<String>, _ found: inout Found
    ) throws {
        for name in try Files.names(in: directory.path(folder)) {
            let path = folder + "/" + name
            guard !isOwned(path), !expected.contains(path) else { continue }
            if Files.look(directory.path(path))?.kind == .folder {
                found.hasFolders = true
                try find(in: path, expected, &found)
            } else {
                found.files.append(path)
            }
        }
    }

    /// Returns true for what the release publishes, and for its compressed forms.
    mutating func isOwned(_ path: String) -> Bool {
        owned.contains(path)
            || ContentEncoding.split(path).map { owned.contains($0.plain) } == true
    }
}

extension ReleasePath {
    /// The path and those of its compressed forms.
    var withSiblings: [ReleasePath] { [self] + ContentEncoding.allCases.map { packed($0) } }

    /// The folder that the file lies in; empty at the top.
    var folder: String {
        let text = text
        return text.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(text[..<$0]) } ?? ""
    }
}

/// The checksums that earlier releases published under readable names.
struct EarlierNames {
    let directory: ReleaseDirectory
    /// The checksums that a name had, by path.
    private(set) var published: [String: Set<Checksum>]

    /// Starts with what a killed publish was to replace.
    init(_ directory: ReleaseDirectory, previous: [String: Checksum]) {
        self.directory = directory
        published = previous.mapValues { [$0] }
    }

    /// Adds what the kept manifests name.
    mutating func addKeptReleases() {
        for release in directory.keptReleases {
            // What cannot be read proves nothing: a file is then left where it is.
            guard let manifest = try? directory.manifest(release: release) else { continue }
            for entry in manifest.entries {
                published[entry.path.text, default: []].insert(entry.checksum)
            }
        }
    }

    /// Returns true when a file has exactly the bytes that were published under its name, or is a compressed form of
    /// such bytes.
    func holds(_ path: String) -> Bool {
        guard directory.fileStamp(path) != nil, isNamed(path),
            // What cannot be read is not known to be ours.
            let bytes = try? Files.read(directory.path(path))
        else { return false }
        if published[path]?.contains(Checksum(of: bytes)) == true { return true }
        guard let (plain, encoding) = ContentEncoding.split(path) else { return false }
        return published[plain]?.contains { checksum in
            plainBytes(plain, checksum).map { encoding.holds(bytes, $0) } == true
        } == true
    }

    /// Returns true when a release had the name, or that of which it is a compressed form.
    private func isNamed(_ path: String) -> Bool {
        published[path] != nil
            || ContentEncoding.split(path).map { published[$0.plain] != nil } == true
    }

    /// Returns the published bytes, from the object or from the readable name.
    private func plainBytes(_ readable: String, _ checksum: Checksum) -> [UInt8]? {
        if let bytes = try? directory.object(checksum) { return bytes }
        let bytes = try? Files.read(directory.path(readable))
        return bytes.flatMap { Checksum(of: $0) == checksum ? $0 : nil }
    }
}

extension PublishRun {
    /// The files under names that no unit owns: files of earlier releases, which are removed, and unknown files, which
    /// are reported and stay.
    var strayFiles: (revived: [String], unowned: [String]) {
        var names = StrayFiles(directory: directory, units: content.index.units)
        let unowned = drift.unowned.filter { !names.isOwned($0) }
        guard !unowned.isEmpty else { return ([], []) }
        var earlier = EarlierNames(directory, previous: baseline.state.previous)
        earlier.addKeptReleases()
        return (unowned.filter { earlier.holds($0) }, unowned.filter { !earlier.holds($0) })
    }
}
