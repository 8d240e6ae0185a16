import ContentModel

/// A schema for the values of an asset, in the keywords of JSON Schema (draft 2020-12) that a
/// configuration needs.
///
/// Supported are `type`, `enum`, `const`, `minimum`, `maximum`, `minLength`, `maxLength`,
/// `minItems`, `maxItems`, `items`, `properties`, `required` and `additionalProperties`; `title`,
/// `description`, `default`, `examples`, `$schema`, `$id` and `$comment` do not constrain values.
/// Any other keyword is an error of the schema, so that nothing seems to be checked that is not.
struct AssetSchema: Sendable {
    private enum Kind: String, CaseIterable {
        case null, boolean, integer, number, string, array, object

        func includes(_ node: DocumentNode) -> Bool {
            switch (self, node.content) {
            case (.null, .null), (.boolean, .bool), (.integer, .integer), (.number, .integer),
                (.number, .decimal), (.string, .string), (.array, .array), (.object, .object):
                true
            // A number without a fraction is an integer, however it is written (section 6.1.1).
            case (.integer, .decimal(let value)): value.rounded() == value
            default: false
            }
        }
    }

    /// An inclusive minimum and maximum.
    private struct Bounds {
        var least: Double?
        var greatest: Double?

        func allow(_ value: Double) -> Bool {
            value >= least ?? -.infinity && value <= greatest ?? .infinity
        }

        var text: String {
            switch (least, greatest) {
            case (let least?, let greatest?): "from \(plain(least)) to \(plain(greatest))"
            case (let least?, nil): "at least \(plain(least))"
            case (nil, let greatest?): "at most \(plain(greatest))"
            case (nil, nil): "anything"
            }
        }

        private func plain(_ value: Double) -> String {
            Int(exactly: value).map { "\($0)" } ?? "\(value)"
        }
    }

    private var kinds: [Kind] = []
    private var values: [JSONValue]?
    private var range = Bounds()
    private var length = Bounds()
    private var count = Bounds()
    /// The schema of each element; one or none.
    private var items: [AssetSchema] = []
    private var properties: [String: AssetSchema] = [:]
    private var required: [String] = []
    private var allowsMore = true
    /// The schema of members that are not named; one or none.
    private var more: [AssetSchema] = []

    private static let keywords: Set<String> = [
        "type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "minItems",
        "maxItems", "items", "properties", "required", "additionalProperties", "title",
        "description", "default", "examples", "$schema", "$id", "$comment",
    ]

    // MARK: Reading

    /// Reads a schema, and adds its errors to the report.
    init?(_ node: DocumentNode, report: DecodingReport) {
        guard case .object(let members) = node.content else {
            report.note(.schemaInvalid, at: node.position, "a schema is a map of keywords")
            return nil
        }
        for member in members where !Self.keywords.contains(member.key) {
            report.note(
                .schemaInvalid, at: member.keyPosition,
                "the keyword \"\(member.key)\" is not known here")
        }
        guard let reader = ObjectReader(node, fields: Self.keywords, report: quiet(report)) else {
            return nil
        }
        kinds = Self.kinds(reader.node("type"), report)
        if let list = reader.array("enum") { values = list.map(\.value) }
        if let only = reader.node("const") { values = [only.value] }
        range = Bounds(least: reader.decimal("minimum"), greatest: reader.decimal("maximum"))
        length = Bounds(least: reader.decimal("minLength"), greatest: reader.decimal("maxLength"))
        count = Bounds(least: reader.decimal("minItems"), greatest: reader.decimal("maxItems"))
        required = reader.strings("required") ?? []
        items = reader.node("items").flatMap { AssetSchema($0, report: report) }.map { [$0] } ?? []
        for member in reader.memberNodes("properties") ?? [] {
            properties[member.key] = AssetSchema(member.value, report: report)
        }
        if let rest = reader.node("additionalProperties") {
            if case .bool(let allows) = rest.content {
                allowsMore = allows
            } else {
                more = AssetSchema(rest, report: report).map { [$0] } ?? []
            }
        }
        for problem in reader.report.problems {
            report.note(.schemaInvalid, at: problem.position, problem.message)
        }
    }

    private static func kinds(_ node: DocumentNode?, _ report: DecodingReport) -> [Kind] {
        guard let node else { return [] }
        var names = [node]
        if case .array(let list) = node.content { names = list }
        return names.compactMap { name in
            if case .string(let text) = name.content, let kind = Kind(rawValue: text) {
                return kind
            }
            let known = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            report.note(.schemaInvalid, at: name.position, "a type is one of \(known)")
            return nil
        }
    }

    // MARK: Checking

    /// Adds every mismatch between a document and the schema to the report.
    func check(_ node: DocumentNode, report: DecodingReport) { check(node, "the file", report) }

    private func check(_ node: DocumentNode, _ name: String, _ report: DecodingReport) {
        func note(_ message: String) { report.note(.schemaMismatch, at: node.position, message) }
        guard kinds.isEmpty || kinds.contains(where: { $0.includes(node) }) else {
            let wanted = kinds.map(\.rawValue).joined(separator: " or ")
            return note("\(name) must be of type \(wanted), found \(node.kindName)")
        }
        if let values, !values.contains(node.value) {
            let listed = values.map { String(decoding: $0.canonicalBytes, as: UTF8.self) }
            note("\(name) must be one of \(listed.joined(separator: ", "))")
        }
        switch node.content {
        case .integer(let value):
            if !range.allow(Double(value)) { note("\(name) must be \(range.text)") }
        case .decimal(let value):
            if !range.allow(value) { note("\(name) must be \(range.text)") }
        case .string(let text):
            // JSON Schema counts code points (RFC 8259 characters, section 6.3).
            if !length.allow(Double(text.unicodeScalars.count)) {
                note("\(name) must have \(length.text) characters")
            }
        case .array(let elements):
            if !count.allow(Double(elements.count)) {
                note("\(name) must have \(count.text) elements")
            }
            for element in elements { items.first?.check(element, "an element of \(name)", report) }
        case .object(let members): check(members, of: node, name, report)
        case .null, .bool: break
        }
    }

    private func check(
        _ members: [DocumentNode.Member], of node: DocumentNode, _ name: String,
        _ report: DecodingReport
    ) {
        for key in required where !members.contains(where: { $0.key == key }) {
            report.note(.schemaMismatch, at: node.position, "\(name) lacks \"\(key)\"")
        }
        for member in members {
            if let known = properties[member.key] ?? more.first {
                known.check(member.value, "\"\(member.key)\"", report)
            } else if !allowsMore {
                let known = properties.keys.sorted().joined(separator: ", ")
                report.note(
                    .schemaMismatch, at: member.keyPosition,
                    "\"\(member.key)\" is not in the schema", hint: "Known here: \(known).")
            }
        }
    }
}

/// Returns a report on the same file whose problems are discarded, for checks that are reported in
/// other words.
private func quiet(_ report: DecodingReport) -> DecodingReport {
    DecodingReport(file: report.file, strictness: .released)
}
