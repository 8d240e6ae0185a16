import Hummingbird
import ServiceAPI

/// The destinations for notes about replies: the access log and the metrics, each optional.
package struct RequestNotes: Sendable {
    package var log: AccessLog?
    package var metrics: ServerMetrics?

    package init(log: AccessLog? = nil, metrics: ServerMetrics? = nil) {
        self.log = log
        self.metrics = metrics
    }

    /// Notes a published file that was in memory.
    func published(method: String, path: String, status: Int, bytes: Int) {
        log?.note(method: method, path: path, status: status, bytes: bytes)
        metrics?.countPublished(status: status, bytes: bytes)
    }

    /// Notes a reply to what is no request that a route could have.
    func refused(method: String, path: String, status: Int, bytes: Int) {
        log?.note(method: method, path: path, status: status, bytes: bytes)
        metrics?.count(
            route: ServerMetrics.unknownRoute, method: method, status: status, bytes: bytes)
    }
}

/// Notes the replies of the router.
struct RequestNotesMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let notes: RequestNotes

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        notes.metrics?.requestBegan()
        let response: Response
        do {
            // Errors are replies already, but for a request that is cancelled: `ProblemMiddleware` is below.
            response = try await next(request, context)
        } catch {
            notes.metrics?.requestAbandoned()
            throw error
        }
        let (status, bytes) = (response.status.code, response.body.contentLength ?? 0)
        let took = start.duration(to: .now)
        notes.log?.note(
            method: request.method.rawValue, path: request.uri.path, status: status, bytes: bytes,
            trace: context.trace, took: took)
        notes.metrics?.requestEnded(
            route: ServerMetrics.route(context.endpointPath),
            method: request.method.rawValue, status: status, bytes: bytes, took: took)
        return response
    }
}

/// Counts the refusals of routes, which are errors until `ProblemMiddleware` makes replies of them.
struct RefusalCountMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let metrics: ServerMetrics

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            if let code = ProblemDocument.code(of: error) { metrics.countRefusal(code) }
            throw error
        }
    }
}
