package import ContentModel
package import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
package import ServiceAPI
import Telemetry

/// Error replies as problem documents (RFC 9457).
package enum ProblemDocument {
    package static func response(_ status: HTTPResponse.Status, _ detail: String) -> Response {
        make(status, detail, [:])
    }

    package static func response(_ error: RequestError) -> Response {
        var response = response(
            error.code, error.message, error.numbers.mapValues { .integer($0) })
        if let seconds = error.retryAfterSeconds {
            response.headers[.retryAfter] = String(seconds)
        }
        return response
    }

    package static func response(
        _ code: ProblemCode, _ detail: String, _ more: [String: JSONValue] = [:]
    ) -> Response {
        var response = make(
            .init(code: code.status, reasonPhrase: code.title), detail,
            more.merging(["code": .string(code.rawValue)]) { $1 })
        if code.status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
        return response
    }

    /// Returns the code of the reply to an error; `nil` if the reply has none.
    package static func code(of error: any Error) -> ProblemCode? {
        switch error {
        case let error as any ReplyError: error.reply.code
        case let error as HTTPError: error.status == .contentTooLarge ? .tooLong : nil
        case is NIOTooManyBytesError: .tooLong
        case let error as WireError: error.isTooLong ? .tooLong : .invalidRequest
        case is HTTPParserError: nil
        default: RequestError.busy.code
        }
    }

    private static func make(
        _ status: HTTPResponse.Status, _ detail: String, _ more: [String: JSONValue]
    ) -> Response {
        var members: [String: JSONValue] = [
            "type": "about:blank", "title": .string(status.reasonPhrase),
            "status": .integer(status.code), "detail": .string(detail),
        ]
        members.merge(more) { $1 }
        return Response(
            status: status,
            headers: [.contentType: "application/problem+json", .cacheControl: "no-store"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(bytes: JSONValue.object(members).canonicalBytes)))
    }
}

/// Middleware that turns every error into a problem document.
struct ProblemMiddleware: RouterMiddleware {
    typealias Context = ServerContext

    let logger: Logger

    @concurrent func handle(
        _ request: Request, context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as any ReplyError {
            let reply = error.reply
            if let cause = reply.cause { log(cause, context) }
            return ProblemDocument.response(reply)
        } catch let error as HTTPError {
            return error.status == .contentTooLarge
                ? ProblemDocument.response(.tooLong, "The body is longer than the limit.")
                : ProblemDocument.response(error.status, "There is nothing at this address.")
        } catch is NIOTooManyBytesError {
            return ProblemDocument.response(.tooLong, "The body is longer than the limit.")
        } catch let error as WireError {
            return ProblemDocument.response(
                error.isTooLong ? .tooLong : .invalidRequest, error.description)
        } catch is HTTPParserError {
            // The connection has its error reply and closes.
            return ProblemDocument.response(.badRequest, "The body is not HTTP/1.1.")
        } catch {
            logger.error(
                "a request failed",
                metadata: [
                    "reason": "\(type(of: error))", "trace": "\(context.trace?.traceID ?? "-")",
                ])
            var problem = RequestError.busy
            problem.retryAfterSeconds = 5
            return ProblemDocument.response(problem)
        }
    }

    /// Tells the operator of a failing database.
    private func log(_ cause: any Error, _ context: Context) {
        logger.error(
            "the database failed",
            metadata: ["reason": "\(cause)", "trace": "\(context.trace?.traceID ?? "-")"])
    }
}
