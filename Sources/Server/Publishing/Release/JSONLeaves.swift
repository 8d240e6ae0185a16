import ContentModel

extension JSONValue {
    /// The same as one object with a member for each value that has no parts, named by its way there, as `announcements/[1]/link`.
    ///
    /// An object in a list is named by its id where those differ, so that one that moves is not another. Each list says in
    /// `#` what is in it and in which order; names are escaped (RFC 6901 and two signs more), so that two values differ
    /// wherever their leaves do, and only there.
    var leaves: JSONValue {
        var leaves: [String: JSONValue] = [:]
        collect(&leaves, "")
        // A value without parts is all there is.
        guard leaves[""] == nil else { return .object(["#": self]) }
        return .object(
            Dictionary(
                leaves.map { (String($0.key.dropFirst()), $0.value) }, uniquingKeysWith: { $1 }))
    }

    private func collect(_ leaves: inout [String: JSONValue], _ path: String) {
        switch self {
        case .object(let members) where !members.isEmpty:
            for (name, value) in members {
                value.collect(&leaves, "\(path)/\(Self.escaped(name))")
            }
        case .array(let elements) where !elements.isEmpty:
            let ids = Self.ids(of: elements) ?? elements.indices.map(String.init)
            leaves[path + "/#"] = .string(ids.joined(separator: ", "))
            for (id, element) in zip(ids, elements) {
                element.collect(&leaves, "\(path)/[\(Self.escaped(id))]")
            }
        default: leaves[path] = self
        }
    }

    /// Returns the ids of objects in a list; `nil` unless all have one of their own.
    private static func ids(of elements: [JSONValue]) -> [String]? {
        let ids = elements.compactMap { element -> String? in
            guard case .object(let members) = element else { return nil }
            return switch members["id"] ?? members["identifier"] {
            case .string(let id): id
            case .integer(let id): "\(id)"
            default: nil
            }
        }
        return Set(ids).count == elements.count ? ids : nil
    }

    private static func escaped(_ name: String) -> String {
        name.replacing("~", with: "~0").replacing("/", with: "~1").replacing("#", with: "~2")
            .replacing("[", with: "~3")
    }
}
