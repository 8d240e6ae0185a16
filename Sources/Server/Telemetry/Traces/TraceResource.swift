/// The program that spans come from, as OpenTelemetry's conventions name it.
public struct TraceResource: Sendable, Hashable {
    /// The attribute `service.name`.
    public let name: String
    /// The attribute `service.version`.
    public let version: String
    /// The attribute `service.instance.id`, which differs between processes of one service.
    public let instance: String

    /// Creates a resource, with texts truncated to 1,024 bytes.
    public init(name: String, version: String, instance: String) {
        self.name = SpanLimits.cut(name)
        self.version = SpanLimits.cut(version)
        self.instance = SpanLimits.cut(instance)
    }
}

/// The JSON around the spans of a request: an `ExportTraceServiceRequest` with one resource and scope.
struct TraceEnvelope: Sendable {
    private let head: [UInt8]
    private let tail = Array("]}]}]}".utf8)

    init(_ resource: TraceResource) {
        let attributes = SpanJSON.bytes(of: [
            ("service.name", resource.name), ("service.version", resource.version),
            ("service.instance.id", resource.instance),
        ])
        head =
            Array(#"{"resourceSpans":[{"resource":{"attributes":"#.utf8) + attributes
            + Array(#"},"scopeSpans":[{"scope":{"name":"underway"},"spans":["#.utf8)
    }

    /// The bytes of a body without spans.
    var byteCount: Int { head.count + tail.count }

    /// Returns a request's body.
    func body(of spans: [[UInt8]]) -> [UInt8] {
        var body = head
        body.reserveCapacity(byteCount + spans.reduce(0) { $0 + $1.count + 1 })
        for (index, span) in spans.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += span
        }
        return body + tail
    }
}
