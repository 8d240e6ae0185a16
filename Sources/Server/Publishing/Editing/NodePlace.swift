/// The syntactic context of a node, which decides where it ends and how it may be written.
struct NodePlace {
    /// True inside `[…]` or `{…}`, and everywhere in JSON.
    var isInFlow: Bool
    /// The indentation of the map or list that the node is in; -1 for the root.
    var parentIndent: Int
    /// True for an element of a list in block style.
    var isElement = false

    /// Returns the context of the root.
    static func root(isJSON: Bool) -> NodePlace {
        NodePlace(isInFlow: isJSON, parentIndent: -1)
    }
}
