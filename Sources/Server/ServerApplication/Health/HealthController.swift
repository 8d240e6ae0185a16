import ContentServer
import Hummingbird

/// The routes by which a proxy or a supervisor learns whether to send requests here.
struct HealthController {
    let readiness: Readiness

    func addRoutes(to router: Router<ServerContext>) {
        router.add("/health/live", [.get: live, .head: live])
        router.add("/health/ready", [.get: ready, .head: ready])
    }

    @Sendable private func live(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        Response(status: .ok)
    }

    @Sendable private func ready(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        guard let obstacle = await readiness.obstacle() else { return Response(status: .ok) }
        return ProblemDocument.response(.serviceUnavailable, obstacle)
    }
}
