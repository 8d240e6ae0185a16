import HTTPTypes
import Hummingbird

/// What a path does with a request.
typealias RouteHandler = @Sendable (Request, ServerContext) async throws -> Response

extension Router<ServerContext> {
    /// Every method that a client may try.
    private static var methods: [HTTPRequest.Method] {
        [.get, .head, .post, .put, .patch, .delete, .options, .trace, .connect]
            + ["QUERY", "SEARCH"].compactMap { HTTPRequest.Method($0) }
    }

    /// Adds a path with all that it does; every other method is told what is allowed (405).
    func add(_ path: String, _ handlers: [HTTPRequest.Method: RouteHandler]) {
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
