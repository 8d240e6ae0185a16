import Testing

@testable import Telemetry

@Suite struct FakesTests {
    private func body(of ids: [String]) -> [UInt8] {
        let spans = ids.map {
            Array(#"{"traceId":"\#(String(repeating: "a", count: 32))","spanId":"\#($0)"}"#.utf8)
        }
        return TraceEnvelope(TraceResource(name: "n", version: "v", instance: "i")).body(of: spans)
    }

    @Test func theCollectorAcceptsEachSpanOnce() {
        let collector = FakeCollector()

        #expect(collector.post(body(of: ["00000000000000ab"])) == .status(200))
        #expect(collector.post(body(of: ["00000000000000ab"])) == .status(400))
        #expect(collector.spanIDs == ["00000000000000ab"])
    }

    @Test func theCollectorRefusesWhatTheProtocolForbids() {
        let collector = FakeCollector()

        #expect(collector.post([]) == .status(400))
        #expect(collector.post(body(of: [])) == .status(400))
        #expect(collector.post(body(of: ["ab"])) == .status(400))
        #expect(collector.post([UInt8](repeating: 32, count: 1 << 20 + 1)) == .status(413))
        #expect(collector.spanIDs == [])
    }

    @Test func theCollectorFailsOnDemand() {
        let collector = FakeCollector()
        collector.fail(.noReply, .status(503))

        #expect(collector.post(body(of: ["00000000000000ab"])) == .noReply)
        #expect(collector.post(body(of: ["00000000000000ab"])) == .status(503))
        #expect(collector.post(body(of: ["00000000000000ab"])) == .status(200))
    }

    @Test func theTimerWakesWhoSleepsForThatLong() async throws {
        let timer = FakeTimer()
        async let short: Void = timer.sleep(.seconds(1))
        let long = Task { try await timer.sleep(.seconds(2)) }
        await timer.reached(.seconds(2))

        await timer.elapse(.seconds(1))
        try await short
        long.cancel()
        await #expect(throws: CancellationError.self) { try await long.value }
    }
}
