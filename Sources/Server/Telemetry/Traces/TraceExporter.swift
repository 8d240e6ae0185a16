import Synchronization

/// An exporter of ended spans to a collector, by OTLP over HTTP in JSON.
///
/// ```swift
/// let resource = TraceResource(name: "underway", version: "1.4.0", instance: "a1")
/// let exporter = TraceExporter(resource: resource) { body in
///     await post(body, to: endpoint + TraceExporter.path, type: TraceExporter.contentType)
/// }
/// let tracer = SpanTracer(exporter: exporter, sampling: TraceSampling(share: 0.05))
/// await exporter.run()  // until the task is cancelled
/// await exporter.flush(within: .seconds(5))  // in a task that is not
/// ```
///
/// It buffers at most 2,048 spans and 8 MiB of JSON; while the collector is unreachable, further spans are dropped and
/// counted in ``status-swift.property``.
public final class TraceExporter: Sendable {
    /// The counts of an exporter; each ended span is in one of them.
    public struct Status: Sendable, Hashable {
        /// The spans that the collector accepted.
        public let exported: Int
        /// The spans that were dropped because the queue was full or they were too large.
        public let dropped: Int
        /// The spans that the collector rejected.
        public let failed: Int
        /// The queued spans, including those in flight.
        public let queued: Int
    }

    /// The path of the request, relative to the collector's base URL.
    public static let path = "/v1/traces"
    /// The type of the body, for `Content-Type`.
    public static let contentType = "application/json"
    /// The time between two exports, unless a batch of 512 spans is full earlier.
    public static let interval = Duration.seconds(5)

    private let envelope: TraceEnvelope
    private let queue: Mutex<SpanQueue>
    private let batchFilled = WakeSignal()
    private let send: @Sendable (_ body: [UInt8]) async -> TraceReply
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates an exporter, without starting it.
    ///
    /// - Parameters:
    ///   - resource: The program that the spans come from.
    ///   - sleep: A function that waits; it throws only if the task is cancelled.
    ///   - send: A function that sends a body by POST within a time limit of its own and returns the reply; it
    ///     returns early if the task is cancelled.
    public init(
        resource: TraceResource,
        sleep: @escaping @Sendable (Duration) async throws -> Void = {
            try await Task.sleep(for: $0)
        },
        send: @escaping @Sendable (_ body: [UInt8]) async -> TraceReply
    ) {
        envelope = TraceEnvelope(resource)
        queue = Mutex(SpanQueue(envelopeBytes: envelope.byteCount))
        self.sleep = sleep
        self.send = send
    }

    /// The current counts.
    public var status: Status { queue.withLock { $0.status } }

    /// Exports until the task is cancelled.
    ///
    /// Only one task may run an exporter. A batch in flight at the cancellation stays queued unless its reply arrived.
    @concurrent public func run() async {
        while !Task.isCancelled {
            await exportDue()
            await first({ try? await self.sleep(Self.interval) }, { await self.batchFilled.wait() })
            queue.withLock { $0.intervalElapsed() }
        }
    }

    /// Exports the queued spans, with retries, a last time after ``run()`` has returned.
    ///
    /// It ignores an earlier retry delay. Spans that remain after the time limit stay in ``Status/queued``. In a
    /// cancelled task it sends nothing.
    ///
    /// - Parameter limit: The time after which the work is cancelled.
    @concurrent public func flush(within limit: Duration) async {
        queue.withLock { $0.flushStarted() }
        await first({ await self.exportDue() }, { try? await self.sleep(limit) })
    }

    func spanEnded(_ span: SpanRecord) {
        let bytes = SpanJSON.bytes(of: span)
        if queue.withLock({ $0.spanEnded(bytes) }) { batchFilled.raise() }
    }

    private func exportDue() async {
        while !Task.isCancelled {
            switch queue.withLock({ $0.next() }) {
            case .send(let spans):
                let reply = await send(envelope.body(of: spans))
                queue.withLock { $0.replied(reply) }
            case .backOff(let delay):
                // A sleep that throws was cancelled, which ends the loop.
                try? await sleep(delay)
            case .rest: return
            }
        }
    }

    /// Runs both until the first has ended, then cancels the other and waits for it.
    private func first(
        _ one: @escaping @Sendable @concurrent () async -> Void,
        _ other: @escaping @Sendable @concurrent () async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask(operation: one)
            group.addTask(operation: other)
            await group.next()
            group.cancelAll()
        }
    }
}
