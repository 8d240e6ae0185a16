import ContentModel

/// A unit as it was last built.
struct IndexedUnit: Sendable, Equatable {
    var step: PublishStep
    var name: String
    /// Empty when the unit must be built again.
    var sources: [SourceFile] = []
    /// Its part of the manifest, as canonical JSON without `contentUpdatedAt`.
    var fragment: [UInt8]
    /// The time of an exam's last change, in RFC 3339.
    var updatedAt: String?
    /// The warnings about its sources, and about versions of the app that lack something of it.
    var problems: [Problem] = []
    var files: [IndexedFile]

    var key: String { Self.key(step, name) }

    static func key(_ step: PublishStep, _ name: String) -> String { step.rawValue + "/" + name }
}

/// A served file as it was last written.
struct IndexedFile: Sendable, Equatable {
    var path: String
    var checksum: Checksum
    var size: Int
    /// `nil` when the served file has not been looked at.
    var stamp: FileStamp?
}

extension IndexedUnit: IndexRecord {
    /// The steps in the order of a manifest: the parts of a language stand together, sorted by name.
    private static let order: [PublishStep] = [
        .audio, .blueprints, .localizations, .exams, .announcements, .assets,
    ]

    var recordKey: [UInt8] { Self.recordKey(step, name) }

    static func recordKey(_ step: PublishStep, _ name: String) -> [UInt8] {
        let place = order.firstIndex(of: step) ?? order.count
        // A name has no zero, so that it sorts before those that it begins.
        return firstBytes(step, name) + [UInt8(ascii: "0") + UInt8(place)]
    }

    /// Returns the first bytes of the keys of all units of a name among units of its kind.
    static func firstBytes(_ step: PublishStep, _ name: String) -> [UInt8] {
        let group: UInt8 =
            switch step {
            case .audio, .blueprints, .localizations: UInt8(ascii: "l")
            case .exams: UInt8(ascii: "m")
            case .announcements, .assets: UInt8(ascii: "n")
            }
        return [group] + name.utf8 + [0]
    }

    init(key: StoredText, from reader: inout IndexReader) throws(IndexReader.Damage) {
        let stored = try StoredUnit(key: key, from: &reader)
        step = stored.step
        name = stored.name.string
        updatedAt = stored.updatedAt.bytes.isEmpty ? nil : stored.updatedAt.string
        fragment = Array(stored.fragment)
        problems = stored.problems
        files = []
        sources = []
        for _ in 0..<stored.fileCount {
            let file = try StoredFile(from: &reader)
            guard let checksum = file.checksum.checksum else { throw .init() }
            files.append(
                IndexedFile(
                    path: file.path.string, checksum: checksum, size: file.size, stamp: file.stamp))
        }
        for _ in 0..<(try reader.count()) {
            let stamp = try reader.stamp()
            sources.append(SourceFile(path: try reader.text(), stamp: stamp))
        }
    }

    static func check(
        key: StoredText, _ reader: inout IndexReader
    ) throws(IndexReader.Damage) {
        let unit = try StoredUnit(key: key, from: &reader)
        for _ in 0..<unit.fileCount {
            guard try StoredFile(from: &reader).checksum.checksum != nil else { throw .init() }
        }
        for _ in 0..<(try reader.count()) {
            _ = try reader.stamp()
            _ = try reader.rawText()
        }
    }

    func write(to writer: inout IndexWriter) {
        writer.add(updatedAt ?? "")
        writer.add(fragment)
        writer.add(count: problems.count)
        for problem in problems { writer.add(problem) }
        writer.add(count: files.count)
        for file in files {
            writer.add(file.path)
            writer.add(file.checksum.hex)
            writer.add(file.size)
            writer.add(count: file.stamp == nil ? 0 : 1)
            if let stamp = file.stamp { writer.add(stamp) }
        }
        writer.add(count: sources.count)
        for source in sources {
            writer.add(source.stamp)
            writer.add(source.path)
        }
    }

    /// Returns the step that a key ends with.
    fileprivate static func step(of key: StoredText) -> PublishStep? {
        guard let last = key.bytes.last, last >= UInt8(ascii: "0") else { return nil }
        let place = Int(last - UInt8(ascii: "0"))
        return place < order.count ? order[place] : nil
    }
}

/// A unit in the bytes of an index; its files follow, then its sources behind their number.
struct StoredUnit {
    let step: PublishStep
    let name: StoredText
    let updatedAt: StoredText
    let fragment: UnsafeRawBufferPointer
    /// Mostly none.
    let problems: [Problem]
    let fileCount: Int

    init(key: StoredText, from reader: inout IndexReader) throws(IndexReader.Damage) {
        guard key.bytes.count >= 3, let step = IndexedUnit.step(of: key) else { throw .init() }
        self.step = step
        name = StoredText(
            bytes: UnsafeRawBufferPointer(rebasing: key.bytes[1..<key.bytes.count - 2]))
        updatedAt = try reader.rawText()
        fragment = try reader.rawText().bytes
        var problems: [Problem] = []
        for _ in 0..<(try reader.count()) { problems.append(try reader.problem()) }
        self.problems = problems
        fileCount = try reader.count()
    }
}

