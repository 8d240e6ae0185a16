package import ContentModel
import Yams

/// A writer of values as YAML.
package enum YAMLText {
    /// Returns a document with keys in the order in which authors write them (`id`, `type`, `stem`, `options`,
    /// `correct` …), and quoted text, so that it stays text.
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
            return Node(
                SourceFragment.ordered(members.keys).map {
                    (Node($0, .implicit, .plain), node(members[$0] ?? .null))
                })
        }
    }
}
