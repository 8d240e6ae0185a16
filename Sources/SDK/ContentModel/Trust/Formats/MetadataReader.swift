/// A reader of one JSON object of metadata, which throws at the first member that does not match.
///
/// Unknown members are ignored, and are part of what is signed (TUF 4).
struct MetadataReader {
    /// The role whose file is read, for errors.
    let role: String
    /// The place of the object in the file, for errors.
    let place: String
    let members: [DocumentNode.Member]

    init(_ node: DocumentNode, role: String, place: String) throws(TrustError) {
        guard case .object(let members) = node.content else {
            throw .invalid(role, "\(place) must be a map, found \(node.kindName)")
        }
        self.role = role
        self.place = place
        self.members = members
    }

    /// Returns a member's value; `null` counts as absent.
    func optional(_ name: String) -> DocumentNode? {
        guard let node = members.first(where: { $0.key == name })?.value else { return nil }
        if case .null = node.content { return nil }
        return node
    }

    func node(_ name: String) throws(TrustError) -> DocumentNode {
        guard let node = optional(name) else { throw .invalid(role, "\(place).\(name) is missing") }
        return node
    }

    func object(_ name: String) throws(TrustError) -> MetadataReader {
        try MetadataReader(try node(name), role: role, place: "\(place).\(name)")
    }

    func string(_ name: String) throws(TrustError) -> String {
        guard case .string(let text) = try node(name).content else {
            throw .invalid(role, "\(place).\(name) must be text")
        }
        return text
    }

    /// Returns a whole number from `least` to `TrustLimits.versionMax`.
    func integer(_ name: String, least: Int) throws(TrustError) -> Int {
        guard case .integer(let value) = try node(name).content,
            (least...TrustLimits.versionMax).contains(value)
        else { throw .invalid(role, "\(place).\(name) must be a whole number from \(least)") }
        return value
    }

    func bool(_ name: String) throws(TrustError) -> Bool {
        guard case .bool(let value) = try node(name).content else {
            throw .invalid(role, "\(place).\(name) must be true or false")
        }
        return value
    }

    func list(_ name: String) throws(TrustError) -> [DocumentNode] {
        guard case .array(let values) = try node(name).content else {
            throw .invalid(role, "\(place).\(name) must be a list")
        }
        return values
    }

    func strings(_ name: String) throws(TrustError) -> [String] {
        var texts: [String] = []
        for node in try list(name) {
            guard case .string(let text) = node.content else {
                throw .invalid(role, "\(place).\(name) must be a list of texts")
            }
            texts.append(text)
        }
        return texts
    }

    /// Reads the value of each member as an object.
    func entries<Value>(
        _ read: (MetadataReader) throws(TrustError) -> Value
    ) throws(TrustError) -> [String: Value] {
        var entries: [String: Value] = [:]
        for member in members {
            entries[member.key] = try read(
                MetadataReader(
                    member.value, role: role, place: "\(place).\(member.key.prefix(64))"))
        }
        return entries
    }
}
