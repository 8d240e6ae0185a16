extension DecoderProfile {
    /// The maximum size of a profile's file, in bytes.
    package static let bytesMax = 64 * 1024
    private static let nodesMax = 8_192
    private static let versionBytesMax = 64

    /// Parses the file of a profile.
    ///
    /// Members that this version does not know are ignored, and unknown names are read like others, so a profile of a
    /// later version of Underway is equally valid for this version's content.
    ///
    /// - Parameters:
    ///   - bytes: The file, JSON of at most 64 KiB.
    ///   - file: The name of the file for messages.
    /// - Throws: `ContentError` with every reason and its place: `limitExceeded` for a larger file, `syntax` for one
    ///   that is not JSON, `invalidValue` for a later format, and others for invalid members.
    public init(_ bytes: [UInt8], file: String = "profile.json") throws(ContentError) {
        let report = DecodingReport(file: file, strictness: .released)
        guard bytes.count <= Self.bytesMax else {
            report.note(
                .limitExceeded, at: .start,
                "the file has \(bytes.count) bytes; a profile has at most \(Self.bytesMax)",
                hint: Self.remedy)
            throw ContentError(problems: report.problems)
        }
        let node: DocumentNode
        do throws(DocumentSyntaxError) {
            node = try JSONParser.parse(bytes, nodesMax: Self.nodesMax)
        } catch {
            report.note(error)
            throw ContentError(problems: report.problems)
        }
        self = try report.result(Self.read(node, report))
    }

    private static let remedy = "Let the test of that version of the app write the file again."

    private static func read(_ node: DocumentNode, _ report: DecodingReport) -> DecoderProfile? {
        guard let reader = ObjectReader(node, fields: [], report: report),
            let format = reader.requiredInteger("format")
        else { return nil }
        guard format == formatVersion else {
            report.note(
                .invalidValue, at: reader.node("format")?.position ?? node.position,
                "the format of the profile is \(format), this version reads \(formatVersion)",
                hint: format > formatVersion ? "Update Underway." : remedy)
            return nil
        }
        let version = reader.requiredString("app")
        if let version, let node = reader.node("app"), !isVersion(version) {
            report.note(
                .invalidValue, at: node.position,
                "\"app\" must be a version of 1 to \(versionBytesMax) visible characters, such as"
                    + " 2.1", hint: "Write the version of the app.")
        }
        return DecoderProfile(
            appVersion: version ?? "", names: lists(reader, "names"),
            fields: lists(reader, "fields"), limits: limits(reader))
    }

    private static func isVersion(_ text: String) -> Bool {
        (1...versionBytesMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    private static func lists(_ reader: ObjectReader, _ key: String) -> [String: Set<String>] {
        var lists: [String: Set<String>] = [:]
        for member in reader.memberNodes(key) ?? [] {
            guard case .array(let nodes) = member.value.content else {
                reader.report.note(
                    .wrongType, at: member.value.position,
                    "\"\(member.key)\" must be a list, found \(member.value.kindName)")
                continue
            }
            var list: Set<String> = []
            for node in nodes {
                guard case .string(let name) = node.content else {
                    reader.report.note(
                        .wrongType, at: node.position,
                        "\"\(member.key)\" lists names, found \(node.kindName)")
                    continue
                }
                list.insert(name)
            }
            lists[member.key] = list
        }
        return lists
    }

    private static func limits(_ reader: ObjectReader) -> [String: Int] {
        var limits: [String: Int] = [:]
        for member in reader.memberNodes("limits") ?? [] {
            guard case .integer(let limit) = member.value.content, limit >= 0 else {
                reader.report.note(
                    .wrongType, at: member.value.position,
                    "\"\(member.key)\" must be a whole number from 0")
                continue
            }
            limits[member.key] = limit
        }
        return limits
    }
}
