import ContentModel

/// One step of a path through a document.
enum DocumentStep: Hashable, Sendable {
    /// The value of a key in a map.
    case member(String)
    /// The element of a list, from 0.
    case element(Int)
}

extension DocumentNode {
    /// Returns the node at the end of a path; `nil` where there is none.
    func node(at path: some Collection<DocumentStep>) -> DocumentNode? {
        guard let step = path.first else { return self }
        switch (step, content) {
        case (.member(let key), .object): return member(key)?.value.node(at: path.dropFirst())
        case (.element(let index), .array(let elements)) where elements.indices.contains(index):
            return elements[index].node(at: path.dropFirst())
        default: return nil
        }
    }
}

extension JSONValue {
    /// Returns the value with the one at the end of a path replaced; the path must exist.
    func replacing(_ path: some Collection<DocumentStep>, with value: JSONValue) -> JSONValue {
        guard let step = path.first else { return value }
        switch (step, self) {
        case (.member(let key), .object(var members)):
            members[key] = members[key]?.replacing(path.dropFirst(), with: value)
            return .object(members)
        case (.element(let index), .array(var elements)) where elements.indices.contains(index):
            elements[index] = elements[index].replacing(path.dropFirst(), with: value)
            return .array(elements)
        default: return self
        }
    }
}
