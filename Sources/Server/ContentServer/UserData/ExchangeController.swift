import HTTPTypes
import Hummingbird
import ServiceAPI
import UserService

/// Pushes and pulls a device's data in one round trip.
struct ExchangeController {
    let users: UserDesk
    let caller: Caller

    func addRoutes(to router: Router<ServerContext>) {
        router.add(UserDataRoutes.exchange, [.post: exchange])
        router.get(RouterPath(UserDataRoutes.description)) { request, _ in
            Caller.answer(OpenAPIDescription.bytes, request)
        }
    }

    @Sendable private func exchange(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request)
        let call = try await Self.call(try await caller.body(request))
        let reply = try await users.exchange(call, of: user)
        return await Self.answer(reply, request)
    }

    /// Reading and writing thousands of rows takes milliseconds, which others need not wait for.
    @concurrent private static func call(_ bytes: [UInt8]) async throws -> ExchangeCall {
        try ExchangeCall(bytes)
    }

    @concurrent private static func answer(
        _ reply: ExchangeReply, _ request: Request
    ) async -> Response {
        Caller.answer(reply.json, request)
    }
}
