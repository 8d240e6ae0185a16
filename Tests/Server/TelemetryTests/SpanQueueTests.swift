import Testing

@testable import Telemetry

@Suite struct SpanQueueTests {
    private func queue(_ count: Int, bytesEach: Int = 100, envelopeBytes: Int = 50) -> SpanQueue {
        var queue = SpanQueue(envelopeBytes: envelopeBytes)
        for _ in 0..<count { _ = queue.spanEnded([UInt8](repeating: 0x61, count: bytesEach)) }
        return queue
    }

    private func status(
        exported: Int = 0, dropped: Int = 0, failed: Int = 0, queued: Int = 0
    ) -> TraceExporter.Status {
        TraceExporter.Status(exported: exported, dropped: dropped, failed: failed, queued: queued)
    }

    /// Returns the number of spans that the queue sends next; `nil` for another step.
    private func batchCount(_ queue: inout SpanQueue) -> Int? {
        guard case .send(let spans) = queue.next() else { return nil }
        return spans.count
    }

    /// Returns whether a span fills a batch.
    private func spanEnded(_ queue: inout SpanQueue, bytes: Int = 1) -> Bool {
        queue.spanEnded([UInt8](repeating: 0x61, count: bytes))
    }

    @Test func fewSpansWaitForTheInterval() {
        var queue = queue(3)

        #expect(queue.next() == .rest)
        queue.intervalElapsed()
        #expect(batchCount(&queue) == 3)
        #expect(queue.next() == .rest, "A batch is in flight.")
        queue.replied(.status(200))
        #expect(queue.next() == .rest)
        #expect(queue.status == status(exported: 3))
    }

    @Test func anEmptyQueueSendsNothing() {
        var queue = queue(0)
        queue.intervalElapsed()

        #expect(queue.next() == .rest)
    }

    @Test func spansLeaveInTheOrderOfTheirEnds() {
        var queue = SpanQueue(envelopeBytes: 0)
        for byte in UInt8(0)..<3 { _ = queue.spanEnded([byte]) }
        queue.intervalElapsed()

        #expect(queue.next() == .send([[0], [1], [2]]))
    }

    @Test func theSpanThatFillsABatchSaysSo() {
        var queue = queue(511)

        #expect(queue.next() == .rest)
        #expect(spanEnded(&queue))
        #expect(!spanEnded(&queue), "Only the one that fills it.")
        #expect(batchCount(&queue) == 512)
        queue.replied(.status(204))
        #expect(queue.next() == .rest, "The one behind waits for the interval.")
        #expect(queue.status == status(exported: 512, queued: 1))
    }

    @Test func anIntervalSendsAllThatWaitedThenAndNoMore() {
        var queue = queue(600)
        queue.intervalElapsed()

        #expect(batchCount(&queue) == 512)
        queue.replied(.status(200))
        #expect(batchCount(&queue) == 88)
        for _ in 0..<5 { _ = queue.spanEnded([1]) }
        queue.replied(.status(200))
        #expect(queue.next() == .rest)
        #expect(queue.status == status(exported: 600, queued: 5))
    }

    @Test func aFullQueueDropsTheNewOnesAndCountsThem() {
        var queue = queue(2_048 + 3)

        #expect(queue.status == status(dropped: 3, queued: 2_048))
        #expect(batchCount(&queue) == 512)
        #expect(!spanEnded(&queue), "Spans in flight count, too.")
        queue.replied(.status(200))
        _ = queue.spanEnded([1])
        #expect(queue.status == status(exported: 512, dropped: 4, queued: 1_537))
    }

    @Test func theBytesInMemoryAreBounded() {
        let queue = queue(20, bytesEach: 1 << 20 - 50)

        // 8 MiB hold 8 of them.
        #expect(queue.status == status(dropped: 12, queued: 8))
    }

    @Test func aBatchHasAtMostAMebibyte() {
        // Three of them, two commas and the envelope are 1,048,577 bytes: one too many.
        var queue = queue(4, bytesEach: 349_509, envelopeBytes: 48)

        #expect(batchCount(&queue) == 2, "It is full without an interval.")
        queue.replied(.status(200))
        queue.intervalElapsed()
        #expect(batchCount(&queue) == 2)

        var fitting = self.queue(4, bytesEach: 349_509, envelopeBytes: 47)
        #expect(batchCount(&fitting) == 3)
    }

