import ContentModel
public import UserData

/// The sections of `underway.yaml` about users: the app's collections and the external issuers.
public struct UserDataSettings: Sendable, Hashable {
    /// An external issuer of trusted tokens.
    public struct Issuer: Sendable, Hashable {
        /// The `iss` of its tokens.
        public var issuer: String
        /// The required `aud`.
        public var audience: String
        /// The URL of its public keys, or a path from the content folder.
        public var keys: String
    }

    /// The collections, in addition to the built-in ones.
    public var collections: [CollectionRules] = []
    /// The issuers.
    public var issuers: [Issuer] = []

    /// Creates settings without collections and issuers.
    public init() {}

    /// Reads the settings of a content folder.
    ///
    /// - Parameter folder: The content folder.
    /// - Returns: The sections `collections` and `accounts`; empty if they are missing.
    /// - Throws: `PublishingError` with all problems and their places.
    public static func read(folder: String) throws -> UserDataSettings {
        try ContentFolder.checkSettings(in: folder)
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let bytes = try Files.read(folder + "/" + FolderSettings.fileName)
        let settings = SourceDocument.parse(bytes, report: report).flatMap {
            FolderSettings.read($0, report: report)
        }
        guard report.problems.isEmpty, let settings else {
            throw PublishingError(
                .contentErrors, "The settings of \(folder) have errors.",
                problems: report.problems)
        }
        return settings.userData
    }

    static func read(
        collections: DocumentNode?, accounts: DocumentNode?, report: DecodingReport
    ) -> UserDataSettings {
        var settings = UserDataSettings()
        if let collections { settings.collections = readCollections(collections, report) }
        if let accounts,
            let section = ObjectReader(accounts, fields: ["issuers"], report: report)
        {
            settings.issuers = (section.array("issuers") ?? []).compactMap {
                readIssuer($0, report)
            }
        }
        return settings
    }

    private static func readIssuer(_ node: DocumentNode, _ report: DecodingReport) -> Issuer? {
        guard
            let reader = ObjectReader(
                node, fields: ["issuer", "audience", "keys"], report: report),
            let issuer = reader.requiredString("issuer"),
            let audience = reader.requiredString("audience"),
            let keys = reader.requiredString("keys")
        else { return nil }
        return Issuer(issuer: issuer, audience: audience, keys: keys)
    }

    // MARK: Collections

    private static func readCollections(
        _ node: DocumentNode, _ report: DecodingReport
    ) -> [CollectionRules] {
        guard case .object(let members) = node.content else {
            report.note(.wrongType, at: node.position, "expected a map, found \(node.kindName)")
            return []
        }
        return members.compactMap { member in
            guard Validity.isName(member.key), member.key != "answers" else {
                report.note(
                    .invalidValue, at: member.keyPosition,
                    "\"\(member.key)\" cannot name a collection",
                    hint: "Begin with a letter; then up to 63 letters, digits, _ or -.")
                return nil
            }
            return readCollection(member.key, member.value, report)
        }
    }

    private static func readCollection(
        _ name: String, _ node: DocumentNode, _ report: DecodingReport
    ) -> CollectionRules? {
        guard
            let reader = ObjectReader(
                node, fields: ["policy", "version", "quota", "schema"], report: report),
            let text = reader.requiredString("policy")
        else { return nil }
        guard let policy = Policy(rawValue: text) else {
            let all = Policy.allCases.map(\.rawValue).joined(separator: ", ")
            report.note(
                .invalidValue, at: reader.node("policy")?.position ?? node.position,
                "\"\(text)\" is not a policy", hint: "The policies are \(all).")
            return nil
        }
        let version = reader.integer("version") ?? 1
        let quota = reader.integer("quota") ?? 10_000
        if !(1...10_000).contains(quota) || version < 1 {
            report.note(
                .invalidValue, at: node.position,
                "\"quota\" must be from 1 to 10000, \"version\" at least 1")
        }
        var rules = CollectionRules(
            CollectionDeclaration(name, policy, schemaVersion: version), recordsMax: quota)
        if let schema = reader.node("schema") { readSchema(schema, &rules, report) }
        return rules
    }

    /// Reads the part of JSON Schema (draft 2020-12) that fits flat records.
    private static func readSchema(
        _ node: DocumentNode, _ rules: inout CollectionRules, _ report: DecodingReport
    ) {
        let fields: Set<String> = ["type", "properties", "required", "additionalProperties"]
        guard let reader = ObjectReader(node, fields: fields, report: report) else { return }
        if let type = reader.string("type"), type != "object" {
            report.note(.invalidValue, at: node.position, "the type of a record is object")
        }
        rules.required = Set(reader.strings("required") ?? [])
        rules.allowsOtherFields = reader.bool("additionalProperties") ?? true
        for member in reader.memberNodes("properties") ?? [] {
            guard Validity.isName(member.key) else {
                report.note(
                    .invalidValue, at: member.keyPosition, "\"\(member.key)\" cannot name a field")
                continue
            }
            rules.fields[member.key] = readField(member.value, report)
        }
    }

    private static func readField(_ node: DocumentNode, _ report: DecodingReport) -> FieldRule {
        let fields: Set<String> = [
            "type", "enum", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems",
        ]
        guard let reader = ObjectReader(node, fields: fields, report: report) else {
            return FieldRule()
        }
        var rule = FieldRule(
            readKinds(reader, report), minimum: reader.decimal("minimum"),
            maximum: reader.decimal("maximum"),
            lengthMin: reader.integer("minLength") ?? reader.integer("minItems"),
            lengthMax: reader.integer("maxLength") ?? reader.integer("maxItems"))
        if let nodes = reader.array("enum") {
            rule.choices = nodes.compactMap { choice($0, report) }
        }
        return rule
    }

    private static func readKinds(
        _ reader: ObjectReader, _ report: DecodingReport
    ) -> Set<FieldRule.Kind> {
        guard let node = reader.node("type") else { return [] }
        var names: [String] = []
        switch node.content {
        case .string(let name): names = [name]
        case .array: names = reader.strings("type") ?? []
        default: break
        }
        let kinds = names.compactMap(FieldRule.Kind.init)
        if kinds.isEmpty || kinds.count != names.count {
            let all = FieldRule.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            report.note(
                .invalidValue, at: node.position, "a field has no such type",
                hint: "The types are \(all).")
        }
        return Set(kinds)
    }

    private static func choice(_ node: DocumentNode, _ report: DecodingReport) -> FieldValue? {
        switch node.content {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(Int64(value))
        case .decimal(let value): return .decimal(value)
        case .string(let value): return .text(value)
        case .array, .object:
            report.note(.wrongType, at: node.position, "a choice is a plain value")
            return nil
        }
    }
}
