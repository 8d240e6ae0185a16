extension Manifest {
    /// Parses `manifest.json` of schema 2, or of the original format without sizes.
    ///
    /// Unknown fields are ignored. A duplicate name, a negative size, a path that leaves its folder and a schema above
    /// 2 are rejected. A device is more lenient: it ignores single invalid entries.
    public init(_ bytes: [UInt8]) throws(ManifestError) {
        self = try Self.read(bytes, strictness: .released).manifest
    }

    static func read(
        _ bytes: [UInt8], strictness: DecodingReport.Strictness, profile: DecoderProfile? = nil,
        isShown: @escaping (EagerDocument.Kind, String) -> Bool = { _, _ in false }
    ) throws(ManifestError) -> ReleasedManifest {
        let report = DecodingReport(
            file: "manifest.json", strictness: strictness, profile: profile)
        guard bytes.count <= report.limit(.manifestBytes) else { throw .tooLarge }
        let node: DocumentNode
        do throws(DocumentSyntaxError) {
            node = try JSONParser.parse(bytes)
        } catch {
            report.note(error)
            throw .invalid(ContentError(problems: report.problems))
        }
        if case .integer(let schema)? = node.member("schemaVersion")?.value.content,
            schema > report.limit(.manifestSchema)
        {
            throw .unsupportedSchema(schema)
        }
        let unread = UnreadEntries(isShown: isShown)
        do throws(ContentError) {
            let reader = ManifestReader(report: report, unread: unread)
            let manifest = try report.result(reader.manifest(node))
            return ReleasedManifest(
                manifest: manifest, unread: unread.listed, unlistedCount: unread.unlistedCount,
                ignored: report.ignored)
        } catch {
            throw .invalid(error)
        }
    }
}

/// The entries of one manifest that a device could not read; used by one task at a time.
private final class UnreadEntries {
    private let isShown: (EagerDocument.Kind, String) -> Bool
    private var last: (kind: EagerDocument.Kind?, key: String)?
    private(set) var listed: [UnreadEntry] = []
    private(set) var unlistedCount = 0

    init(isShown: @escaping (EagerDocument.Kind, String) -> Bool) { self.isShown = isShown }

    /// Adds an entry; the files of one list count once.
    func note(_ kind: EagerDocument.Kind?, _ key: String, _ problem: Problem) {
        if let last, last == (kind, key) { return }
        last = (kind, key)
        let hasRoom = listed.count < ContentLimits.unreadEntriesListed
        if hasRoom || kind.map({ isShown($0, key) }) == true {
            listed.append(UnreadEntry(kind: kind, key: key, problem: problem))
        } else {
            unlistedCount += 1
        }
    }
}

/// A reader of a manifest's parts; unknown names are ignored.
private struct ManifestReader {
    /// The kinds under which a key and its entries are reported when they cannot be read.
    typealias Kinds = [EagerDocument.Kind?]

    let report: DecodingReport
    let unread: UnreadEntries

    func manifest(_ node: DocumentNode) -> Manifest? {
        guard let reader = object(node, .manifest),
            let schema = reader.requiredInteger("schemaVersion")
        else { return nil }
        if schema < 1 {
            report.note(.invalidValue, at: node.position, "the schema \(schema) does not exist")
        }
        return Manifest(
            schemaVersion: schema, release: nonNegative(reader, "release") ?? 0,
            generatedAt: hint(reader, "generatedAt"),
            contentBaseURL: hint(reader, "contentBaseUrl"),
            languages: entries(
                reader, "languages", [.blueprint, .localization],
                isValidKey: { Identifier.isValid($0) }, { $0.language($1, $2) }),
            exams: entries(
                reader, "exams", [.exam], isValidKey: { Identifier.examKey($0) != nil },
                { $0.exam($1, $2) }),
            assets: entries(
                reader, "assets", [.asset], isValidKey: { ContentPath($0) != nil },
                { reader, _, node in reader.asset(node) }),
            announcements: reference(reader, "announcements", .announcements, ""),
            rollout: reader.node("rollout").flatMap { Rollout.read($0, report: report) })
    }

    private func object(_ node: DocumentNode, _ shape: DocumentShape) -> ObjectReader? {
        ObjectReader(node, as: shape, report: report)
    }

    /// Reads a part that a device can do without, and on a device records that it is unreadable.
    private func part<Value>(
        _ kinds: Kinds, _ key: String, _ read: (ManifestReader) -> Value?
    ) -> Value? {
        guard report.strictness == .device else { return read(self) }
        let own = DecodingReport(
            file: report.file, strictness: .device, profile: report.profile)
        let value = read(ManifestReader(report: own, unread: unread))
        guard let problem = own.firstError else {
            report.addIgnored(of: own)
            return value
        }
        for kind in kinds { unread.note(kind, key, problem) }
        return nil
    }

