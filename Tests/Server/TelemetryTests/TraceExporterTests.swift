import Testing
import Tracing

@testable import Telemetry

@Suite(.timeLimit(.minutes(1))) struct TraceExporterTests {
    private let timer = FakeTimer()
    private let collector = FakeCollector()
    private let exporter: TraceExporter
    private let tracer: SpanTracer

    init() {
        exporter = TraceExporter(
            resource: TraceResource(name: "underway", version: "1", instance: "a"),
            sleep: { [timer] in try await timer.sleep($0) },
            send: { [collector] in collector.post($0) })
        tracer = SpanTracer(
            exporter: exporter, sampling: TraceSampling(share: 1),
            using: SeededGenerator(seed: 1))
    }

    private func endSpans(_ count: Int) {
        for _ in 0..<count { tracer.startSpan("span").end() }
    }

    private func status(
        exported: Int = 0, dropped: Int = 0, failed: Int = 0, queued: Int = 0
    ) -> TraceExporter.Status {
        TraceExporter.Status(exported: exported, dropped: dropped, failed: failed, queued: queued)
    }

    /// Runs the exporter while a closure looks at it.
    private func whileRunning(_ body: () async throws -> Void) async rethrows {
        let run = Task { [exporter] in await exporter.run() }
        defer { run.cancel() }
        try await body()
        run.cancel()
        await run.value
    }

    @Test func everyFiveSecondsWhatWaitsIsExported() async {
        await whileRunning {
            await timer.reached(.seconds(5))
            endSpans(3)
            #expect(exporter.status == status(queued: 3) && collector.spanIDs.isEmpty)

            await timer.elapse(.seconds(5))
            await timer.reached(.seconds(5))

            #expect(exporter.status == status(exported: 3))
            #expect(collector.spanIDs.count == 3)
        }
    }

    @Test func aFullBatchDoesNotWaitForTheInterval() async {
        await whileRunning {
            await timer.reached(.seconds(5))
            endSpans(512)
            var replies = collector.replies.makeAsyncIterator()

            #expect(await replies.next() == .status(200))
            await timer.reached(.seconds(5))
            #expect(exporter.status == status(exported: 512) && collector.batchSizes == [512])
        }
    }

    @Test func anOutageLosesOnlyWhatTheQueueCannotHold() async {
        collector.fail(.status(503, retryAfterSeconds: 7), .noReply, .status(429))
        endSpans(600)
        await whileRunning {
            await timer.reached(.seconds(7))
            endSpans(2_000)
            #expect(exporter.status == status(dropped: 552, queued: 2_048))
            await timer.elapse(.seconds(7))
            await timer.elapse(.seconds(2))
            await timer.elapse(.seconds(4))
            await timer.reached(.seconds(5))

            #expect(exporter.status == status(exported: 2_048, dropped: 552))
            #expect(collector.batchSizes == [512, 512, 512, 512])
            #expect(Set(collector.spanIDs).count == 2_048)
        }
    }

    @Test func aRefusedBatchDoesNotStopTheNext() async {
        collector.fail(.status(400))
        endSpans(512 * 2)
        await whileRunning {
            await timer.reached(.seconds(5))

            #expect(exporter.status == status(exported: 512, failed: 512))
        }
    }

    @Test func aCancellationEndsTheRunAndAFlushExportsTheRest() async {
        await whileRunning { await timer.reached(.seconds(5)) }
        endSpans(700)

        await exporter.flush(within: .seconds(3))

        #expect(exporter.status == status(exported: 700))
        #expect(collector.batchSizes == [512, 188])
    }

    @Test func aBatchThatIsCancelledInFlightIsExportedByTheFlush() async {
        let (timer, collector) = (timer, collector)
        let exporter = TraceExporter(
            resource: TraceResource(name: "underway", version: "1", instance: "a"),
            sleep: { try await timer.sleep($0) },
            send: { body in
                // The connection hangs until the task is cancelled, in which nothing is sent.
                if collector.batchSizes.isEmpty, (try? await timer.sleep(.seconds(99))) == nil {
                    collector.fail(.noReply)
                }
                return collector.post(body)
            })
        let tracer = SpanTracer(exporter: exporter, sampling: TraceSampling(share: 1))
        for _ in 0..<512 { tracer.startSpan("span").end() }
        let run = Task { await exporter.run() }
        await timer.reached(.seconds(99))
        run.cancel()
        await run.value
        #expect(exporter.status == status(queued: 512))

        async let flush: Void = exporter.flush(within: .seconds(3))
        await timer.elapse(.seconds(99))
        await flush

        #expect(exporter.status == status(exported: 512))
    }

    @Test func aCancellationEndsABackoff() async {
        collector.fail(.noReply)
        endSpans(512)
        await whileRunning { await timer.reached(.seconds(1)) }

        #expect(exporter.status == status(queued: 512))
    }

    @Test func aFlushGivesUpWhenItsTimeIsOver() async {
        collector.fail(.noReply, .noReply)
        endSpans(5)
        async let flush: Void = exporter.flush(within: .seconds(3))
        await timer.elapse(.seconds(1))
        await timer.reached(.seconds(2))
        await timer.elapse(.seconds(3))
        await flush

        #expect(exporter.status == status(queued: 5))
    }

    @Test func aFlushInACancelledTaskSendsNothing() async {
        endSpans(5)
        let task = Task { [exporter] in
            withUnsafeCurrentTask { $0?.cancel() }
            await exporter.flush(within: .seconds(3))
        }
        await task.value

        #expect(exporter.status == status(queued: 5) && collector.spanIDs.isEmpty)
    }

    @Test func aSpanThatIsNotSampledIsNotQueued() {
        let quiet = SpanTracer(exporter: exporter, sampling: TraceSampling(share: 0))
        quiet.startSpan("span").end()

        #expect(exporter.status == status())
    }

    @Test func manyTasksLoseNoSpan() async {
        await whileRunning {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { [self] in endSpans(500) }
                }
            }
            await exporter.flush(within: .seconds(3))
            let now = exporter.status
            #expect(now.exported + now.queued + now.dropped == 4_000 && now.failed == 0)
        }
        await exporter.flush(within: .seconds(3))

        let end = exporter.status
        #expect(end.exported + end.dropped == 4_000)
        #expect(Set(collector.spanIDs).count == end.exported)
    }
}
