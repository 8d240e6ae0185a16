/// A reply of Redis in RESP3, its protocol since version 6.
public enum RESPValue: Sendable, Hashable {
    /// A text or bytes.
    case bytes([UInt8])
    /// A status, such as `OK`.
    case status(String)
    /// An integer.
    case integer(Int64)
    /// A floating-point number.
    case double(Double)
    /// A truth value.
    case boolean(Bool)
    /// No value.
    case null
    /// A list or a set.
    case array([RESPValue])
    /// A map, as alternating keys and values.
    case map([RESPValue])
    /// An error reply, unchanged.
    case error(String)
    /// A message that is not a reply to a command.
    case push([RESPValue])

    /// The text of bytes or a status; `nil` for anything else, and for bytes that are not UTF-8.
    public var text: String? {
        switch self {
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
        case .status(let text): text
        default: nil
        }
    }

    /// The integer, or an integer in a text; `nil` for anything else.
    public var integer: Int64? {
        if case .integer(let value) = self { return value }
        return text.flatMap { Int64($0) }
    }

    /// The elements of a list; `nil` for anything else.
    public var elements: [RESPValue]? {
        if case .array(let values) = self { return values }
        return nil
    }
}
