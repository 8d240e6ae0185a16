/// The identity of a span across programs, by the W3C recommendation Trace Context (level 1).
///
/// ```swift
/// var random = SystemRandomNumberGenerator()
/// let parent = request.headers["traceparent"].flatMap { TraceContext($0) }
/// let own = parent?.child(using: &random) ?? TraceContext(using: &random)
/// reply.headers["traceparent"] = own.field
/// ```
public struct TraceContext: Sendable, Hashable {
    /// The maximum size of a forwarded `tracestate`, in bytes; a longer value is discarded.
    public static let stateBytesMax = 512

    let traceHigh: UInt64
    let traceLow: UInt64
    let span: UInt64
    /// True when the span's program records it: the only flag of level 1.
    public internal(set) var isSampled: Bool
    /// The value of `tracestate`, which this program forwards unchanged.
    public let state: String?

    private init(
        traceHigh: UInt64, traceLow: UInt64, span: UInt64, isSampled: Bool, state: String?
    ) {
        self.traceHigh = traceHigh
        self.traceLow = traceLow
        self.span = span
        self.isSampled = isSampled
        self.state = state
    }

    /// Creates the first span of a new trace, which is not sampled.
    ///
    /// - Parameter random: The source of identities.
    public init(using random: inout some RandomNumberGenerator) {
        self.init(
            traceHigh: .random(in: 1 ... .max, using: &random),
            traceLow: .random(in: 0 ... .max, using: &random),
            span: .random(in: 1 ... .max, using: &random), isSampled: false, state: nil)
    }

    /// Parses the fields of a request; `nil` for a malformed `traceparent`, which counts as none (section 3.2.2.3).
    ///
    /// A version later than 00 may have further fields after another hyphen. Version ff and all-zero identities are
    /// malformed.
    ///
    /// - Parameters:
    ///   - field: The field `traceparent`.
    ///   - state: The field `tracestate`; ignored if it is too long or contains other bytes than printable ASCII.
    public init?(_ field: String, state: String? = nil) {
        let bytes = Array(field.utf8.prefix(257))
        guard bytes.count >= 55, bytes.count <= 256,
            [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = SpanDigits.number(bytes[0..<2]), version != 0xFF,
            bytes.count == 55 || version != 0 && bytes[55] == UInt8(ascii: "-"),
            let high = SpanDigits.number(bytes[3..<19]),
            let low = SpanDigits.number(bytes[19..<35]),
            let span = SpanDigits.number(bytes[36..<52]),
            let flags = SpanDigits.number(bytes[53..<55]),
            high != 0 || low != 0, span != 0
        else { return nil }
        self.init(
            traceHigh: high, traceLow: low, span: span, isSampled: flags & 1 == 1,
            state: state.flatMap(Self.passedOn))
    }

    /// Returns another span of the same trace, with the same flag and `tracestate`.
    ///
    /// - Parameter random: The source of identities.
    /// - Returns: The span whose parent this one is.
    public func child(using random: inout some RandomNumberGenerator) -> TraceContext {
        TraceContext(
            traceHigh: traceHigh, traceLow: traceLow, span: .random(in: 1 ... .max, using: &random),
            isSampled: isSampled, state: state)
    }

    /// The trace: 32 lowercase hexadecimal digits, not all zero.
    public var traceID: String { SpanDigits.text(traceHigh) + SpanDigits.text(traceLow) }

    /// The span: 16 lowercase hexadecimal digits, not all zero.
    public var spanID: String { SpanDigits.text(span) }

    /// The value of `traceparent` for a request that this span makes.
    ///
    /// Flags that level 1 does not define are zero (section 3.2.2.5.2).
    public var field: String { "00-\(traceID)-\(spanID)-\(isSampled ? "01" : "00")" }

    private static func passedOn(_ state: String) -> String? {
        let bytes = state.utf8.prefix(stateBytesMax + 1)
        guard (1...stateBytesMax).contains(bytes.count),
            bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 })
        else { return nil }
        return state
    }
}

/// Lowercase hexadecimal digits.
enum SpanDigits {
    /// Returns the number that at most 16 digits say; `nil` if one of the bytes is no lowercase digit.
    static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for byte in digits {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = number << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                number = number << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }

    /// Returns 16 digits.
    static func text(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