/// A served file in the bytes of an index.
struct StoredFile {
    let path: StoredText
    let checksum: StoredText
    let size: Int
    let stamp: FileStamp?

    init(from reader: inout IndexReader) throws(IndexReader.Damage) {
        path = try reader.rawText()
        checksum = try reader.rawText()
        size = try reader.number()
        stamp = try reader.count() == 1 ? try reader.stamp() : nil
    }
}

extension RecordTable<IndexedUnit> {
    subscript(step: PublishStep, name: String) -> IndexedUnit? {
        get { self[IndexedUnit.recordKey(step, name)] }
        set { self[IndexedUnit.recordKey(step, name)] = newValue }
    }

    /// A unit by its key, which is a step and a name.
    subscript(key: String) -> IndexedUnit? {
        get { Self.recordKey(key).flatMap { self[$0] } }
        set { if let bytes = Self.recordKey(key) { self[bytes] = newValue } }
    }

    private static func recordKey(_ key: String) -> [UInt8]? {
        guard let slash = key.utf8.firstIndex(of: UInt8(ascii: "/")),
            let step = PublishStep(rawValue: String(key[..<slash]))
        else { return nil }
        return IndexedUnit.recordKey(step, String(key[key.utf8.index(after: slash)...]))
    }

    /// Returns the number of units of some steps.
    func count(of steps: Set<PublishStep>) -> Int {
        let stored = storedPositions.count { steps.contains(step(at: $0)) }
        return stored + changed.values.count { steps.contains($0.step) }
    }

    /// Returns the step of a stored unit.
    func step(at position: Int) -> PublishStep {
        withStored(position) { key, _ in
            guard let step = IndexedUnit.step(of: key) else {
                preconditionFailure("The key was read when the index was.")
            }
            return step
        }
    }

    /// Calls `body` with each file of a stored unit.
    func forEachFile(at position: Int, _ body: (StoredFile) throws -> Void) rethrows {
        try withStored(position) { key, reader in
            do {
                for _ in 0..<(try StoredUnit(key: key, from: &reader).fileCount) {
                    try body(try StoredFile(from: &reader))
                }
            } catch let damage as IndexReader.Damage {
                preconditionFailure("\(damage) in a unit that was walked over.")
            }
        }
    }

    /// Returns the units that meet a condition, which is asked of stored ones before values are made of them.
    func filter(
        stored isIncluded: (StoredUnit, inout IndexReader) throws(IndexReader.Damage) -> Bool,
        changed: (IndexedUnit) -> Bool
    ) -> [IndexedUnit] {
        var units = self.changed.values.filter(changed)
        for position in storedPositions {
            let isWanted = withStored(position) { key, reader in
                guard let unit = try? StoredUnit(key: key, from: &reader) else { return false }
                return (try? isIncluded(unit, &reader)) ?? false
            }
            if isWanted, let unit = self.value(at: position) { units.append(unit) }
        }
        return units
    }

    /// The units with a file whose readable name is to be linked.
    var unlinked: [IndexedUnit] {
        filter { (unit, reader) throws(IndexReader.Damage) in
            for _ in 0..<unit.fileCount where try StoredFile(from: &reader).stamp == nil {
                return true
            }
            return false
        } changed: { unit in
            unit.files.contains { $0.stamp == nil }
        }
    }

    /// The units about which an earlier publish found something.
    var withProblems: [IndexedUnit] {
        filter { (unit, _) throws(IndexReader.Damage) in
            !unit.problems.isEmpty
        } changed: { unit in
            !unit.problems.isEmpty
        }
    }

    func value(at position: Int) -> IndexedUnit? {
        withStored(position) { key, reader in try? IndexedUnit(key: key, from: &reader) }
    }

    /// The paths of all files.
    var paths: Set<String> {
        var paths = Set(changed.values.flatMap { $0.files.map(\.path) })
        for position in storedPositions {
            forEachFile(at: position) { paths.insert($0.path.string) }
        }
        return paths
    }

    /// The folders above the files of all units.
    var folders: Set<String> {
        var folders = StrayFiles.folders(
            above: changed.values.lazy.flatMap { $0.files.lazy.map(\.path) })
        // Files of one folder mostly stand side by side.
        var last: [UInt8] = []
        for position in storedPositions {
            forEachFile(at: position) { file in
                guard let slash = file.path.bytes.lastIndex(of: UInt8(ascii: "/")) else { return }
                let folder = file.path.bytes[..<slash]
                guard folder.count != last.count || !folder.elementsEqual(last) else { return }
                last = Array(folder)
                folders.formUnion(StrayFiles.folders(above: [file.path.string]))
            }
        }
        return folders
    }
}
