import ContentModel

/// The entry of one asset in `assets.yaml`.
private struct AssetRule {
    var fetchClass = AssetClass.eager
    /// The schema for its values, relative to the content folder.
    var schema: String?
}

extension UnitBuilder {
    func buildAssets(_ unit: ContentUnit) throws -> BuiltUnit {
        var problems: [Problem] = []
        var rules: [String: AssetRule] = [:]
        if let source = unit.sources.first(where: { $0.path == "assets.yaml" }) {
            let (node, report) = try document(source)
            if let node { rules = readRules(node, report: report, unit: unit) }
            problems += report.problems
        }
        let assets = unit.sources.filter { $0.path.hasPrefix("assets/") }
        let schemas = try readSchemas(
            unit, named: Set(rules.values.compactMap(\.schema)), &problems)
        let files = try assets.compactMap { source -> BuiltFile? in
            let name = String(source.path.dropFirst("assets/".count))
            let schema = rules[name]?.schema.flatMap { schemas[$0] }
            try checkDocument(source, against: schema, &problems)
            return try copied(source, problems: &problems) { _ in
                ReleasePath(.asset, key: name)
            }
        }
        let entries = files.map { file -> (String, JSONValue) in
            let name = String(file.path.dropFirst("assets/".count))
            let entry = AssetEntry(
                checksum: file.checksum, size: file.size,
                fetchClass: rules[name]?.fetchClass ?? .eager)
            return (name, entry.json)
        }
        // Equal names are a clash, which stops the publish.
        let fragment = JSONValue.object(Dictionary(entries, uniquingKeysWith: { $1 }))
        return BuiltUnit(fragment: fragment.canonicalBytes, files: files, problems: problems)
    }

    // MARK: assets.yaml

    private func readRules(
        _ node: DocumentNode, report: DecodingReport, unit: ContentUnit
    ) -> [String: AssetRule] {
        guard case .object(let members) = node.content else {
            report.note(.wrongType, at: node.position, "expected a map from files to classes")
            return [:]
        }
        let present = Set(unit.sources.map(\.path))
        var rules: [String: AssetRule] = [:]
        for member in members {
            if !present.contains("assets/" + member.key) {
                report.note(
                    .missingFile, at: member.keyPosition, "there is no file assets/\(member.key)")
            }
            rules[member.key] = readRule(member.value, report: report, present: present)
        }
        return rules
    }

    /// Reads a class alone, or a map of `class` and `schema`.
    private func readRule(
        _ node: DocumentNode, report: DecodingReport, present: Set<String>
    ) -> AssetRule? {
        guard case .object = node.content else {
            return readClass(node, report: report).map { AssetRule(fetchClass: $0) }
        }
        guard let reader = ObjectReader(node, fields: ["class", "schema"], report: report) else {
            return nil
        }
        var rule = AssetRule(schema: reader.string("schema"))
        if let node = reader.node("class"), let named = readClass(node, report: report) {
            rule.fetchClass = named
        }
        if let schema = rule.schema, !schema.hasPrefix("schemas/") || !present.contains(schema) {
            report.note(
                .missingFile, at: reader.node("schema")?.position ?? node.position,
                schema.hasPrefix("schemas/")
                    ? "there is no file \(schema)"
                    : "a schema is a file in schemas/, not \(schema)")
        }
        return rule
    }

    private func readClass(_ node: DocumentNode, report: DecodingReport) -> AssetClass? {
        if case .string(let name) = node.content, let named = AssetClass(rawValue: name) {
            return named
        }
        report.note(
            .invalidValue, at: node.position, "the class must be eager, prefetch or onDemand")
        return nil
    }

    // MARK: Schemas

    private func readSchemas(
        _ unit: ContentUnit, named: Set<String>, _ problems: inout [Problem]
    ) throws -> [String: AssetSchema] {
        var schemas: [String: AssetSchema] = [:]
        for source in unit.sources where source.path.hasPrefix("schemas/") {
            if !named.contains(source.path) {
                problems.append(
                    Problem(
                        .unexpectedFile, file: source.path, message: "no asset names this schema",
                        hint: "Name it in assets.yaml, as `features.json: { schema: … }`."))
            }
            let (node, report) = try document(source)
            if let node { schemas[source.path] = AssetSchema(node, report: report) }
            problems += report.problems
        }
        return schemas
    }

    /// Checks that a JSON file is JSON, and matches its schema if it has one.
    ///
    /// With a schema it is limited to the size of a document; any other asset may be larger.
    private func checkDocument(
        _ source: SourceFile, against schema: AssetSchema?, _ problems: inout [Problem]
    ) throws {
        let isSmall = size(of: source) <= ContentLimits.documentBytesMax
        guard schema != nil || (isSmall && source.path.hasSuffix(".json")) else { return }
        let (node, report) = try document(source)
        if let node, let schema { schema.check(node, report: report) }
        problems += report.problems
    }
}
