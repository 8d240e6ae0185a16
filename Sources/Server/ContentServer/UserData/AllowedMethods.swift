import HTTPTypes
import Hummingbird
import ServiceAPI

/// Says 405 and what is allowed, where a path is known and the method is not.
enum AllowedMethods {
    private static let all: [HTTPRequest.Method] =
        [
            .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
        ] + ["QUERY", "SEARCH"].compactMap { HTTPRequest.Method($0) }

    /// Adds an answer for every method of a path that has no route of its own.
    static func guardRest(
        of path: String, allowed: [HTTPRequest.Method], in router: Router<ServerContext>
    ) {
        let list = allowed.map(\.rawValue).joined(separator: ", ")
        for method in all where !allowed.contains(method) {
            router.on(RouterPath(path), method: method) { _, _ in
                var response = ProblemDocument.response(
                    .methodNotAllowed, "This address takes \(list).")
                response.headers[.allow] = list
                return response
            }
        }
    }
}
