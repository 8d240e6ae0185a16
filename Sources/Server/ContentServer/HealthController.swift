import Hummingbird

/// The routes by which a proxy or a supervisor learns whether to send requests here.
struct HealthController {
    let readiness: Readiness

    func addRoutes(to router: Router<ServerContext>) {
        router.get("/health/live") { _, _ in HTTPResponse.Status.ok }
        router.get("/health/ready") { _, _ -> Response in
            guard let obstacle = await readiness.obstacle() else { return Response(status: .ok) }
            return ProblemDocument.response(.serviceUnavailable, obstacle)
        }
    }
}
