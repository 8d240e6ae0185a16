import Synchronization
public import Tracing

/// A span of ``SpanTracer``.
///
/// It stores at most 32 attributes, 16 events and 8 links, each event or link with at most 8 attributes, and counts
/// dropped ones. Texts are truncated to 1,024 bytes. A span that is not sampled or has ended ignores all changes.
///
/// Attributes, names, events and status messages must not contain user data or secrets: they leave the machine.
public final class TracedSpan: Span {
    private let state: Mutex<SpanRecord?>
    private let firstName: String
    private let onEnd: @Sendable (SpanRecord) -> Void

    /// The context for work inside of this span.
    public let context: ServiceContext

    init(
        _ name: String, context: ServiceContext, record: SpanRecord?,
        onEnd: @escaping @Sendable (SpanRecord) -> Void
    ) {
        firstName = name
        self.context = context
        state = Mutex(record)
        self.onEnd = onEnd
    }

    /// True when the span is sampled and has not ended.
    public var isRecording: Bool { state.withLock { $0 != nil } }

    /// The operation's name, truncated to 1,024 bytes; the first one if the span does not record.
    public var operationName: String {
        get { state.withLock { $0?.name } ?? firstName }
        set { change { $0.name = SpanLimits.cut(newValue) } }
    }

    /// The accepted attributes; none if the span does not record.
    ///
    /// Above 32, existing attributes remain, then the first by name.
    public var attributes: SpanAttributes {
        get { SpanAttributes(state.withLock { $0?.attributes.values } ?? [:]) }
        set {
            guard isRecording else { return }
            let cut = CutAttributes(newValue)
            change { $0.attributes.replace(with: cut) }
        }
    }

    /// Sets the status; the last one wins.
    public func setStatus(_ status: SpanStatus) {
        let message = status.message.map { SpanLimits.cut($0) }
        let status = SpanStatus(code: status.code, message: message)
        change { $0.status = status }
    }

    /// Adds an event.
    public func addEvent(_ event: SpanEvent) {
        guard isRecording else { return }
        let event = SpanRecord.Event(event)
        change { $0.add(event) }
    }

    /// Adds an event with the type of an error, and sets the status to error unless one is set.
    ///
    /// The error's description is not recorded, since it may contain secrets.
    public func recordError(
        _ error: any Error, attributes: SpanAttributes,
        at instant: @autoclosure () -> some TracerInstant
    ) {
        guard isRecording else { return }
        let event = SpanRecord.Event(
            error, attributes: attributes, nanoseconds: instant().nanosecondsSinceEpoch)
        change { record in
            record.add(event)
            record.status = record.status ?? SpanStatus(code: .error)
        }
    }

    /// Adds a link to another span of ``SpanTracer`` or of a request; other contexts are ignored.
    public func addLink(_ link: SpanLink) {
        guard isRecording, let link = SpanRecord.Link(link) else { return }
        change { $0.add(link) }
    }

    /// Ends the span and enqueues it for export; a second call does nothing.
    public func end(at instant: @autoclosure () -> some TracerInstant) {
        guard var record = state.withLock({ $0.take() }) else { return }
        record.ended(at: instant().nanosecondsSinceEpoch)
        onEnd(record)
    }

    private func change(_ body: (inout SpanRecord) -> Void) {
        state.withLock { record in
            guard var changed = record.take() else { return }
            body(&changed)
            record = changed
        }
    }
}