    @Test func aSpanThatFitsNoBatchIsDropped() {
        var queue = SpanQueue(envelopeBytes: 50)

        #expect(!spanEnded(&queue, bytes: 1 << 20 - 49))
        #expect(queue.status == status(dropped: 1))
        #expect(spanEnded(&queue, bytes: 1 << 20 - 50))
        #expect(batchCount(&queue) == 1)
    }

    @Test func failuresInARowWaitLongerUpToHalfAMinute() {
        var queue = queue(2)
        queue.intervalElapsed()

        for seconds in [1, 2, 4, 8, 16, 30, 30, 30] {
            #expect(batchCount(&queue) == 2)
            queue.replied(.noReply)
            #expect(queue.next() == .backOff(.seconds(seconds)))
        }
        #expect(queue.status == status(queued: 2))
    }

    @Test func aSuccessEndsTheRow() {
        var queue = queue(600)
        queue.intervalElapsed()
        for _ in 0..<4 {
            _ = queue.next()
            queue.replied(.status(503))
            _ = queue.next()
        }

        #expect(batchCount(&queue) == 512)
        queue.replied(.status(200))
        #expect(batchCount(&queue) == 88)
        queue.replied(.status(503))
        #expect(queue.next() == .backOff(.seconds(1)))
    }

    @Test(arguments: [(nil, 1), (0, 1), (-5, 1), (7, 7), (60, 60), (61, 60), (86_400, 60)])
    func retryAfterIsHonouredUpToAMinuteAndNeverShortensTheBackoff(field: Int?, seconds: Int) {
        var queue = queue(1)
        queue.intervalElapsed()
        _ = queue.next()

        queue.replied(.status(429, retryAfterSeconds: field))

        #expect(queue.next() == .backOff(.seconds(seconds)))
    }

    @Test(arguments: [
        TraceReply.noReply, .status(408), .status(429), .status(502), .status(503), .status(504),
    ])
    func aFailureThatMayPassIsRetried(reply: TraceReply) {
        var queue = queue(1)
        queue.intervalElapsed()
        _ = queue.next()

        queue.replied(reply)

        #expect(queue.next() == .backOff(.seconds(1)))
        #expect(batchCount(&queue) == 1)
    }

    @Test(arguments: [100, 301, 400, 401, 403, 404, 413, 415, 499, 500, 501, 505])
    func aBatchThatIsRefusedIsDiscarded(code: Int) {
        var queue = queue(513)
        _ = queue.next()

        queue.replied(.status(code, retryAfterSeconds: 9))

        #expect(queue.status == status(failed: 512, queued: 1))
        #expect(queue.next() == .rest)
    }

    @Test func aRetryHasTheSpansThatCameMeanwhile() {
        var queue = queue(1)
        queue.intervalElapsed()
        _ = queue.next()
        queue.replied(.noReply)
        _ = queue.next()
        _ = queue.spanEnded([2])

        #expect(batchCount(&queue) == 2)
        queue.replied(.status(200))
        #expect(queue.status == status(exported: 2))
    }

    @Test func aFlushDoesNotWaitForTheRetry() {
        var queue = queue(1)
        queue.intervalElapsed()
        _ = queue.next()
        queue.replied(.noReply)

        queue.flushStarted()

        #expect(batchCount(&queue) == 1)
    }

    /// Whatever happens, each span is in one of the numbers and no limit is passed.
    @Test(arguments: UInt64(0)..<20) func noSpanIsLostOrCountedTwice(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = SpanQueue(envelopeBytes: 50)
        var (endedCount, isInFlight) = (0, false)
        let replies: [TraceReply] = [.noReply, .status(200), .status(429), .status(400)]
        for _ in 0..<2_000 {
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                for _ in 0..<Int.random(in: 0..<200, using: &random) {
                    let length = Int.random(in: 1..<10_000, using: &random)
                    _ = queue.spanEnded([UInt8](repeating: 0x61, count: length))
                    endedCount += 1
                }
            case 1: queue.intervalElapsed()
            case 2 where isInFlight:
                queue.replied(replies[Int.random(in: 0..<4, using: &random)])
                isInFlight = false
            default:
                guard case .send(let spans) = queue.next() else { continue }
                #expect(!isInFlight && (1...512).contains(spans.count), "seed \(seed)")
                #expect(spans.reduce(50 - 1) { $0 + $1.count + 1 } <= 1 << 20, "seed \(seed)")
                isInFlight = true
            }
            let status = queue.status
            #expect(status.queued <= 2_048, "seed \(seed)")
            #expect(
                status.exported + status.dropped + status.failed + status.queued == endedCount,
                "seed \(seed)")
        }
    }
}
