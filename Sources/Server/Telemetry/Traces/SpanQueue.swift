/// The spans that wait for export, and the decisions what to send when.
///
/// | limit | value |
/// |---|---|
/// | spans in memory, with those of a batch in flight | 2,048 |
/// | their JSON | 8 MiB |
/// | spans of a batch | 512 |
/// | the body of a batch | 1 MiB |
///
/// Spans over a limit are dropped and counted. A batch stays in the queue until its reply, so that a retry loses
/// nothing; the next try may have more spans.
///
/// | reply | decision |
/// |---|---|
/// | 2xx | the batch is exported |
/// | none, 408, 429, 502, 503, 504 | retry after 1, 2, 4, 8, 16, 30, 30… s, or later if `Retry-After` says so, at most 60 s |
/// | other | the collector would refuse the batch for ever: it is discarded |
///
/// Source: the OTLP specification, "OTLP/HTTP Response" and "OTLP/HTTP Throttling".
struct SpanQueue: Sendable {
    static let countMax = 2_048
    static let bytesMax = 8 << 20
    static let batchCountMax = 512
    static let batchBytesMax = 1 << 20
    static let retryAfterSecondsMax = 60

    /// The next step of the exporter.
    enum Step: Equatable {
        /// Sends a batch of encoded spans, then reports the reply.
        case send([[UInt8]])
        /// Sleeps, then asks again.
        case backOff(Duration)
        /// Waits until the interval elapses or a batch is full.
        case rest
    }

    private let envelopeBytes: Int
    private var spans: [[UInt8]] = []
    private var byteCount = 0
    private var inFlightCount = 0
    /// The spans at the head that are to be sent now.
    private var dueCount = 0
    private var failuresInRow = 0
    private var delay: Duration?
    private var exportedCount = 0
    private var droppedCount = 0
    private var failedCount = 0

    /// Creates an empty queue.
    ///
    /// - Parameter envelopeBytes: The bytes of a body without spans.
    init(envelopeBytes: Int) { self.envelopeBytes = envelopeBytes }

    /// The numbers so far.
    var status: TraceExporter.Status {
        TraceExporter.Status(
            exported: exportedCount, dropped: droppedCount, failed: failedCount,
            queued: spans.count)
    }

    /// Enqueues a span.
    ///
    /// - Returns: Whether it filled a batch.
    mutating func spanEnded(_ span: [UInt8]) -> Bool {
        guard spans.count < Self.countMax, byteCount + span.count <= Self.bytesMax,
            envelopeBytes + span.count <= Self.batchBytesMax
        else {
            droppedCount += 1
            return false
        }
        let wasFull = isBatchFull
        spans.append(span)
        byteCount += span.count
        return isBatchFull && !wasFull
    }

    /// Makes all spans due that wait now.
    mutating func intervalElapsed() { dueCount = spans.count }

    /// Makes all spans due that wait now, at once.
    mutating func flushStarted() {
        intervalElapsed()
        delay = nil
    }

    /// Returns what to do next, which is to rest while a batch is in flight.
    mutating func next() -> Step {
        if let delay {
            self.delay = nil
            return .backOff(delay)
        }
        guard inFlightCount == 0, dueCount > 0 || isBatchFull else { return .rest }
        inFlightCount = nextBatchCount()
        return .send(Array(spans.prefix(inFlightCount)))
    }

    /// Ends the batch in flight.
    mutating func replied(_ reply: TraceReply) {
        let count = inFlightCount
        inFlightCount = 0
        switch reply.outcome {
        case .exported:
            exportedCount += count
            discard(count)
        case .refused:
            failedCount += count
            discard(count)
        case .retry(let afterSeconds):
            failuresInRow += 1
            delay = Self.delay(failuresInRow: failuresInRow, retryAfterSeconds: afterSeconds)
        }
    }

    private var isBatchFull: Bool {
        spans.count >= Self.batchCountMax || envelopeBytes + byteCount >= Self.batchBytesMax
    }

    private func nextBatchCount() -> Int {
        var bytes = envelopeBytes
        for (index, span) in spans.prefix(Self.batchCountMax).enumerated() {
            bytes += span.count + (index > 0 ? 1 : 0)
            if bytes > Self.batchBytesMax { return index }
        }
        return min(spans.count, Self.batchCountMax)
    }

    private mutating func discard(_ count: Int) {
        failuresInRow = 0
        byteCount -= spans.prefix(count).reduce(0) { $0 + $1.count }
        spans.removeFirst(count)
        dueCount = max(0, dueCount - count)
    }

    private static func delay(failuresInRow: Int, retryAfterSeconds: Int?) -> Duration {
        let backoff = failuresInRow > 5 ? 30 : 1 << (failuresInRow - 1)
        return .seconds(max(backoff, min(retryAfterSeconds ?? 0, retryAfterSecondsMax)))
    }
}
