import HTTPTypes
import Hummingbird
import Telemetry
import Tracing

/// Middleware that gives each request its span, and says so in the reply.
///
/// A span has the pattern of the route, never the path: that has names and ids.
struct TraceMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let tracer: SpanTracer

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var parent = ServiceContext.topLevel
        tracer.extract(request.headers, into: &parent, using: FieldExtractor())
        let method = ServerMetrics.known(request.method.rawValue)
        return try await tracer.withSpan(method, context: parent, ofKind: .server) { span in
            var context = context
            context.trace = span.context.traceContext
            var response = try await next(request, context)
            Self.describe(response, to: ServerMetrics.route(context.endpointPath), method, in: span)
            if let trace = context.trace { response.headers[.traceParent] = trace.field }
            return response
        }
    }

    /// Sets what OpenTelemetry's conventions for HTTP servers name, as far as it says nothing of the client.
    private static func describe(
        _ response: Response, to route: String, _ method: String, in span: TracedSpan
    ) {
        guard span.isRecording else { return }
        span.operationName = "\(method) \(route)"
        span.attributes["http.request.method"] = method
        span.attributes["http.route"] = route
        span.attributes["http.response.status_code"] = response.status.code
        if response.status.kind == .serverError { span.setStatus(SpanStatus(code: .error)) }
    }
}

/// The fields of a request for a tracer.
private struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? {
        HTTPField.Name(key).flatMap { fields[$0] }
    }
}

extension HTTPField.Name {
    /// The field of the W3C recommendation.
    static let traceParent = Self("traceparent") ?? .cookie
}
