package import HTTPTypes
package import Hummingbird

/// A handler for one method of a path.
package typealias RouteHandler = @Sendable (Request, ServerContext) async throws -> Response

extension Router<ServerContext> {
    /// The methods for which 405 is sent where a path does not allow them.
    private static var methods: [HTTPRequest.Method] {
        [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
            + ["QUERY", "SEARCH"].compactMap { HTTPRequest.Method($0) }
    }

    /// Adds a path with its handlers; for other methods the server replies with 405 and lists the allowed ones.
    package func add(_ path: String, _ handlers: [HTTPRequest.Method: RouteHandler]) {
        let list = handlers.keys.map(\.rawValue).sorted().joined(separator: ", ")
        for method in Self.methods {
            let handler = handlers[method]
            on(RouterPath(path), method: method) { request, context -> Response in
                guard let handler else {
                    var response = ProblemDocument.response(
                        .methodNotAllowed, "This address takes \(list).")
                    response.headers[.allow] = list
                    return response
                }
                return try await handler(request, context)
            }
        }
    }
}
