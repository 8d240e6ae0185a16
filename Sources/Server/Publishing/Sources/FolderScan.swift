import ContentModel

/// One walk over a content folder, or over some of its languages.
struct FolderScan: Sendable {
    let root: OpenFolder
    let path: String
    /// The index of an earlier publish, if it may be trusted.
    let known: ReleaseIndex?
    /// The units that were looked at closely.
    var units: [ContentUnit] = []
    /// The positions of the units in `known` that are as they were then.
    var unchanged: [Range<Int>] = []
    var problems: [Problem] = []
    var listings = SeenListings()

    init(root: OpenFolder, path: String, known: ReleaseIndex?) {
        self.root = root
        self.path = path
        self.known = known
    }

    mutating func run() throws {
        if let stamp = try top("languages", .folder)?.stamp {
            try scanLanguages(names(in: "languages", stamp))
        }
        for region in try folders(in: "exams") {
            for exam in try folders(in: "exams/" + region.name, region.source.stamp) {
                try scanExam("\(region.name)/\(exam.name)", exam.source.stamp)
            }
        }
        try scanSingle(.assets, folders: ["assets", "schemas"], alone: "assets.yaml")
        try scanSingle(.announcements, folders: ["announcements"], alone: nil)
    }

    /// The number of languages that one core scans at a time.
    private static let languagesAtOnce = 256

    /// Scans languages on all cores: thousands of calls that wait for the kernel.
    private mutating func scanLanguages(_ found: [String]) throws {
        let empty = FolderScan(root: root, path: path, known: known)
        let starts = Array(stride(from: 0, to: found.count, by: Self.languagesAtOnce))
        let scans = try starts.concurrentMap { start in
            var scan = empty
            try scan.scanLanguages(found[start..<min(start + Self.languagesAtOnce, found.count)])
            return scan
        }
        for scan in scans {
            units += scan.units
            unchanged += scan.unchanged
            problems += scan.problems
            listings.append(scan.listings)
        }
    }

    private mutating func scanLanguages(_ names: ArraySlice<String>) throws {
        var known = UnchangedLanguages(root: root, known: known)
        for name in names {
            if let language = known?.find(name) {
                unchanged.append(language.units)
                listings.confirm(language.listings)
            } else if let entry = try entry(name, in: "languages"), isFolderWithId(entry) {
                try scanLanguage(entry)
            }
        }
    }

    private mutating func scanLanguage(_ found: Entry) throws {
        let language = found.name
        let folder = found.source.path
        var blueprints: [SourceFile] = []
        var localizations: [SourceFile] = []
        var audio: [SourceFile]?
        var corrections: [SourceFile] = []
        for entry in try entries(of: folder, found.source.stamp) {
            switch entry.kind {
            case .file where entry.name.hasPrefix("blueprint.") && isDocument(entry.name):
                blueprints.append(entry.source)
            case .file where entry.name.hasPrefix("localization.") && isDocument(entry.name):
                localizations.append(entry.source)
            case .file where entry.name == CorrectionsFile.name: corrections.append(entry.source)
            case .folder where entry.name == "audio": audio = try files(below: entry.source)
            default: unexpected(entry)
            }
        }
        if blueprints.isEmpty {
            problems.append(
                Problem(
                    .missingFile, file: folder,
                    message: "the language \"\(language)\" has no blueprint",
                    hint: "Add \(folder)/blueprint.yaml or blueprint.json."))
        }
        addDocument(.blueprints, language, blueprints, with: corrections)
        addDocument(.localizations, language, localizations)
        if let audio { add(.audio, language, audio) }
    }

    /// Adds a unit of one document, which must not exist in two formats, and of what belongs to it.
    private mutating func addDocument(
        _ step: PublishStep, _ language: String, _ sources: [SourceFile],
        with further: [SourceFile] = []
    ) {
        guard !sources.isEmpty else { return }
        if sources.count > 1 {
            problems.append(
                Problem(
                    .duplicateIdentifier, file: sources[1].path,
                    message: "the same as \(sources[0].path) in another format",
                    hint: "Keep one of the two."))
        }
        add(step, language, sources + further)
    }

    private mutating func scanExam(_ key: String, _ stamp: FileStamp) throws {
        let folder = "exams/" + key
        var sources: [SourceFile] = []
        for entry in try entries(of: folder, stamp) {
            let isQuestions = entry.name.hasPrefix("questions") && isDocument(entry.name)
            switch (entry.kind, entry.name) {
            case (.file, "exam.yaml"), (.file, CorrectionsFile.name): sources.append(entry.source)
            case (.file, _) where isQuestions: sources.append(entry.source)
            case (.folder, "media"): sources += try files(below: entry.source)
            default: unexpected(entry)
            }
        }
        for (name, isMissing) in [
            ("exam.yaml", !sources.contains { $0.path == folder + "/exam.yaml" }),
            ("questions.yaml", !sources.contains { $0.path.hasPrefix(folder + "/questions") }),
        ] where isMissing {
            problems.append(
                Problem(
                    .missingFile, file: folder, message: "the exam \"\(key)\" has no \(name)",
                    hint: "Add \(folder)/\(name)."))
        }
        add(.exams, key, sources)
    }

    private mutating func scanSingle(
        _ step: PublishStep, folders: [String], alone: String?
    ) throws {
        var sources: [SourceFile] = []
        if let alone, let found = try top(alone, .file) { sources.append(found) }
        for folder in folders {
            if let found = try top(folder, .folder) { sources += try files(below: found) }
        }
        if !sources.isEmpty { add(step, "", sources) }
    }

