package import ContentModel
import Yams

/// A writer of values as YAML.
package enum YAMLText {
    /// Returns a document with names in alphabetical order and quoted text, so that it stays text.
    package static func text(_ value: JSONValue) throws -> String {
        try Yams.serialize(node: node(value), width: 100, allowUnicode: true)
    }

    private static func node(_ value: JSONValue) -> Node {
        switch value {
        case .null: return Node("null", .implicit, .plain)
        case .bool(let value): return Node(value ? "true" : "false", .implicit, .plain)
        case .integer(let value): return Node("\(value)", .implicit, .plain)
        case .decimal(let value): return Node("\(value)", .implicit, .plain)
        case .string(let value):
            return Node(value, Tag(.str), value.contains("\n") ? .literal : .doubleQuoted)
        case .array(let values): return Node(values.map(node))
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            return Node(sorted.map { (Node($0.key, .implicit, .plain), node($0.value)) })
        }
    }
}
