/// The value of a record's field.
///
/// ```swift
/// let fields: [String: FieldValue] = ["title": "Knots", "minutes": 25, "tags": .list(["rope"])]
/// if case .integer(let minutes) = fields["minutes"] { print(minutes) }
/// ```
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
    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates a whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension FieldValue {
    /// The maximum whole number that JSON carries without loss in every language: 2⁵³.
    public static let integerMax: Int64 = 1 << 53

    /// The transmitted form: a decimal without a fraction becomes a whole number.
    public var normalized: FieldValue {
        switch self {
        case .decimal(let value):
            guard let integer = Int64(exactly: value), integer.magnitude <= Self.integerMax else {
                return self
            }
            return .integer(integer)
        case .list(let values): return .list(values.map(\.normalized))
        default: return self
        }
    }

    /// The value's contribution to `RecordDigest`: a letter for the kind, then the value.
    var digestText: String {
        switch self {
        case .null: "n"
        case .bool(let value): value ? "b1" : "b0"
        case .integer(let value): "i\(value)"
        case .decimal(let value): "d" + String(value.bitPattern, radix: 16)
        case .text(let value): "t" + value
        case .list(let values): "[" + values.map(\.digestText).joined(separator: ",") + "]"
        }
    }
}
