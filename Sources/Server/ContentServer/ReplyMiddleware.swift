import HTTPTypes
import Hummingbird
import NIOCore

/// Middleware that forbids browsers to guess media types (`X-Content-Type-Options: nosniff`).
struct SniffingMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        return response
    }
}

/// Middleware that requests the body of a request with `Expect: 100-continue` once a handler reads
/// it.
struct ExpectationMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    private struct WantedBody: AsyncSequence, Sendable {
        typealias Element = ByteBuffer

        let base: RequestBody
        let channel: any Channel

        func makeAsyncIterator() -> RequestBody.AsyncIterator {
            channel.triggerUserOutboundEvent(BodyRequested(), promise: nil)
            return base.makeAsyncIterator()
        }
    }

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.expect] != nil else { return try await next(request, context) }
        var request = request
        request.body = RequestBody(
            asyncSequence: WantedBody(base: request.body, channel: context.channel))
        return try await next(request, context)
    }
}
