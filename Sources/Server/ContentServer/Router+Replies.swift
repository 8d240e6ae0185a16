package import Hummingbird
package import Logging
package import Telemetry

extension Router<ServerContext> {
    /// Adds the middleware of every reply: traces, the access log and metrics, and errors as problem documents.
    package func addReplies(tracer: SpanTracer, notes: RequestNotes, logger: Logger) {
        add(middleware: TraceMiddleware(tracer: tracer))
        if notes.log != nil || notes.metrics != nil {
            add(middleware: RequestNotesMiddleware(notes: notes))
        }
        add(middleware: SniffingMiddleware())
        add(middleware: ProblemMiddleware(logger: logger))
        if let metrics = notes.metrics {
            add(middleware: RefusalCountMiddleware(metrics: metrics))
        }
        add(middleware: ExpectationMiddleware())
    }
}
