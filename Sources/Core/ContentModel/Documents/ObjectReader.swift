/// Reads the members of one object by name and kind, and reports what does not fit.
///
/// Every accessor answers `nil` both for a member that is absent and for one that does not fit;
/// in the second case it has told the report why.
public struct ObjectReader {
    /// Where problems go.
    public let report: DecodingReport
    /// Where the object starts.
    public let position: SourcePosition
    private let members: [DocumentNode.Member]

    /// Opens an object; `nil` when the node is none, which is reported.
    ///
    /// - Parameters:
    ///   - node: What should be an object.
    ///   - fields: The names that it may have; others are reported to authors.
    ///   - report: Where problems go.
    public init?(
        _ node: DocumentNode, fields: some Collection<String>, report: DecodingReport
    ) {
        guard case .object(let members) = node.content else {
            report.note(.wrongType, at: node.position, "expected a map, found \(node.kindName)")
            return nil
        }
        self.report = report
        self.position = node.position
        self.members = members
        guard report.strictness == .authored else { return }
        for member in members where !fields.contains(member.key) {
            let known = fields.sorted().joined(separator: ", ")
            report.note(
                .unknownField, at: member.keyPosition,
                "the field \"\(member.key)\" is not known here",
                hint: "Remove it or correct its spelling; known here: \(known).")
        }
    }

    /// Reads the same object into another report.
    init(_ reader: ObjectReader, report: DecodingReport) {
        self.report = report
        position = reader.position
        members = reader.members
    }

    /// Reads members that a device can do without.
    ///
    /// - Returns: What was read; `nil` on a device also where something did not fit, which then counts as
    ///   a part that is left out and says nothing against the whole.
    func optional<Value>(_ read: (ObjectReader) -> Value?) -> Value? {
        report.part { read(ObjectReader(self, report: $0)) }
    }

    /// The value of that name; a `null` counts as absent.
    public func node(_ key: String) -> DocumentNode? {
        guard let value = members.first(where: { $0.key == key })?.value else { return nil }
        if case .null = value.content { return nil }
        return value
    }

    /// The value of that name, whose absence is a problem.
    public func requiredNode(_ key: String) -> DocumentNode? {
        if let node = node(key) { return node }
        report.note(
            .missingField, at: position, "the field \"\(key)\" is missing",
            hint: "Add the field \"\(key)\".")
        return nil
    }

    /// Text of that name.
    public func string(_ key: String) -> String? { node(key).flatMap { text($0, key) } }

    /// Text of that name, whose absence is a problem.
    public func requiredString(_ key: String) -> String? {
        requiredNode(key).flatMap { text($0, key) }
    }

    /// A whole number of that name.
    public func integer(_ key: String) -> Int? { node(key).flatMap { integer($0, key) } }

    /// A whole number of that name, whose absence is a problem.
    public func requiredInteger(_ key: String) -> Int? {
        requiredNode(key).flatMap { integer($0, key) }
    }

    /// A number of that name.
    public func decimal(_ key: String) -> Double? {
        guard let node = node(key) else { return nil }
        switch node.content {
        case .integer(let value): return Double(value)
        case .decimal(let value): return value
        default: return mismatch(node, key, "a number")
        }
    }

    /// A truth value of that name.
    public func bool(_ key: String) -> Bool? {
        guard let node = node(key) else { return nil }
        guard case .bool(let value) = node.content else {
            return mismatch(node, key, "true or false")
        }
        return value
    }

    /// The elements of a list of that name.
    public func array(_ key: String) -> [DocumentNode]? {
        node(key).flatMap { elements($0, key) }
    }

    /// The elements of a list of that name, whose absence is a problem.
    public func requiredArray(_ key: String) -> [DocumentNode]? {
        requiredNode(key).flatMap { elements($0, key) }
    }

    /// A list of texts of that name.
    public func strings(_ key: String) -> [String]? {
        array(key)?.compactMap { text($0, key) }
    }

    /// A map from names to texts.
    public func stringMap(_ key: String) -> [String: String]? {
        guard let members = memberNodes(key) else { return nil }
        var map: [String: String] = [:]
        for member in members {
            map[member.key] = text(member.value, member.key)
        }
        return map
    }

    /// The members of a map of that name.
    public func memberNodes(_ key: String) -> [DocumentNode.Member]? {
        guard let node = node(key) else { return nil }
        guard case .object(let members) = node.content else {
            return mismatch(node, key, "a map")
        }
        return members
    }

    /// A value that its own type reads from text, such as a checksum.
    public func value<Value>(
        _ key: String, _ description: @autoclosure () -> String, _ make: (String) -> Value?
    ) -> Value? {
        guard let node = node(key), let text = text(node, key) else { return nil }
        if let value = make(text) { return value }
        report.note(
            .invalidValue, at: node.position, "\"\(key)\" must be \(description()), not \"\(text)\""
        )
        return nil
    }

    private func text(_ node: DocumentNode, _ key: String) -> String? {
        guard case .string(let value) = node.content else { return mismatch(node, key, "text") }
        return value
    }

    private func integer(_ node: DocumentNode, _ key: String) -> Int? {
        guard case .integer(let value) = node.content else {
            return mismatch(node, key, "a whole number")
        }
        return value
    }

    private func elements(_ node: DocumentNode, _ key: String) -> [DocumentNode]? {
        guard case .array(let values) = node.content else { return mismatch(node, key, "a list") }
        return values
    }

    private func mismatch<Value>(_ node: DocumentNode, _ key: String, _ kind: String) -> Value? {
        report.note(
            .wrongType, at: node.position, "\"\(key)\" must be \(kind), found \(node.kindName)")
        return nil
    }
}
