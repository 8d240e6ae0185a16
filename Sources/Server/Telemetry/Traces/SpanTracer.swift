import Synchronization
public import Tracing

/// A backend of swift-distributed-tracing that exports by OTLP, and passes spans on by W3C Trace Context.
///
/// ```swift
/// let tracer = SpanTracer(exporter: exporter, sampling: TraceSampling(share: 0.05))
/// try await tracer.withSpan("publish release", ofKind: .internal) { span in
///     span.attributes["release.number"] = 7
///     try await publish()
/// }
/// ```
///
/// An unsampled span has identities for the log and for other programs; it reads no clock, stores no attribute and is
/// not queued. The tracer itself adds no attribute. The program's own attributes must not contain user data.
public final class SpanTracer: Tracer {
    /// The rule for recording spans.
    public let sampling: TraceSampling

    private let random: Mutex<any RandomNumberGenerator & Sendable>
    private let onEnd: @Sendable (SpanRecord) -> Void

    init(
        sampling: TraceSampling, using random: any RandomNumberGenerator & Sendable,
        onEnd: @escaping @Sendable (SpanRecord) -> Void
    ) {
        self.sampling = sampling
        self.random = Mutex(random)
        self.onEnd = onEnd
    }

    /// Creates a tracer whose ended spans an exporter sends.
    ///
    /// The thread that ends a span encodes it as JSON.
    ///
    /// - Parameters:
    ///   - exporter: The destination.
    ///   - sampling: The rule for recording spans.
    ///   - random: The source of identities.
    public convenience init(
        exporter: TraceExporter, sampling: TraceSampling,
        using random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.init(sampling: sampling, using: random) { exporter.spanEnded($0) }
    }

    /// A tracer that gives spans identities and records none.
    public static let silent = SpanTracer(
        sampling: TraceSampling(share: 0, followsParent: false),
        using: SystemRandomNumberGenerator(), onEnd: { _ in })

    /// Starts a child of the context's span, or the first span of a new trace.
    public func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext,
        ofKind kind: SpanKind, at instant: @autoclosure () -> Instant,
        function: String, file fileID: String, line: UInt
    ) -> TracedSpan {
        var context = context()
        let parent = context.traceContext
        let own = identity(under: parent)
        context.traceContext = own
        let record =
            own.isSampled
            ? SpanRecord(
                own, parent: parent?.span, name: SpanLimits.cut(operationName), kind: kind,
                start: instant().nanosecondsSinceEpoch)
            : nil
        return TracedSpan(operationName, context: context, record: record, onEnd: onEnd)
    }

    private func identity(under parent: TraceContext?) -> TraceContext {
        var own = random.withLock { random in
            parent?.child(using: &random) ?? TraceContext(using: &random)
        }
        own.isSampled = sampling.samples(own, hasParent: parent != nil)
        return own
    }

    /// Sets the context's span to the sender of `traceparent`; a malformed field leaves the context unchanged.
    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        guard let field = extractor.extract(key: TraceField.parent, from: carrier) else { return }
        let state = extractor.extract(key: TraceField.state, from: carrier)
        guard let parent = TraceContext(field, state: state) else { return }
        context.traceContext = parent
    }

    /// Sets `traceparent`, and `tracestate` if the trace has one, for the context's span.
    public func inject<Carrier, Inject: Injector>(
        _ context: ServiceContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let own = context.traceContext else { return }
        injector.inject(own.field, forKey: TraceField.parent, into: &carrier)
        guard let state = own.state else { return }
        injector.inject(state, forKey: TraceField.state, into: &carrier)
    }

    /// Does nothing, since it cannot wait: call ``TraceExporter/flush(within:)``.
    @available(*, deprecated)
    public func forceFlush() {}
}
