import Tracing

/// The JSON encoding of OTLP (opentelemetry-proto 1.x, `trace.proto` and `common.proto`).
///
/// Identities are in hexadecimal, 64-bit numbers are strings, enumerations are numbers, empty members are left out.
enum SpanJSON {
    /// Returns an object `Span`.
    static func bytes(of span: SpanRecord) -> [UInt8] {
        var json = JSONText()
        json.object { json in
            identity(of: span, to: &json)
            attributes(span.attributes, to: &json)
            list("events", span.events, &json) { event($1, to: &$0) }
            dropped("droppedEventsCount", span.droppedEventCount, &json)
            list("links", span.links, &json) { link($1, to: &$0) }
            dropped("droppedLinksCount", span.droppedLinkCount, &json)
            status(span.status, to: &json)
        }
        return json.bytes
    }

    /// Returns an array `KeyValue` of texts.
    static func bytes(of texts: [(name: String, value: String)]) -> [UInt8] {
        var json = JSONText()
        json.array(texts) { json, text in member(text.name, .string(text.value), to: &json) }
        return json.bytes
    }

    private static func identity(of span: SpanRecord, to json: inout JSONText) {
        text("traceId", span.context.traceID, to: &json)
        text("spanId", span.context.spanID, to: &json)
        if let state = span.context.state { text("traceState", state, to: &json) }
        if let parent = span.parent { text("parentSpanId", SpanDigits.text(parent), to: &json) }
        text("name", span.name, to: &json)
        number("kind", number(of: span.kind), to: &json)
        text("startTimeUnixNano", String(span.start), to: &json)
        text("endTimeUnixNano", String(span.end), to: &json)
    }

    private static func number(of kind: SpanKind) -> Int {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    private static func event(_ event: SpanRecord.Event, to json: inout JSONText) {
        json.object { json in
            text("timeUnixNano", String(event.nanoseconds), to: &json)
            text("name", event.name, to: &json)
            attributes(event.attributes, to: &json)
        }
    }

    private static func link(_ link: SpanRecord.Link, to json: inout JSONText) {
        json.object { json in
            text("traceId", link.context.traceID, to: &json)
            text("spanId", link.context.spanID, to: &json)
            if let state = link.context.state { text("traceState", state, to: &json) }
            attributes(link.attributes, to: &json)
        }
    }

    private static func status(_ status: SpanStatus?, to json: inout JSONText) {
        guard let status else { return }
        json.name("status")
        json.object { json in
            if let message = status.message { text("message", message, to: &json) }
            number("code", status.code == .ok ? 1 : 2, to: &json)
        }
    }

    private static func attributes(_ attributes: BoundedAttributes, to json: inout JSONText) {
        let sorted = attributes.values.sorted { $0.key < $1.key }
        list("attributes", sorted, &json) { member($1.key, $1.value, to: &$0) }
        dropped("droppedAttributesCount", attributes.droppedCount, &json)
    }

    private static func member(_ name: String, _ value: SpanAttribute, to json: inout JSONText) {
        json.object { json in
            text("key", name, to: &json)
            json.name("value")
            SpanJSON.value(value, to: &json)
        }
    }

    private static func list<Element>(
        _ name: String, _ elements: [Element], _ json: inout JSONText,
        _ write: (inout JSONText, Element) -> Void
    ) {
        guard !elements.isEmpty else { return }
        json.name(name)
        json.array(elements, write)
    }

    private static func dropped(_ name: String, _ count: Int, _ json: inout JSONText) {
        if count > 0 { number(name, count, to: &json) }
    }

    private static func text(_ name: String, _ value: String, to json: inout JSONText) {
        json.name(name)
        json.string(value)
    }

    private static func number(_ name: String, _ value: Int, to json: inout JSONText) {
        json.name(name)
        json.literal(String(value))
    }
}
