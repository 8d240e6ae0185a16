package import Hummingbird
import NIOCore
import ServiceAPI
import ServiceLifecycle

/// The controller of the event stream for apps under development.
package struct DevelopmentController {
    let broadcast: DevelopmentBroadcast

    package init(broadcast: DevelopmentBroadcast) {
        self.broadcast = broadcast
    }

    package func addRoutes(to router: Router<ServerContext>) {
        router.add(DevelopmentEvent.route, [.get: listen])
    }

    @Sendable private func listen(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        guard let events = broadcast.listen() else {
            return ProblemDocument.response(
                .serviceUnavailable, "Too many apps listen to this server already.")
        }
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            // A graceful shutdown waits for open connections, so the stream ends first.
            body: ResponseBody(asyncSequence: events.cancelOnGracefulShutdown()))
    }
}
