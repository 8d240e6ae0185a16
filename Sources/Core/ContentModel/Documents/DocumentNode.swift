/// A place in a source file; both numbers start at 1 and columns count Unicode code points.
public struct SourcePosition: Hashable, Sendable, Comparable {
    /// The line, from 1.
    public var line: Int
    /// The column in Unicode code points, from 1.
    public var column: Int

    /// Names a place.
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

/// A parsed JSON or YAML document in which every value knows where it stands.
///
/// Both the author's sources and what a device downloads are read through this tree, so that an
/// error names the same place for both.
public struct DocumentNode: Sendable {
    /// What a node holds.
    public enum Content: Sendable {
        case null
        case bool(Bool)
        case integer(Int)
        case decimal(Double)
        case string(String)
        case array([DocumentNode])
        case object([Member])
    }

    /// One name and value of an object.
    public struct Member: Sendable {
        /// The name.
        public var key: String
        /// Where the name stands.
        public var keyPosition: SourcePosition
        /// The value.
        public var value: DocumentNode

        /// Pairs a name with a value.
        public init(key: String, keyPosition: SourcePosition, value: DocumentNode) {
            self.key = key
            self.keyPosition = keyPosition
            self.value = value
        }
    }

    /// What the node holds.
    public var content: Content
    /// Where the node starts.
    public var position: SourcePosition

    /// Places a value.
    public init(_ content: Content, at position: SourcePosition) {
        self.content = content
        self.position = position
    }

    /// The first member of that name, when the node is an object.
    public func member(_ key: String) -> Member? {
        guard case .object(let members) = content else { return nil }
        return members.first { $0.key == key }
    }

    /// The same value without places.
    public var value: JSONValue {
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

    /// What an error message calls a value of this kind.
    public var kindName: String {
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

/// A document that could not be parsed at all: the first place where it breaks, and why.
public struct DocumentSyntaxError: Error, Hashable, Sendable {
    /// Where parsing stopped.
    public var position: SourcePosition
    /// What was wrong there.
    public var message: String
    /// True when the text is well formed but names one member twice.
    public var isDuplicateKey: Bool
    /// True when the document has more values than the reader takes.
    public var isTooLarge: Bool

    /// Describes a broken document.
    public init(
        position: SourcePosition, message: String, isDuplicateKey: Bool = false,
        isTooLarge: Bool = false
    ) {
        self.position = position
        self.message = message
        self.isDuplicateKey = isDuplicateKey
        self.isTooLarge = isTooLarge
    }
}