    private func entries<Entry>(
        _ reader: ObjectReader, _ key: String, _ kinds: Kinds, isValidKey: (String) -> Bool,
        _ read: (ManifestReader, _ key: String, DocumentNode) -> Entry?
    ) -> [String: Entry] {
        var entries: [String: Entry] = [:]
        for member in reader.memberNodes(key) ?? [] {
            entries[member.key] = part(kinds, member.key) { own in
                if isValidKey(member.key) { return read(own, member.key, member.value) }
                own.report.note(
                    .unsafePath, at: member.keyPosition,
                    "\"\(member.key)\" is not a valid name under \"\(key)\"")
                return nil
            }
        }
        return entries
    }

    /// Reads a text for people, which no device needs.
    private func hint(_ reader: ObjectReader, _ key: String) -> String? {
        guard report.strictness == .device else { return reader.string(key) }
        guard case .string(let text)? = reader.node(key)?.content else { return nil }
        return text
    }

    private func nonNegative(_ reader: ObjectReader, _ key: String) -> Int? {
        guard let number = reader.integer(key), let node = reader.node(key) else { return nil }
        guard number >= 0, number <= 1 << 53 else {
            report.note(.invalidValue, at: node.position, "\"\(key)\" cannot be \(number)")
            return nil
        }
        return number
    }

    private func checksum(_ reader: ObjectReader) -> Checksum? {
        reader.requiredNode("checksum").flatMap { _ in
            reader.value("checksum", "sha256: and 64 hexadecimal digits") { Checksum($0) }
        }
    }

    private func reference(
        _ reader: ObjectReader, _ field: String, _ kind: EagerDocument.Kind, _ key: String
    ) -> ContentReference? {
        guard let node = reader.node(field) else { return nil }
        return part([kind], key) { $0.reference(node) }
    }

    private func reference(_ node: DocumentNode) -> ContentReference? {
        guard let reader = object(node, .reference), let checksum = checksum(reader) else {
            return nil
        }
        let size = boundedSize(reader, node, limit: .documentBytes)
        return ContentReference(version: hint(reader, "version"), checksum: checksum, size: size)
    }

    private func language(_ key: String, _ node: DocumentNode) -> LanguageEntry? {
        guard let reader = object(node, .manifestLanguage) else { return nil }
        return LanguageEntry(
            blueprint: reference(reader, "blueprint", .blueprint, key),
            localization: reference(reader, "localization", .localization, key),
            audio: reader.node("audio").flatMap { fileList($0, of: key) })
    }

    private func exam(_ key: String, _ node: DocumentNode) -> ExamEntry? {
        guard let reader = object(node, .manifestExam) else { return nil }
        return ExamEntry(
            contentUpdatedAt: hint(reader, "contentUpdatedAt"),
            blueprint: reference(reader, "blueprint", .exam, key),
            media: reader.node("media").flatMap { fileList($0, of: key) })
    }

    private func fileList(_ node: DocumentNode, of key: String) -> FileList? {
        part([nil], key) { own in
            guard let reader = own.object(node, .fileList) else { return nil }
            let files = (reader.array("files") ?? []).compactMap { node in
                own.part([nil], key) { $0.file(node) }
            }
            return FileList(version: own.hint(reader, "version"), files: files)
        }
    }

    private func file(_ node: DocumentNode) -> FileReference? {
        guard let reader = object(node, .file), let name = reader.requiredString("name"),
            let checksum = checksum(reader)
        else { return nil }
        guard ContentPath(name) != nil else {
            report.note(.unsafePath, at: node.position, "\"\(name)\" is not a safe file name")
            return nil
        }
        let size = boundedSize(reader, node, limit: .fileBytes)
        return FileReference(name: name, checksum: checksum, size: size)
    }

    private func asset(_ node: DocumentNode) -> AssetEntry? {
        guard let reader = object(node, .asset), let checksum = checksum(reader) else {
            return nil
        }
        // A class of a later version is fetched on demand, which is always safe.
        let fetchClass = reader.string("class").map { assetClass($0, reader) ?? .onDemand }
        let size = boundedSize(reader, node, limit: .fileBytes)
        return AssetEntry(checksum: checksum, size: size, fetchClass: fetchClass ?? .eager)
    }

    private func assetClass(_ name: String, _ reader: ObjectReader) -> AssetClass? {
        guard !report.knows(name, in: .assetClasses) else { return AssetClass(rawValue: name) }
        report.noteIgnored(
            "class", of: .asset, value: name,
            at: reader.node("class")?.position ?? reader.position)
        return nil
    }

    private func boundedSize(
        _ reader: ObjectReader, _ node: DocumentNode, limit: ReaderLimit
    ) -> Int? {
        guard let size = nonNegative(reader, "size") else { return nil }
        let limit = report.limit(limit)
        guard size <= limit else {
            report.note(
                .limitExceeded, at: node.position,
                "a size of \(size) bytes is above the limit of \(limit)")
            return nil
        }
        return size
    }
}
