import Foundation
import Testing
import Tracing

@testable import Telemetry

@Suite struct SpanJSONTests {
    private let envelope = TraceEnvelope(
        TraceResource(name: "underway", version: "1.4.0", instance: "a\"1"))

    private func context(_ field: String, state: String? = nil) throws -> ServiceContext {
        var context = ServiceContext.topLevel
        let trace = try #require(TraceContext(field, state: state))
        context.traceContext = trace
        return context
    }

    private func body(_ fill: (SpanTracer) throws -> Void) rethrows -> String {
        let spans = SpanCollection()
        try fill(spans.tracer())
        return String(
            decoding: envelope.body(of: spans.records.map(SpanJSON.bytes)), as: UTF8.self)
    }

    private func fill(_ span: TracedSpan, linked: ServiceContext) {
        span.attributes = [
            "text": "line\n\"quoted\" \\ é", "int": 42, "least": .int64(.min),
            "small": .int32(-7), "double": 0.1, "large": .double(1e300), "none": .double(.nan),
            "infinite": .doubleArray([.infinity, -.infinity, -2]), "bool": true,
            "ints": .int64Array([1, 2]), "int32s": .int32Array([3]),
            "bools": .boolArray([true, false]), "texts": .stringArray(["a", ""]),
            "empty": .stringArray([]), String(repeating: "n", count: 257): 1,
        ]
        span.addEvent(
            SpanEvent(name: "cache miss", at: moment(1_500), attributes: ["tries": 2]))
        span.recordError(CancellationError(), attributes: [:], at: moment(1_600))
        span.addLink(SpanLink(context: linked, attributes: ["why": "batch"]))
        span.setStatus(SpanStatus(code: .error, message: "Nobody waits."))
    }

    @Test func aBatchIsWhatTheProtocolSays() throws {
        let parent = try context(
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", state: "a=1")
        let linked = try context(
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", state: "b=2")
        let body = body { tracer in
            let full = tracer.startSpan(
                "GET /full", context: parent, ofKind: .server,
                at: moment(1_700_000_000_000_000_000))
            fill(full, linked: linked)
            full.end(at: moment(1_700_000_000_000_000_001))
            let bare = tracer.startSpan("bare", context: .topLevel, at: moment(0))
            bare.setStatus(SpanStatus(code: .ok))
            bare.end(at: moment(.max))
        }

        #expect(body == Self.golden.split(separator: "\n").joined())
    }

    @Test func eachKindHasItsNumber() {
        let kinds: [SpanKind] = [.internal, .server, .client, .producer, .consumer]
        for (index, kind) in kinds.enumerated() {
            let body = body { $0.startSpan("kind", ofKind: kind).end() }
            #expect(body.contains("\"kind\":\(index + 1),"))
        }
    }

    @Test func whatWasDroppedIsCounted() throws {
        let linked = try context("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        let body = body { tracer in
            let span = tracer.startSpan("much")
            for number in 0..<40 {
                span.attributes["\(number)"] = 1
                span.addEvent("e")
                span.addLink(SpanLink(context: linked, attributes: [:]))
            }
            span.end()
        }

        #expect(body.contains(#""droppedAttributesCount":8,"events":"#))
        #expect(body.contains(#""droppedEventsCount":24,"links":"#))
        #expect(body.contains(#""droppedLinksCount":32}"#))
    }

    @Test func everyStringOfABatchIsEscaped() throws {
        let hostile = "\"},{\\\u{1}\n"
        let hostileState = "a=\"},{\\"
        let linked = try context(
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", state: hostileState)
        let spans = SpanCollection()
        let span = spans.tracer().startSpan(hostile, context: linked)
        span.attributes = [hostile: .string(hostile), hostile + "s": .stringArray([hostile])]
        span.addEvent(SpanEvent(name: hostile, attributes: [hostile: .string(hostile)]))
        span.addLink(SpanLink(context: linked, attributes: [hostile: .string(hostile)]))
        span.setStatus(SpanStatus(code: .error, message: hostile))
        span.end()
        let envelope = TraceEnvelope(
            TraceResource(name: hostile, version: hostile, instance: hostile))

        let body = envelope.body(of: spans.records.map(SpanJSON.bytes))

        let json = try JSONSerialization.jsonObject(with: Data(body))
        let texts = Self.texts(of: json)
        #expect(texts.filter { $0 == hostile }.count == 13)
        #expect(texts.filter { $0 == hostileState }.count == 2)
        #expect(!body.contains { $0 < 0x20 })
    }

    /// Returns all strings that are values in a JSON value.
    private static func texts(of json: Any) -> [String] {
        switch json {
        case let text as String: [text]
        case let list as [Any]: list.flatMap(texts)
        case let object as [String: Any]: object.values.flatMap(texts)
        default: []
        }
    }
}
