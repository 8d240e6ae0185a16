/// Why a manifest cannot be used.
public enum ManifestError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is larger than `ContentLimits.manifestBytesMax`.
    case tooLarge
    /// It needs a newer app: the schema that it has is not known here.
    case unsupportedSchema(Int)
    /// It is not JSON, or its values do not fit.
    case invalid(ContentError)

    /// What went wrong and what to do.
    public var description: String {
        switch self {
        case .tooLarge:
            "The manifest is larger than \(ContentLimits.manifestBytesMax) bytes."
        case .unsupportedSchema(let found):
            "The content has schema \(found), this app reads up to "
                + "\(Manifest.schemaVersion): update the app."
        case .invalid(let error):
            "The manifest is not valid. \(error)"
        }
    }
}

extension Manifest {
    /// Reads `manifest.json` of schema 2, or in the original shape without sizes.
    ///
    /// Unknown fields are ignored. A field named twice, a negative size, a path that climbs out
    /// and a schema above 2 are refused.
    public init(_ bytes: [UInt8]) throws(ManifestError) {
        guard bytes.count <= ContentLimits.manifestBytesMax else { throw .tooLarge }
        let report = DecodingReport(file: "manifest.json", strictness: .released)
        let node: DocumentNode
        do throws(DocumentSyntaxError) {
            node = try JSONParser.parse(bytes)
        } catch {
            report.note(error)
            throw .invalid(ContentError(problems: report.problems))
        }
        if case .integer(let schema)? = node.member("schemaVersion")?.value.content,
            schema > Self.schemaVersion
        {
            throw .unsupportedSchema(schema)
        }
        do throws(ContentError) {
            self = try report.result(ManifestReader(report: report).manifest(node))
        } catch {
            throw .invalid(error)
        }
    }
}

/// Reads the parts of a manifest; unknown names are let pass.
private struct ManifestReader {
    let report: DecodingReport

    func manifest(_ node: DocumentNode) -> Manifest? {
        guard let reader = object(node), let schema = reader.requiredInteger("schemaVersion") else {
            return nil
        }
        if schema < 1 {
            report.note(.invalidValue, at: node.position, "the schema \(schema) does not exist")
        }
        return Manifest(
            schemaVersion: schema, release: nonNegative(reader, "release") ?? 0,
            generatedAt: reader.string("generatedAt"),
            contentBaseURL: reader.string("contentBaseUrl"),
            languages: entries(reader, "languages", isValidKey: { Identifier.isValid($0) }) {
                language($0)
            },
            exams: entries(reader, "exams", isValidKey: { Identifier.examKey($0) != nil }) {
                exam($0)
            },
            assets: entries(reader, "assets", isValidKey: { ContentPath($0) != nil }) {
                asset($0)
            },
            announcements: reader.node("announcements").flatMap { reference($0) })
    }

    private func object(_ node: DocumentNode) -> ObjectReader? {
        ObjectReader(node, fields: [], report: report)
    }

    private func entries<Entry>(
        _ reader: ObjectReader, _ key: String, isValidKey: (String) -> Bool,
        _ read: (DocumentNode) -> Entry?
    ) -> [String: Entry] {
        var entries: [String: Entry] = [:]
        for member in reader.memberNodes(key) ?? [] {
            guard isValidKey(member.key) else {
                report.note(
                    .unsafePath, at: member.keyPosition,
                    "\"\(member.key)\" is not a valid name under \"\(key)\"")
                continue
            }
            entries[member.key] = read(member.value)
        }
        return entries
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

    private func reference(_ node: DocumentNode) -> ContentReference? {
        guard let reader = object(node), let checksum = checksum(reader) else { return nil }
        let size = boundedSize(reader, node, limit: ContentLimits.documentBytesMax)
        return ContentReference(
            version: reader.string("version"), checksum: checksum, size: size)
    }

    private func language(_ node: DocumentNode) -> LanguageEntry? {
        guard let reader = object(node) else { return nil }
        return LanguageEntry(
            blueprint: reader.node("blueprint").flatMap { reference($0) },
            localization: reader.node("localization").flatMap { reference($0) },
            audio: reader.node("audio").flatMap { fileList($0) })
    }

    private func exam(_ node: DocumentNode) -> ExamEntry? {
        guard let reader = object(node) else { return nil }
        return ExamEntry(
            contentUpdatedAt: reader.string("contentUpdatedAt"),
            blueprint: reader.node("blueprint").flatMap { reference($0) },
            media: reader.node("media").flatMap { fileList($0) })
    }

    private func fileList(_ node: DocumentNode) -> FileList? {
        guard let reader = object(node) else { return nil }
        let files = (reader.array("files") ?? []).compactMap { file($0) }
        return FileList(version: reader.string("version"), files: files)
    }

    private func file(_ node: DocumentNode) -> FileReference? {
        guard let reader = object(node), let name = reader.requiredString("name"),
            let checksum = checksum(reader)
        else { return nil }
        guard ContentPath(name) != nil else {
            report.note(.unsafePath, at: node.position, "\"\(name)\" is not a safe file name")
            return nil
        }
        let size = boundedSize(reader, node, limit: ContentLimits.fileBytesMax)
        return FileReference(name: name, checksum: checksum, size: size)
    }

    private func asset(_ node: DocumentNode) -> AssetEntry? {
        guard let reader = object(node), let checksum = checksum(reader) else { return nil }
        // A class that a later version adds is fetched when asked for, which is always safe.
        let fetchClass = reader.string("class").map { AssetClass(rawValue: $0) ?? .onDemand }
        let size = boundedSize(reader, node, limit: ContentLimits.fileBytesMax)
        return AssetEntry(checksum: checksum, size: size, fetchClass: fetchClass ?? .eager)
    }

    private func boundedSize(_ reader: ObjectReader, _ node: DocumentNode, limit: Int) -> Int? {
        guard let size = nonNegative(reader, "size") else { return nil }
        guard size <= limit else {
            report.note(
                .limitExceeded, at: node.position,
                "a size of \(size) bytes is above the limit of \(limit)")
            return nil
        }
        return size
    }
}
