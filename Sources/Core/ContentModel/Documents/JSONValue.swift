/// A JSON value without places, with one canonical way to be written.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case decimal(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// An object of those members that have a value.
    public static func compact(_ members: [String: JSONValue?]) -> JSONValue {
        .object(members.compactMapValues { $0 })
    }

    /// The canonical bytes: no white space, names in UTF-16 order, the shortest escapes.
    ///
    /// The same value gives the same bytes on every platform (RFC 8785, with 64-bit whole
    /// numbers written out in full and decimals as Swift writes them).
    public var canonicalBytes: [UInt8] {
        var writer = CanonicalWriter()
        writer.write(self)
        return writer.bytes
    }

    /// The value over several lines, for people; names in the same order as the canonical form.
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
    /// Wraps text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Wraps a whole number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Wraps a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Wraps a list.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Wraps members; of two with one name the later stays.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
    }
}

/// Writes JSON in the one order and spelling that this project calls canonical.
private struct CanonicalWriter {
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
        let sorted = members.sorted { $0.key.utf16.lexicographicallyPrecedes($1.key.utf16) }
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

    private mutating func write(string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case ..<0x20:
                let digits = String(byte, radix: 16)
                bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
