import Foundation

/// Header fields that an app adds to each of its requests, such as the key of a gateway.
///
/// Every host that a release names receives them, so they must not contain a user's secret.
///
/// ```swift
/// let fields = try ExtraHeaderFields(["X-App-Version": "3.1"])
/// let transport = HTTPTransport(headerFields: fields)
/// transport.close()
/// ```
public struct ExtraHeaderFields: Sendable, Hashable {
    /// The values by name.
    public let values: [String: String]

    /// The maximum length of all names and values together, in bytes.
    public static let bytesMax = 8 << 10

    /// The fields that the SDK or HTTP itself sets, in lowercase.
    static let reserved: Set<String> = [
        "accept", "accept-encoding", "authorization", "cache-control", "connection",
        "content-encoding", "content-length", "content-type", "cookie", "expect", "host",
        "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "keep-alive", "proxy-authorization", "proxy-connection", "range", "te", "trailer",
        "transfer-encoding", "upgrade", "user-agent",
    ]

    /// Creates no fields.
    public init() { values = [:] }

    /// Creates fields after a check of their names and values.
    ///
    /// - Parameter fields: Values by name; names are compared case-insensitively.
    /// - Throws: `TransportError` `badHeaderField` for a name that is no token (RFC 9110, section 5.6.2), occurs twice
    ///   or is set by the SDK, for a value with characters other than visible ASCII and spaces, and above ``bytesMax``.
    public init(_ fields: [String: String]) throws(TransportError) {
        var names: Set<String> = []
        var byteCount = 0
        for (name, value) in fields {
            guard Self.isToken(name) else {
                throw Self.error(name, "is no valid name. Use letters, digits and -.")
            }
            let lowercase = name.lowercased()
            guard !Self.reserved.contains(lowercase) else {
                throw Self.error(name, "is set by the SDK. Use a name of your own.")
            }
            guard names.insert(lowercase).inserted else {
                throw Self.error(name, "stands twice. Leave one out.")
            }
            guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw Self.error(name, "has bytes that cannot be sent. Use visible ASCII.")
            }
            byteCount += name.utf8.count + value.utf8.count
        }
        guard byteCount <= Self.bytesMax else {
            throw TransportError(
                .badHeaderField,
                "The header fields have more than \(Self.bytesMax) bytes. Send fewer.")
        }
        values = fields
    }

    private static func error(_ name: String, _ text: String) -> TransportError {
        let shown = String(
            name.unicodeScalars.filter { $0.value >= 0x20 }.prefix(64).map(Character.init))
        return TransportError(.badHeaderField, "The header field \"\(shown)\" \(text)")
    }

    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains($0)
                }
            }
    }
}
