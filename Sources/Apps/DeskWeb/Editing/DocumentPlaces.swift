import ContentModel

/// The places of a document's values, by which a message of the checker finds its field.
struct DocumentPlaces {
    private var values: [SourcePosition: [String]] = [:]
    private var names: [SourcePosition: [String]] = [:]

    init(_ root: DocumentNode) { add(root, []) }

    private mutating func add(_ node: DocumentNode, _ path: [String]) {
        // A map starts where its first name does: the outer value was there first.
        if values[node.position] == nil { values[node.position] = path }
        switch node.content {
        case .object(let members):
            for member in members {
                if names[member.keyPosition] == nil {
                    names[member.keyPosition] = path + [member.key]
                }
                add(member.value, path + [member.key])
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() { add(element, path + ["\(index)"]) }
        case .null, .bool, .integer, .decimal, .string: break
        }
    }

    /// Returns the path to the value that a message is about; `nil` for one about the whole document.
    func path(at position: SourcePosition) -> [String]? {
        if let path = values[position], !path.isEmpty { return path }
        // The message about a whole map stands at its start, which is that of its first name too.
        return values[position] == nil ? names[position] : nil
    }
}
