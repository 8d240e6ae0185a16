import ContentModel

/// The form of an asset, made from the schema that its values must match.
///
/// One level of maps becomes groups of fields; what is deeper, and what the schema does not name, is typed as JSON. The
/// checker compares the values with the whole schema.
enum AssetForm {
    /// The most fields of a form, so that all of them are read.
    static let fieldsMax = 200
    /// Texts that may be longer are typed in several lines.
    private static let lineMax = 120

    /// Makes a form.
    ///
    /// - Parameters:
    ///   - schema: The schema; `nil` for one that cannot be read.
    ///   - value: The asset's value.
    /// - Returns: The fields, in groups.
    static func make(_ schema: JSONValue?, _ value: JSONValue) -> EditForm {
        guard case .object = value, members(schema, "properties") != nil || more(schema) != nil
        else {
            return EditForm(groups: [
                .init(title: nil, path: [], fields: [field([], nil, value, isRequired: true)])
            ])
        }
        var head = EditForm.Group(title: nil, path: [], fields: [])
        var groups: [EditForm.Group] = []
        for name in names(schema, value).prefix(fieldsMax) {
            let own = self.schema(of: name, in: schema)
            let present = value.member(at: [name])
            if isMap(own), present.map(isObject) ?? true {
                groups.append(group(name, own, present ?? .object([:])))
            } else {
                let isRequired = required(schema).contains(name)
                head.fields.append(field([name], own, present, isRequired: isRequired))
            }
        }
        return EditForm(groups: (head.fields.isEmpty ? [] : [head]) + groups)
    }

    private static func group(
        _ name: String, _ schema: JSONValue?, _ value: JSONValue
    ) -> EditForm.Group {
        let fields = names(schema, value).prefix(fieldsMax).map { inner in
            field(
                [name, inner], self.schema(of: inner, in: schema), value.member(at: [inner]),
                isRequired: required(schema).contains(inner))
        }
        return .init(title: text(schema, "title") ?? name, path: [name], fields: Array(fields))
    }

    private static func field(
        _ path: [String], _ schema: JSONValue?, _ value: JSONValue?, isRequired: Bool
    ) -> EditField {
        EditField(
            path: path, title: text(schema, "title") ?? path.last ?? "The whole file",
            hint: hint(schema), kind: kind(schema, value), isRequired: isRequired, isProse: true)
    }

    // MARK: Kinds

    private static func kind(_ schema: JSONValue?, _ value: JSONValue?) -> EditField.Kind {
        if case .array(let values)? = schema?.member(at: ["enum"]), !values.isEmpty {
            return .choice(values)
        }
        let type = text(schema, "type")
        switch (type, value) {
        case ("boolean", nil), ("boolean", .bool?):
            return .toggle(byDefault: schema?.member(at: ["default"]) == true)
        case ("string", nil), ("string", .string?): return isLong(schema, value) ? .lines : .text
        case ("integer", nil), ("integer", .integer?), ("integer", .decimal?),
            ("integer", .string?),
            ("number", nil), ("number", .integer?), ("number", .decimal?), ("number", .string?):
            return .number
        case ("array", nil), ("array", .array?): return list(schema, value)
        default: return .json
        }
    }

    private static func isLong(_ schema: JSONValue?, _ value: JSONValue?) -> Bool {
        if case .string(let text)? = value {
            return text.count > lineMax || text.contains(where: \.isNewline)
        }
        if case .integer(let most)? = schema?.member(at: ["maxLength"]) { return most > lineMax }
        return false
    }

    /// Returns the kind of a list; JSON where an element is no single line.
    private static func list(_ schema: JSONValue?, _ value: JSONValue?) -> EditField.Kind {
        let items = schema?.member(at: ["items"])
        var elements: [JSONValue] = []
        if case .array(let present)? = value { elements = present }
        switch text(items, "type") {
        case "string" where elements.allSatisfy(isLine): return .list(ofNumbers: false)
        case "integer" where elements.allSatisfy(isNumber),
            "number" where elements.allSatisfy(isNumber):
            return .list(ofNumbers: true)
        default: return .json
        }
    }

    private static func isLine(_ value: JSONValue) -> Bool {
        guard case .string(let text) = value else { return false }
        return !text.isEmpty && !text.contains(where: \.isNewline)
    }

    private static func isNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .integer, .decimal: true
        default: false
        }
    }

    // MARK: Schemas

    /// Returns the names that the schema knows, and those that the value has besides.
    private static func names(_ schema: JSONValue?, _ value: JSONValue) -> [String] {
        let known = members(schema, "properties").map { $0.keys.sorted() } ?? []
        guard case .object(let present) = value else { return known }
        return known + required(schema).filter { !known.contains($0) && present[$0] == nil }
            + present.keys.sorted().filter { !known.contains($0) }
    }

    private static func schema(of name: String, in schema: JSONValue?) -> JSONValue? {
        members(schema, "properties")?[name] ?? more(schema)
    }

    /// Returns the schema of members that are not named.
    private static func more(_ schema: JSONValue?) -> JSONValue? {
        guard let more = schema?.member(at: ["additionalProperties"]), isObject(more) else {
            return nil
        }
        return more
    }

    private static func isMap(_ schema: JSONValue?) -> Bool {
        text(schema, "type") == "object" && members(schema, "properties") != nil
    }

    private static func isObject(_ value: JSONValue) -> Bool {
        if case .object = value { true } else { false }
    }

    private static func members(_ schema: JSONValue?, _ name: String) -> [String: JSONValue]? {
        guard case .object(let members)? = schema?.member(at: [name]) else { return nil }
        return members
    }

    private static func required(_ schema: JSONValue?) -> [String] {
        guard case .array(let names)? = schema?.member(at: ["required"]) else { return [] }
        return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }

    static func text(_ schema: JSONValue?, _ name: String) -> String? {
        guard case .string(let text)? = schema?.member(at: [name]), !text.isEmpty else {
            return nil
        }
        return text
    }

    private static func hint(_ schema: JSONValue?) -> String? {
        let bounds = ["minimum", "maximum"].map { name in
            schema?.member(at: [name]).map(EditField.json)
        }
        let range: String? =
            switch (bounds[0], bounds[1]) {
            case (let least?, let most?): "From \(least) to \(most)."
            case (let least?, nil): "At least \(least)."
            case (nil, let most?): "At most \(most)."
            case (nil, nil): nil
            }
        let isList = text(schema, "type") == "array"
        let words =
            [text(schema, "description").map { $0.hasSuffix(".") ? $0 : $0 + "." }, range]
            + [isList ? "One a line." : nil]
        let hint = words.compactMap(\.self).joined(separator: " ")
        return hint.isEmpty ? nil : hint
    }
}
