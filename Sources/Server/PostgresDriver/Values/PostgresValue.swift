/// An encoded parameter of a statement.
///
/// ```swift
/// let number = PostgresValue(42)
/// let nothing = PostgresValue.null
/// ```
public struct PostgresValue: Sendable, Hashable {
    enum Content: Sendable, Hashable {
        case null
        case text([UInt8])
        case binary([UInt8])
        /// A value that cannot be sent to the server.
        case refused(SQLState)
    }

    var type: PostgresType
    var content: Content

    init(_ type: PostgresType, _ content: Content) {
        self.type = type
        self.content = content
    }

    /// Encodes a value.
    public init(_ value: some PostgresEncodable) { self = value.postgresValue }

    /// NULL of a type that the server infers.
    public static let null = PostgresValue(.unspecified, .null)

    /// Wraps bytes in the binary format of a type.
    public static func binary(_ type: PostgresType, _ bytes: [UInt8]) -> PostgresValue {
        PostgresValue(type, .binary(bytes))
    }
}

/// A type whose values can be parameters of a statement.
///
/// Integers, `Bool`, `Double`, `Float`, `Date` (timestamptz), `UUID`, `[UInt8]` (bytea) and arrays are sent in binary
/// form. A `String` is sent as text of a type that the server infers, so it may also be jsonb, numeric or a date.
///
/// ```swift
/// extension Identifier: PostgresEncodable {
///     var postgresValue: PostgresValue { text.postgresValue }
/// }
/// ```
public protocol PostgresEncodable {
    /// The encoded value.
    var postgresValue: PostgresValue { get }
}

/// A type whose values can be elements of an array parameter, or of an array in a result.
public protocol PostgresArrayElement {
    /// Encodes an array.
    static func encodeArray(_ values: [Self]) -> PostgresValue
    /// Decodes an array.
    static func decodeArray(_ field: PostgresField) throws(PostgresDecodingError.Reason) -> [Self]
}

extension PostgresValue: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The type only, since the value may be a user's.
    public var description: String { "a parameter of type \(type.rawValue)" }
    /// The type.
    public var debugDescription: String { description }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension PostgresValue: PostgresEncodable {
    /// This value.
    public var postgresValue: PostgresValue { self }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    /// The wrapped value, or NULL.
    public var postgresValue: PostgresValue { self?.postgresValue ?? .null }
}

extension Array: PostgresEncodable where Element: PostgresArrayElement {
    /// A one-dimensional array, or bytea for `[UInt8]`.
    public var postgresValue: PostgresValue { Element.encodeArray(self) }
}
