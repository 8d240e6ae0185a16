import HTTPTypes
import Hummingbird
import ServiceAPI
import UserService

/// The controller of the exchange: push and pull of a device's data in one round trip.
struct ExchangeController {
    let users: AccountService
    let caller: Caller
    let metrics: ServerMetrics?

    func addRoutes(to router: Router<ServerContext>) {
        router.add(UserDataRoutes.exchange, [.post: exchange])
        router.get(RouterPath(UserDataRoutes.description)) { request, _ in
            Caller.response(OpenAPIDescription.bytes, request)
        }
    }

    @Sendable private func exchange(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .exchange)
        let call = try await caller.read(request, context) { try ExchangeCall($0) }
        let reply = try await users.exchange(call, of: user)
        metrics?.count(call, reply)
        return await Self.response(reply, request)
    }

    /// Encodes the reply off the event loop: thousands of rows take milliseconds.
    @concurrent private static func response(
        _ reply: ExchangeReply, _ request: Request
    ) async -> Response {
        Caller.response(reply.json, request)
    }
}
