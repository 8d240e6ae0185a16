/// A position in a source file; both numbers start at 1 and columns count Unicode code points.
public struct SourcePosition: Hashable, Sendable, Comparable {
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode code points, from 1.
    public var column: Int

    /// Creates a position.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first character of a file.
    public static let start = SourcePosition(line: 1, column: 1)

    /// Orders by line, then by column.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A parsed JSON or YAML document in which every value has its position.
///
/// Both the author's sources and a device's downloads are read through this tree, so that an error
/// names the same position for both.
package struct DocumentNode: Sendable {
    /// The content of a node.
    package enum Content: Sendable {
        case null
        case bool(Bool)
        case integer(Int)
        case decimal(Double)
        case string(String)
        case array([DocumentNode])
        case object([Member])
    }

    /// One name and value of an object.
    package struct Member: Sendable {
        /// The name.
        package var key: String
        /// The position of the name.
        package var keyPosition: SourcePosition
        /// The value.
        package var value: DocumentNode

        /// Creates a member.
        package init(key: String, keyPosition: SourcePosition, value: DocumentNode) {
            self.key = key
            self.keyPosition = keyPosition
            self.value = value
        }
    }

    /// The content.
    package var content: Content
    /// The position of the node's first character.
    package var position: SourcePosition

    /// Creates a node.
    package init(_ content: Content, at position: SourcePosition) {
        self.content = content
        self.position = position
    }

    /// Returns the first member of that name when the node is an object.
    package func member(_ key: String) -> Member? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.key == key }
    }

    /// The same value without positions.
    package var value: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .decimal(let value): .decimal(value)
        case .string(let value): .string(value)
        case .array(let values): .array(values.map(\.value))
        case .object(let members):
            .object(
                Dictionary(members.map { ($0.key, $0.value.value) }, uniquingKeysWith: { $1 }))
        }
    }

    /// The kind of the value in words for an error message.
    package var kindName: String {
        switch content {
        case .null: "nothing"
        case .bool: "true or false"
        case .integer: "a whole number"
        case .decimal: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "a map"
        }
    }
}

/// The error of a document that cannot be parsed: the first position where it breaks, and the
/// reason.
package struct DocumentSyntaxError: Error, Hashable, Sendable {
    /// The position where parsing stopped.
    package var position: SourcePosition
    /// The reason.
    package var message: String
    /// True when the text is well formed but an object has a name twice.
    package var isDuplicateKey: Bool
    /// True when the document has more values than the reader's limit.
    package var isTooLarge: Bool

    /// Creates an error.
    package init(
        position: SourcePosition, message: String, isDuplicateKey: Bool = false,
        isTooLarge: Bool = false
    ) {
        self.position = position
        self.message = message
        self.isDuplicateKey = isDuplicateKey
        self.isTooLarge = isTooLarge
    }
}
