/// The identity of a request across programs, by the W3C recommendation Trace Context (level 1).
///
/// A client or proxy that traces sends `traceparent`; its trace goes on with a span of ours. Any other request begins a
/// trace of its own, so that each line of the log and each reply has one.
struct TraceContext: Sendable, Hashable {
    /// The trace: 32 lowercase hexadecimal digits, not all zero.
    let trace: String
    /// Our part of it: 16 lowercase hexadecimal digits, not all zero.
    let span: String
    /// The flags of the sender, as 01 for one that records; 00 for a trace that begins here.
    let flags: String

    /// Continues the trace that a request names, or begins one.
    ///
    /// - Parameters:
    ///   - field: The field `traceparent`; one that is malformed counts as none (section 3.2.2.3).
    ///   - random: The source of identities.
    init(_ field: String?, using random: inout some RandomNumberGenerator) {
        span = Self.digits(UInt64.random(in: 1 ... .max, using: &random))
        if let parts = field.flatMap(Self.parts) {
            (trace, flags) = parts
        } else {
            trace =
                Self.digits(UInt64.random(in: 1 ... .max, using: &random))
                + Self.digits(UInt64.random(in: 0 ... .max, using: &random))
            flags = "00"
        }
    }

    /// The value of `traceparent` for what continues after this request.
    var field: String { "00-\(trace)-\(span)-\(flags)" }

    /// Reads `version-trace-parent-flags`; a later version may have more behind another hyphen.
    private static func parts(_ field: String) -> (trace: String, flags: String)? {
        let bytes = Array(field.utf8)
        guard bytes.count >= 55, bytes.count <= 256,
            [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") })
        else { return nil }
        func text(_ range: Range<Int>) -> String? {
            let part = bytes[range]
            guard part.allSatisfy(isDigit) else { return nil }
            return String(decoding: part, as: UTF8.self)
        }
        guard let version = text(0..<2), version != "ff", let trace = text(3..<35),
            let parent = text(36..<52), let flags = text(53..<55),
            trace.contains(where: { $0 != "0" }), parent.contains(where: { $0 != "0" }),
            bytes.count == 55 || version != "00" && bytes[55] == UInt8(ascii: "-")
        else { return nil }
        return (trace, flags)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }
}
