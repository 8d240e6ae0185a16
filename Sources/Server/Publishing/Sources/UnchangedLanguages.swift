/// Compares the folders of languages with what an index says of them, without making values of either.
///
/// A language is unchanged when all of its folders have the stamps with which they were listed, and when
/// they hold exactly the sources of its units, with their stamps. All else is looked at closely.
struct UnchangedLanguages {
    private let root: OpenFolder
    private let listings: RecordTable<FolderListing>
    private let units: RecordTable<IndexedUnit>
    /// The positions at which a walk in the order of the names expects the next records.
    private var nextListing = 0
    private var nextUnit = 0

    /// - Returns: `nil` for an index that knows no units as they were stored.
    init?(root: OpenFolder, known: ReleaseIndex?) {
        guard let known, known.units.isAsStored, known.listings.isAsStored else { return nil }
        self.root = root
        listings = known.listings
        units = known.units
    }

    /// The records of an unchanged language.
    struct Known {
        /// The positions of its units in the table.
        var units: Range<Int>
        /// The positions of the listings of its folders.
        var listings: [Int]
    }

    /// Returns what is known of the language in a folder below `languages`, unless it changed.
    mutating func find(_ name: String) -> Known? {
        guard let range = units(of: name) else { return nil }
        nextUnit = range.upperBound
        var sources = SourceWalk(units: units, range: range)
        var found: [Int] = []
        let folder = Array("languages/\(name)".utf8)
        guard isUnchanged(folder, &sources, &found), sources.isAtEnd else { return nil }
        return Known(units: range, listings: found)
    }

    private func units(of name: String) -> Range<Int>? {
        let first = IndexedUnit.firstBytes(.blueprints, name)
        let start = units.firstPosition(from: first, hint: nextUnit)
        var end = start
        while end < units.storedCount, units.withStored(end, { key, _ in key.begins(with: first) })
        {
            end += 1
        }
        return start < end ? start..<end : nil
    }

    private mutating func isUnchanged(
        _ folder: [UInt8], _ sources: inout SourceWalk, _ found: inout [Int]
    ) -> Bool {
        guard let position = listings.position(of: folder, hint: nextListing) else { return false }
        nextListing = position + 1
        found.append(position)
        guard let names = unchangedNames(position) else { return false }
        for name in names {
            let path = folder + [UInt8(ascii: "/")] + name
            if let stamp = sources.next(path) {
                guard isFile(path, stamp) else { return false }
            } else if !isUnchanged(path, &sources, &found) {
                return false
            }
        }
        return true
    }

    /// Returns the names in a folder, unless it changed since it was listed.
    private func unchangedNames(_ position: Int) -> [[UInt8]]? {
        listings.withStored(position) { key, reader -> [[UInt8]]? in
            guard let look = Files.look(key, below: root), look.kind == .folder,
                let stamp = try? reader.stamp(), look.stamp == stamp,
                let count = try? reader.count()
            else { return nil }
            return (0..<count).compactMap { _ in
                (try? reader.rawText()).map { Array($0.bytes) }
            }
        }
    }

    private func isFile(_ path: [UInt8], _ stamp: FileStamp) -> Bool {
        (path + [0]).withUnsafeBytes { bytes in
            let text = StoredText(bytes: UnsafeRawBufferPointer(rebasing: bytes.dropLast()))
            return Files.look(text, below: root).map { $0.kind == .file && $0.stamp == stamp }
                ?? false
        }
    }
}

/// A walk over the sources of some stored units, in the order in which a scan comes by them.
private struct SourceWalk {
    private var sources: [(path: [UInt8], stamp: FileStamp)] = []
    private var position = 0
    private var isWhole = true

    init(units: RecordTable<IndexedUnit>, range: Range<Int>) {
        for unit in range {
            units.withStored(unit) { key, reader in
                guard let files = try? StoredUnit(key: key, from: &reader).fileCount else { return }
                for _ in 0..<files { _ = try? StoredFile(from: &reader) }
                let count = (try? reader.count()) ?? 0
                // A unit without sources is to be built again.
                if count == 0 { isWhole = false }
                for _ in 0..<count {
                    guard let stamp = try? reader.stamp(), let path = try? reader.rawText() else {
                        return
                    }
                    sources.append((Array(path.bytes), stamp))
                }
            }
        }
    }

    /// True when each source was met.
    var isAtEnd: Bool { isWhole && position == sources.count }

    /// Returns the stamp of the next source if it is at a path.
    mutating func next(_ path: [UInt8]) -> FileStamp? {
        guard position < sources.count, sources[position].path == path else { return nil }
        position += 1
        return sources[position - 1].stamp
    }
}
