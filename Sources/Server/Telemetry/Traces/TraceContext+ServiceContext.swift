public import Tracing

extension ServiceContext {
    /// The span of this context, if a tracer or a request set one.
    ///
    /// For the log: `ServiceContext.current?.traceContext?.traceID`.
    public var traceContext: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}

private enum TraceContextKey: ServiceContextKey {
    typealias Value = TraceContext
    static var nameOverride: String? { TraceField.parent }
}

/// The fields of the W3C recommendation.
enum TraceField {
    static let parent = "traceparent"
    static let state = "tracestate"
}
