import ContentModel

/// A scanned content folder: which units there are, and everything about its layout that is
/// wrong.
struct ContentFolder: Sendable {
    /// Without a slash at its end.
    let root: String
    var units: [ContentUnit] = []
    var problems: [Problem] = []
    /// The names in each folder, to be kept for the next scan.
    var listings: [String: FolderListing] = [:]

    /// Scans a folder.
    ///
    /// - Parameters:
    ///   - root: The content folder, without a slash at its end.
    ///   - known: Listings of an earlier scan; a folder whose stamp did not change is not listed
    ///     again.
    /// - Throws: `PublishingError` `unreadable` when the folder has no `underway.yaml`.
    init(root: String, known: [String: FolderListing] = [:]) throws {
        self.root = root
        try Self.expectSettings(in: root)
        var scan = Scan(root: root, known: known)
        try scan.run()
        units = scan.units
        problems = scan.problems
        listings = scan.listings
    }

    /// Tells a content folder from any other.
    ///
    /// - Throws: `PublishingError` `unreadable` when it has no `underway.yaml`.
    static func expectSettings(in root: String) throws {
        guard Files.look(root + "/" + FolderSettings.fileName)?.kind == .file else {
            throw PublishingError(
                .unreadable,
                "\(root) is not a content folder: it has no \(FolderSettings.fileName)."
                    + " `underway init` makes one.")
        }
    }

    /// Reads `underway.yaml`.
    func settings(report: DecodingReport) throws -> FolderSettings? {
        let bytes = try Files.read(
            root + "/" + FolderSettings.fileName, limit: ContentLimits.documentBytesMax)
        return SourceDocument.parse(bytes, report: report).flatMap {
            FolderSettings.read($0, report: report)
        }
    }
}

/// The names in a folder at some state of it.
struct FolderListing: Hashable, Sendable {
    var stamp: FileStamp
    var names: [String]
}

/// One walk over a content folder.
private struct Scan {
    let root: String
    let known: [String: FolderListing]
    var units: [ContentUnit] = []
    var problems: [Problem] = []
    var listings: [String: FolderListing] = [:]

    init(root: String, known: [String: FolderListing]) {
        self.root = root
        self.known = known
    }

    mutating func run() throws {
        for language in try folders(in: "languages") { try scanLanguage(language) }
        for region in try folders(in: "exams") {
            for exam in try folders(in: "exams/" + region.name, region.source.stamp) {
                try scanExam("\(region.name)/\(exam.name)", exam.source.stamp)
            }
        }
        try scanSingle(.assets, folders: ["assets", "schemas"], alone: "assets.yaml")
        try scanSingle(.announcements, folders: ["announcements"], alone: nil)
    }

    private mutating func scanLanguage(_ found: Entry) throws {
        let language = found.name
        let folder = "languages/" + language
        var named: [PublishStep: [SourceFile]] = [:]
        for entry in try entries(of: folder, found.source.stamp) {
            let stem = entry.name.split(separator: ".").first.map(String.init) ?? ""
            switch (entry.kind, stem) {
            case (.file, "blueprint") where isDocument(entry.name):
                named[.blueprints, default: []].append(entry.source)
            case (.file, "localization") where isDocument(entry.name):
                named[.localizations, default: []].append(entry.source)
            case (.folder, "audio"):
                named[.audio] = try files(below: entry.source)
            default: unexpected(entry)
            }
        }
        if named[.blueprints] == nil {
            problems.append(
                Problem(
                    .missingFile, file: folder,
                    message: "the language \"\(language)\" has no blueprint",
                    hint: "Add \(folder)/blueprint.yaml or blueprint.json."))
        }
        for step in [PublishStep.blueprints, .localizations, .audio] {
            guard let sources = named[step] else { continue }
            if step != .audio, sources.count > 1 {
                problems.append(
                    Problem(
                        .duplicateIdentifier, file: sources[1].path,
                        message: "the same as \(sources[0].path) in another format",
                        hint: "Keep one of the two."))
            }
            add(step, language, sources)
        }
    }

    private mutating func scanExam(_ key: String, _ stamp: FileStamp) throws {
        let folder = "exams/" + key
        var sources: [SourceFile] = []
        for entry in try entries(of: folder, stamp) {
            let isQuestions = entry.name.hasPrefix("questions") && isDocument(entry.name)
            switch (entry.kind, entry.name) {
            case (.file, "exam.yaml"): sources.append(entry.source)
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

    /// What stands at the top of the content folder under a name; reported unless it is of the
    /// expected kind.
    private mutating func top(_ name: String, _ kind: FileKind) throws -> SourceFile? {
        guard let found = try Files.find(root + "/" + name) else { return nil }
        let source = SourceFile(path: name, stamp: found.stamp)
        if found.kind == kind { return source }
        unexpected(Entry(name: name, kind: found.kind, source: source))
        return nil
    }

    private mutating func add(_ step: PublishStep, _ name: String, _ sources: [SourceFile]) {
        units.append(ContentUnit(step: step, name: name, sources: sources))
    }

    /// The folders in a folder whose names are ids; everything else there is reported.
    private mutating func folders(
        in folder: String, _ stamp: FileStamp? = nil
    ) throws -> [Entry] {
        guard let stamp = try stamp ?? top(folder, .folder)?.stamp else { return [] }
        return try entries(of: folder, stamp).compactMap { entry in
            guard entry.kind == .folder, Identifier.isValid(entry.name) else {
                unexpected(entry)
                return nil
            }
            return entry
        }
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

    /// What is in a folder that was looked at already.
    private mutating func entries(of folder: String, _ stamp: FileStamp) throws -> [Entry] {
        let path = root + "/" + folder
        var listing = FolderListing(stamp: stamp, names: [])
        if let known = known[folder], known.stamp == stamp {
            listing = known
            listings[folder] = listing
        } else {
            listing.names = try Files.names(in: path)
            let found = NameRules.problems(with: listing.names, in: folder)
            problems += found
            // A warning is to be seen again next time.
            if found.isEmpty { listings[folder] = listing }
        }
        return try listing.names.compactMap { name -> Entry? in
            guard let found = try Files.find(path + "/" + name) else {
                notFound(folder + "/" + name)
                return nil
            }
            let source = SourceFile(path: folder + "/" + name, stamp: found.stamp)
            let entry = Entry(name: name, kind: found.kind, source: source)
            guard ContentPath(name) != nil else {
                unexpected(entry)
                return nil
            }
            return entry
        }
    }

    /// A listed file that cannot be found has gone meanwhile, or its name is no text.
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
