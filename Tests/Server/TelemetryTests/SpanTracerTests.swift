import Testing
import Tracing

@testable import Telemetry

@Suite struct SpanTracerTests {
    private static let known = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test func aNestedSpanIsTheChildOfTheOuterOne() throws {
        let spans = SpanCollection()
        let tracer = spans.tracer()

        tracer.withSpan("outer") { _ in
            tracer.withSpan("inner", ofKind: .client) { _ in }
            tracer.withSpan("second") { _ in }
        }

        #expect(spans.records.map(\.name) == ["inner", "second", "outer"])
        let outer = try #require(spans.records.last)
        #expect(outer.parent == nil && outer.context.isSampled)
        for inner in spans.records.dropLast() {
            #expect(inner.parent == outer.context.span)
            #expect(inner.context.traceID == outer.context.traceID)
        }
        #expect(Set(spans.records.map(\.context.spanID)).count == 3)
        #expect(spans.records[0].kind == .client)
    }

    @Test func spansWithoutAParentAreDifferentTraces() {
        let spans = SpanCollection()
        let tracer = spans.tracer()

        for _ in 0..<100 { tracer.startSpan("root").end() }

        #expect(Set(spans.records.map(\.context.traceID)).count == 100)
    }

    @Test func aRequestsSpanIsTheChildOfTheSender() throws {
        let spans = SpanCollection()
        let tracer = spans.tracer(share: 0)
        var context = ServiceContext.topLevel
        tracer.extract(
            ["traceparent": Self.known, "tracestate": "a=1"], into: &context, using: Fields())

        let span = tracer.startSpan("request", context: context, ofKind: .server)
        var sent: [String: String] = [:]
        tracer.inject(span.context, into: &sent, using: Fields())
        span.end()

        let record = try #require(spans.records.first)
        #expect(record.parent == 0x00f0_67aa_0ba9_02b7)
        #expect(record.context.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
        #expect(sent == ["traceparent": record.context.field, "tracestate": "a=1"])
    }

    @Test func aMalformedOrMissingFieldLeavesTheContext() {
        let tracer = SpanCollection().tracer()
        for carrier in [[:], ["traceparent": "00-x", "tracestate": "a=1"], ["tracestate": "a=1"]] {
            var context = ServiceContext.topLevel
            tracer.extract(carrier, into: &context, using: Fields())
            #expect(context.isEmpty)

            var sent: [String: String] = [:]
            tracer.inject(context, into: &sent, using: Fields())
            #expect(sent.isEmpty)
        }
    }

    @Test func aSpanThatIsNotSampledRecordsNothingAndReadsNoClock() throws {
        let spans = SpanCollection()
        let tracer = spans.tracer(share: 0)
        var readings = 0
        func now() -> DefaultTracerClock.Timestamp {
            readings += 1
            return moment(1)
        }

        let span = tracer.startSpan("quiet", at: now())
        span.attributes["a"] = 1
        span.addEvent("e")
        span.recordError(CancellationError(), attributes: [:], at: now())
        span.operationName = "other"
        span.end(at: now())

        #expect(spans.records.isEmpty && readings == 0)
        #expect(!span.isRecording && span.attributes.isEmpty && span.operationName == "quiet")
        let context = try #require(span.context.traceContext)
        #expect(context.field.hasSuffix("-00"))
    }

    @Test func aChildOfASpanThatIsNotSampledIsNotEither() {
        let spans = SpanCollection()
        let none = spans.tracer(share: 0)
        let all = spans.tracer(share: 1)

        none.withSpan("outer") { _ in
            none.startSpan("inner").end()
            all.startSpan("inner").end()
        }

        #expect(spans.records.isEmpty)
    }

    @Test func oneTraceIsDecidedAlikeInEachProgram() {
        for seed in UInt64(0)..<200 {
            let (here, there) = (SpanCollection(), SpanCollection())
            let span = here.tracer(share: 0.5, followsParent: false, seed: seed).startSpan("here")
            var fields: [String: String] = [:]
            let tracer = there.tracer(share: 0.5, followsParent: false, seed: seed + 1_000)
            tracer.inject(span.context, into: &fields, using: Fields())
            var context = ServiceContext.topLevel
            tracer.extract(fields, into: &context, using: Fields())

            tracer.startSpan("there", context: context).end()
            span.end()

            #expect(here.records.count == there.records.count, "seed \(seed)")
        }
    }
}
