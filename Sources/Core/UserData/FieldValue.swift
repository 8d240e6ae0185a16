/// The value of a record's field.
public enum FieldValue: Sendable, Hashable, Codable {
    case null
    case bool(Bool)
    case integer(Int64)
    case decimal(Double)
    case text(String)
    case list([FieldValue])
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    /// Wraps text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Wraps a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Wraps a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
