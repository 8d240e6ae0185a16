import ContentModel
import ServiceAPI

extension TestSyncServer {
    /// The paths that the test server does not implement: it replies with status 501 and the code `notInKit`.
    public static let routesNotInKit = [
        UserDataRoutes.boards, UserDataRoutes.events, UserDataRoutes.profile,
        UserDataRoutes.progress, UserDataRoutes.collections, UserDataRoutes.uptake,
        UserDataRoutes.audit,
        UserDataRoutes.accounts + "/email/request-verification",
        UserDataRoutes.accounts + "/email/verify",
        UserDataRoutes.accounts + "/password/request-reset",
        UserDataRoutes.accounts + "/password/reset",
    ]

    /// Returns the reply of a route that the kit does not implement; `nil` for other paths.
    static func notInKit(_ path: String) -> TestReply? {
        guard routesNotInKit.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else {
            return nil
        }
        var reply = TestReply(501, headers: ["content-type": "application/problem+json"])
        let detail = "The test kit has no \(path). Use a server, or a reply of your own."
        reply.body =
            JSONValue.object([
                "type": "about:blank", "title": "Not Implemented", "status": 501,
                "detail": .string(detail), "code": "notInKit",
            ]).canonicalBytes
        return reply
    }
}
