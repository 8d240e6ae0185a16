import Testing
import Tracing

@testable import Telemetry

@Suite struct TracedSpanTests {
    private struct SecretFailure: Error, CustomStringConvertible {
        var description: String { "password=hunter2" }
    }

    /// Returns what is exported of a span that a closure fills.
    private func record(_ fill: (TracedSpan) throws -> Void) throws -> SpanRecord {
        let spans = SpanCollection()
        let span = spans.tracer().startSpan("name", at: moment(100))
        try fill(span)
        span.end(at: moment(200))
        return try #require(spans.records.first)
    }

    @Test func theTimesAreThoseOfTheInstants() throws {
        let record = try record { _ in }

        #expect(record.start == 100 && record.end == 200)
    }

    @Test func anEndBeforeTheStartIsTheStart() {
        let spans = SpanCollection()
        spans.tracer().startSpan("name", at: moment(100)).end(at: moment(99))

        #expect(spans.records.map(\.end) == [100])
    }

    @Test func aSpanEndsOnceAndIgnoresWhatComesLater() {
        let spans = SpanCollection()
        let span = spans.tracer().startSpan("name", at: moment(100))
        span.end(at: moment(200))
        let first = spans.records

        span.attributes["late"] = true
        span.operationName = "late"
        span.setStatus(SpanStatus(code: .error))
        span.addEvent("late")
        span.end(at: moment(300))

        #expect(spans.records == first && first.count == 1 && !span.isRecording)
    }

    @Test func attributesAreBoundedAndTheFirstStay() throws {
        let record = try record { span in
            for number in 0..<40 { span.attributes["k\(100 - number)"] = number }
            span.attributes["k100"] = "changed"
            #expect(span.attributes.count == 32)
        }

        #expect(record.attributes.values.count == 32 && record.attributes.droppedCount == 8)
        #expect(record.attributes.values["k100"] == .string("changed"))
        #expect(record.attributes.values["k69"] == .int64(31))
        #expect(record.attributes.values["k68"] == nil)
    }

    @Test func ofManyAttributesAtOnceTheFirstByNameStay() throws {
        let names = (10..<50).map { "k\($0)" }
        let record = try record { span in
            span.attributes = SpanAttributes(
                Dictionary(uniqueKeysWithValues: names.map { ($0, .bool(true)) }))
        }

        #expect(record.attributes.values.keys.sorted() == Array(names.prefix(32)))
        #expect(record.attributes.droppedCount == 8)
    }

    @Test func anAttributeWithoutAProperNameIsDropped() throws {
        let longest = String(repeating: "n", count: 256)
        let record = try record { span in
            span.attributes = [longest: 1, longest + "n": 2, "": 3]
        }

        #expect(record.attributes.values == [longest: .int64(1)])
        #expect(record.attributes.droppedCount == 2)
    }

    @Test func eventsAndLinksAreBounded() throws {
        var random = SeededGenerator(seed: 3)
        var linked = ServiceContext.topLevel
        linked.traceContext = TraceContext(using: &random)
        let many = SpanAttributes(
            Dictionary(uniqueKeysWithValues: (10..<30).map { ("k\($0)", .int64($0)) }))
        let record = try record { span in
            for number in 0..<20 {
                span.addEvent(SpanEvent(name: "e\(number)", at: moment(1), attributes: many))
                span.addLink(SpanLink(context: linked, attributes: many))
                span.addLink(SpanLink(context: .topLevel, attributes: [:]))
            }
        }

        #expect(record.events.map(\.name) == (0..<16).map { "e\($0)" })
        #expect(record.droppedEventCount == 4)
        #expect(record.links.count == 8 && record.droppedLinkCount == 12)
        for attributes in record.events.map(\.attributes) + record.links.map(\.attributes) {
            #expect(attributes.values.count == 8 && attributes.droppedCount == 12)
        }
    }

    @Test func textsAreCutOnACharacterBoundary() throws {
        let family = "👨‍👩‍👧"  // 18 bytes
        let text = String(repeating: "a", count: 1_010) + family
        let record = try record { span in
            span.operationName = text
            span.attributes["cut"] = text
            span.attributes["fits"] = String(repeating: "é", count: 512)
            span.attributes["array"] = SpanAttribute.stringArray([text, "second", "third", "four"])
            span.setStatus(SpanStatus(code: .error, message: text))
            span.addEvent(SpanEvent(name: text))
        }
        let cut = String(repeating: "a", count: 1_010)

        #expect(record.name == cut && record.events.map(\.name) == [cut])
        #expect(record.status?.message == cut)
        #expect(
            record.attributes.values == [
                "cut": .string(cut), "fits": .string(String(repeating: "é", count: 512)),
                "array": .stringArray([cut]),
            ])
        #expect(SpanLimits.cut("e\u{301}x", bytesMax: 2) == "")
        #expect(SpanLimits.cut("e\u{301}x", bytesMax: 3) == "e\u{301}")
    }

    @Test func arraysAreCutAndOtherValuesBecomeTexts() throws {
        let record = try record { span in
            span.attributes["numbers"] = SpanAttribute.int32Array(Array(0..<100))
            span.attributes["source"] = SpanAttribute.stringConvertible(UInt8(7))
            span.attributes["sources"] = SpanAttribute.stringConvertibleArray([true, 1.5])
        }

        #expect(
            record.attributes.values == [
                "numbers": .int32Array(Array(0..<64)), "source": .string("7"),
                "sources": .stringArray(["true", "1.5"]),
            ])
    }

    @Test func anErrorLeavesItsTypeAndNoDescription() throws {
        let many = SpanAttributes(
            Dictionary(uniqueKeysWithValues: (10..<30).map { ("a\($0)", .bool(true)) }))
        let record = try record { span in
            span.recordError(SecretFailure(), attributes: many, at: moment(150))
        }

        let event = try #require(record.events.first)
        #expect(event.name == "exception" && event.nanoseconds == 150)
        #expect(event.attributes.values["exception.type"] == .string("SecretFailure"))
        #expect(event.attributes.values.count == 8)
        #expect(record.status == SpanStatus(code: .error))
        let json = String(decoding: SpanJSON.bytes(of: record), as: UTF8.self)
        #expect(!json.contains("hunter2"))
    }

    @Test func anErrorThatIsThrownThroughASpanIsRecorded() throws {
        let spans = SpanCollection()
        #expect(throws: SecretFailure.self) {
            try spans.tracer().withSpan("name") { _ in throw SecretFailure() }
        }

        #expect(spans.records.map(\.status) == [SpanStatus(code: .error)])
    }

    @Test func aStatusThatWasSetOutlastsAnError() throws {
        let record = try record { span in
            span.setStatus(SpanStatus(code: .ok))
            span.recordError(SecretFailure())
        }

        #expect(record.status == SpanStatus(code: .ok))
    }

    @Test func manyTasksSetAndEndOneSpanWithoutHarm() async {
        for round in UInt64(0)..<50 {
            let spans = SpanCollection()
            let span = spans.tracer(seed: round).startSpan("shared")
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for number in 0..<20 {
                            span.updateAttributes { $0["\(task).\(number)"] = number }
                            span.addEvent("e")
                        }
                        span.end()
                    }
                }
            }

            #expect(spans.records.count == 1 && !span.isRecording)
            for record in spans.records {
                #expect((1...32).contains(record.attributes.values.count))
                #expect(record.events.count == 16 && record.droppedEventCount >= 4)
            }
        }
    }
}
