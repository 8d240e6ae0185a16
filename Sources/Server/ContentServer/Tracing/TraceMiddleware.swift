import HTTPTypes
import Hummingbird

/// Middleware that gives each request its place in a trace, and says so in the reply.
struct TraceMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var (context, random) = (context, SystemRandomNumberGenerator())
        let trace = TraceContext(request.headers[.traceParent], using: &random)
        context.trace = trace
        var response = try await next(request, context)
        response.headers[.traceParent] = trace.field
        return response
    }
}

extension HTTPField.Name {
    /// The field of the W3C recommendation.
    static let traceParent = Self("traceparent") ?? .cookie
}
