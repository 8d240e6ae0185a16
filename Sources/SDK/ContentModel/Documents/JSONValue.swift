/// A JSON value without positions, with one canonical form.
///
/// ```swift
/// let value: JSONValue = ["id": "es-001", "correct": [0], "isRetired": false]
/// print(String(decoding: value.canonicalBytes, as: UTF8.self))
/// // {"correct":[0],"id":"es-001","isRetired":false}
/// ```
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case decimal(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Creates an object from the members that have a value.
    public static func compact(_ members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues { $0 })
    }

    /// The canonical bytes: no white space, names in UTF-16 order, the shortest escapes.
    ///
    /// Equal values have equal bytes on every platform (RFC 8785, but with 64-bit integers written in full and decimals
    /// as Swift writes them).
    public var canonicalBytes: [UInt8] {
        var writer = CanonicalWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The value on several lines, for people, with names in the canonical order.
    public var prettyText: String {
        var writer = CanonicalWriter(indents: true)
        writer.write(self)
        writer.bytes.append(UInt8(ascii: "\n"))
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates an object; the later of two members with one name wins.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}

/// A writer of canonical JSON.
struct CanonicalWriter {
    var bytes: [UInt8] = []
    var indents = false
    private var depth = 0

    init(indents: Bool = false) {
        self.indents = indents
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        case .decimal(let value): write(decimal: value)
        case .string(let value): write(string: value)
        case .array(let values): write(array: values)
        case .object(let members): write(object: members)
        }
    }

    private mutating func write(decimal value: Double) {
        if let integer = Int(exactly: value) {
            bytes += String(integer).utf8
        } else {
            bytes += String(value).utf8
        }
    }

    private mutating func write(array values: [JSONValue]) {
        bytes.append(UInt8(ascii: "["))
        depth += 1
        for (index, value) in values.enumerated() {
            separate(index)
            write(value)
        }
        close(UInt8(ascii: "]"), isEmpty: values.isEmpty)
    }

    private mutating func write(object members: [String: JSONValue]) {
        bytes.append(UInt8(ascii: "{"))
        depth += 1
        let sorted = members.sorted { Self.precedes($0.key, $1.key) }
        for (index, member) in sorted.enumerated() {
            separate(index)
            write(string: member.key)
            bytes.append(UInt8(ascii: ":"))
            if indents { bytes.append(UInt8(ascii: " ")) }
            write(member.value)
        }
        close(UInt8(ascii: "}"), isEmpty: members.isEmpty)
    }

    private mutating func separate(_ index: Int) {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        newLine()
    }

    private mutating func close(_ mark: UInt8, isEmpty: Bool) {
        depth -= 1
        if !isEmpty { newLine() }
        bytes.append(mark)
    }

    private mutating func newLine() {
        guard indents else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    /// Returns true if a name precedes another in UTF-16 code units, which up to the surrogates is
    /// the order of bytes.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        for (one, other) in zip(left.utf8, right.utf8) where one != other {
            if one < 0x80 || other < 0x80 { return one < other }
            return left.utf16.lexicographicallyPrecedes(right.utf16)
        }
        return left.utf8.count < right.utf8.count
    }

    mutating func write(string: String) {
        var string = string
        bytes.append(UInt8(ascii: "\""))
        string.withUTF8 { write(text: $0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends a text, whole runs at a time between the characters to escape.
    private mutating func write(text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for (offset, byte) in text.enumerated() {
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<offset]))
            write(escaped: byte)
            start = offset + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private mutating func write(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): bytes += "\\\"".utf8
        case UInt8(ascii: "\\"): bytes += "\\\\".utf8
        case 0x08: bytes += "\\b".utf8
        case 0x09: bytes += "\\t".utf8
        case 0x0A: bytes += "\\n".utf8
        case 0x0C: bytes += "\\f".utf8
        case 0x0D: bytes += "\\r".utf8
        default:
            let digits = String(byte, radix: 16)
            bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
        }
    }
}

/// Objects whose members the caller writes in canonical order.
extension CanonicalWriter {
    mutating func open(_ mark: Unicode.Scalar) { bytes.append(UInt8(ascii: mark)) }

    mutating func close(_ mark: Unicode.Scalar) { bytes.append(UInt8(ascii: mark)) }

    /// Begins a member; all names are ASCII without characters to escape.
    mutating func name(_ name: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        write(string: text)
    }

    mutating func member(_ name: StaticString, _ value: JSONValue?) {
        guard let value else { return }
        self.name(name)
        write(value)
    }

    mutating func member<Element>(
        _ name: StaticString, _ elements: [Element],
        _ write: (inout CanonicalWriter, Element) -> Void
    ) {
        self.name(name)
        open("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(&self, element)
        }
        close("]")
    }
}