    /// Returns the top-level entry of a name; reports one that is not of the expected kind.
    private mutating func top(_ name: String, _ kind: FileKind) throws -> SourceFile? {
        guard let found = try Files.find(name, below: root) else { return nil }
        let source = SourceFile(path: name, stamp: found.stamp)
        if found.kind == kind { return source }
        unexpected(Entry(name: name, kind: found.kind, source: source))
        return nil
    }

    private mutating func add(_ step: PublishStep, _ name: String, _ sources: [SourceFile]) {
        units.append(ContentUnit(step: step, name: name, sources: sources))
    }

    /// Returns the folders in a folder whose names are ids, and reports everything else.
    private mutating func folders(
        in folder: String, _ stamp: FileStamp? = nil
    ) throws -> [Entry] {
        guard let stamp = try stamp ?? top(folder, .folder)?.stamp else { return [] }
        return try entries(of: folder, stamp).filter { isFolderWithId($0) }
    }

    private mutating func isFolderWithId(_ entry: Entry) -> Bool {
        guard entry.kind == .folder, Identifier.isValid(entry.name) else {
            unexpected(entry)
            return false
        }
        return true
    }

    private mutating func files(below folder: SourceFile) throws -> [SourceFile] {
        try entries(of: folder.path, folder.stamp).flatMap { entry -> [SourceFile] in
            switch entry.kind {
            case .file: return [entry.source]
            case .folder: return try files(below: entry.source)
            case .link, .other:
                unexpected(entry)
                return []
            }
        }
    }

    private struct Entry {
        var name: String
        var kind: FileKind
        var source: SourceFile
    }

    /// Returns the entries of a folder with a known stamp.
    private mutating func entries(of folder: String, _ stamp: FileStamp) throws -> [Entry] {
        let names = try names(in: folder, stamp)
        var entries: [Entry] = []
        entries.reserveCapacity(names.count)
        for name in names {
            if let entry = try entry(name, in: folder) { entries.append(entry) }
        }
        return entries
    }

    /// Finds the entry of a listed name; one that does not belong there is reported.
    private mutating func entry(_ name: String, in folder: String) throws -> Entry? {
        let path = folder + "/" + name
        guard let found = try Files.find(path, below: root) else {
            notFound(path)
            return nil
        }
        let source = SourceFile(path: path, stamp: found.stamp)
        let entry = Entry(name: name, kind: found.kind, source: source)
        guard ContentPath(name) != nil else {
            unexpected(entry)
            return nil
        }
        return entry
    }

    /// Returns the names in a folder, which is listed only when its stamp changed since the last
    /// listing.
    private mutating func names(in folder: String, _ stamp: FileStamp) throws -> [String] {
        if let listing = known?.listings.listing(of: folder, stamp) {
            listings.confirm(listing)
            return listing.names
        }
        let names = try Files.names(in: path + "/" + folder)
        let found = NameRules.problems(with: names, in: folder)
        problems += found
        // A folder with a warning is not cached, so that the next scan repeats the warning.
        if found.isEmpty { listings.note(FolderListing(path: folder, stamp: stamp, names: names)) }
        return names
    }

    /// Reports a listed file that cannot be found: it was removed since, or its name is not valid text.
    private mutating func notFound(_ path: String) {
        guard path.unicodeScalars.contains("\u{FFFD}") else { return }
        problems.append(
            Problem(.unsafePath, file: path, message: "the name is not valid UTF-8"))
    }

    private mutating func unexpected(_ entry: Entry) {
        let isSafe =
            ContentPath(entry.name) != nil && (entry.kind == .file || entry.kind == .folder)
        problems.append(
            Problem(
                isSafe ? .unexpectedFile : .unsafePath, file: entry.source.path,
                message: isSafe
                    ? "nothing is published from this \(entry.kind == .file ? "file" : "folder")"
                    : "a name or link that could lead out of the folder"))
    }

    private func isDocument(_ name: String) -> Bool {
        [".yaml", ".yml", ".json"].contains { name.hasSuffix($0) }
    }
}

/// The listings of the folders that a walk visited.
struct SeenListings: Sendable {
    /// The positions of known ones that still hold, each once.
    private var confirmed: [Int] = []
    /// Known ones that hold, and those that were made.
    private var values: [FolderListing] = []
    private(set) var made: [FolderListing] = []

    mutating func confirm(_ positions: [Int]) { confirmed += positions }

    mutating func confirm(_ listing: FolderListing) { values.append(listing) }

    mutating func note(_ listing: FolderListing) { made.append(listing) }

    mutating func append(_ other: SeenListings) {
        confirmed += other.confirmed
        values += other.values
        made += other.made
    }

    /// Returns all listings; `known` itself where nothing changed, the common case.
    func merged(into known: RecordTable<FolderListing>?) -> RecordTable<FolderListing> {
        guard var result = known else { return RecordTable(values + made) }
        if confirmed.count + values.count < result.count {
            let positions = Set(confirmed)
            let keys = Set(values.map(\.recordKey))
            for position in result.storedPositions.filter({ !positions.contains($0) }) {
                let key = result.withStored(position) { key, _ in Array(key.bytes) }
                if !keys.contains(key) { result[key] = nil }
            }
        }
        for listing in values + made { result[listing.recordKey] = listing }
        return result
    }
}
