/// A reader of one object's members by name and kind, which reports those that do not match.
///
/// Every accessor returns `nil` both for a member that is absent and for one that does not match;
/// in the second case the report has the reason.
package struct ObjectReader {
    /// The report that collects problems.
    package let report: DecodingReport
    /// The position of the object.
    package let position: SourcePosition
    private var members: [DocumentNode.Member]
    /// The kind of a released object, which has the fields that may be read.
    private var shape: DocumentShape?

    /// Creates a reader; reports the problem and returns `nil` when the node is not an object.
    ///
    /// - Parameters:
    ///   - node: The object.
    ///   - fields: The names that it may have; others are reported to authors.
    ///   - report: The report that collects problems.
    package init?(
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

    /// Creates a reader of an object of a release, as an author writes it or as a device reads it; reports the
    /// problem and returns `nil` when the node is not an object.
    ///
    /// - Parameters:
    ///   - node: The object.
    ///   - shape: The kind of object, which has the names that are known.
    ///   - report: The report that collects problems.
    init?(_ node: DocumentNode, as shape: DocumentShape, report: DecodingReport) {
        self.init(node, fields: shape.fields + shape.authoredFields, report: report)
        self.shape = shape
        guard let profile = report.profile else { return }
        members = members.filter { member in
            if profile.knows(member.key, of: shape) || !shape.fields.contains(member.key) {
                return true
            }
            if case .null = member.value.content { return false }
            report.noteIgnored(member.key, of: shape, at: member.keyPosition)
            return false
        }
    }

    /// Creates a reader of the same object with another report.
    init(_ reader: ObjectReader, report: DecodingReport) {
        self.report = report
        position = reader.position
        members = reader.members
        shape = reader.shape
    }

    /// Reads members that are optional for a device.
    ///
    /// - Returns: The value; on a device also `nil` for an error, which then counts as an omitted part and does not
    ///   reject the document.
    func optional<Value>(_ read: (ObjectReader) -> Value?) -> Value? {
        report.part { read(ObjectReader(self, report: $0)) }
    }

    /// Returns the member's value; `null` counts as absent.
    package func node(_ key: String) -> DocumentNode? {
        assert(
            shape.map { ($0.fields + $0.authoredFields).contains(key) } ?? true,
            "The field \"\(key)\" is missing in DocumentShape, and so in the profile of this version."
        )
        guard let value = members.first(where: { $0.key == key })?.value else { return nil }
        if case .null = value.content { return nil }
        return value
    }

    /// Returns the member's value; reports its absence.
    package func requiredNode(_ key: String) -> DocumentNode? {
        if let node = node(key) { return node }
        report.note(
            .missingField, at: position, "the field \"\(key)\" is missing",
            hint: "Add the field \"\(key)\".")
        return nil
    }

    /// Returns a text.
    package func string(_ key: String) -> String? { node(key).flatMap { text($0, key) } }

    /// Returns a text; reports its absence.
    package func requiredString(_ key: String) -> String? {
        requiredNode(key).flatMap { text($0, key) }
    }

    /// Returns a whole number.
    package func integer(_ key: String) -> Int? { node(key).flatMap { integer($0, key) } }

    /// Returns a whole number; reports its absence.
    package func requiredInteger(_ key: String) -> Int? {
        requiredNode(key).flatMap { integer($0, key) }
    }

    /// Returns a number.
    package func decimal(_ key: String) -> Double? {
        guard let node = node(key) else { return nil }
        switch node.content {
        case .integer(let value): return Double(value)
        case .decimal(let value): return value
        default: return mismatch(node, key, "a number")
        }
    }

    /// Returns a truth value.
    package func bool(_ key: String) -> Bool? {
        guard let node = node(key) else { return nil }
        guard case .bool(let value) = node.content else {
            return mismatch(node, key, "true or false")
        }
        return value
    }

    /// Returns the elements of a list.
    package func array(_ key: String) -> [DocumentNode]? {
        node(key).flatMap { elements($0, key) }
    }

    /// Returns the elements of a list; reports its absence.
    package func requiredArray(_ key: String) -> [DocumentNode]? {
        requiredNode(key).flatMap { elements($0, key) }
    }

    /// Returns a list of texts.
    package func strings(_ key: String) -> [String]? {
        array(key)?.compactMap { text($0, key) }
    }

    /// Returns an object of texts.
    package func stringMap(_ key: String) -> [String: String]? {
        guard let members = memberNodes(key) else { return nil }
        var map: [String: String] = [:]
        for member in members {
            map[member.key] = text(member.value, member.key)
        }
        return map
    }

    /// Returns the members of an object.
    package func memberNodes(_ key: String) -> [DocumentNode.Member]? {
        guard let node = node(key) else { return nil }
        guard case .object(let members) = node.content else {
            return mismatch(node, key, "a map")
        }
        return members
    }

    /// Returns a value that its own type parses from text, such as a checksum.
    package func value<Value>(
        _ key: String, _ description: @autoclosure () -> String, _ make: (String) -> Value?
    ) -> Value? {
        guard let node = node(key), let text = text(node, key) else { return nil }
        if let value = make(text) { return value }
        report.note(
            .invalidValue, at: node.position, "\"\(key)\" must be \(description()), not \"\(text)\""
        )
        return nil
    }

    /// Returns one of the names that the reader knows; reports another.
    func value<Value: RawRepresentable<String>>(
        _ key: String, of vocabulary: Vocabulary, _ description: @autoclosure () -> String
    ) -> Value? {
        value(key, description()) {
            report.knows($0, in: vocabulary) ? Value(rawValue: $0) : nil
        }
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
