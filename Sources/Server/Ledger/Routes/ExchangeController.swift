import Accounts
import ContentServer
import HTTPTypes
import Hummingbird
import ServiceAPI
import UserData

/// The controller of the exchange: push and pull of a device's data in one round trip.
struct ExchangeController {
    let users: UserBackend
    let caller: RequestAuthenticator
    let metrics: ServerMetrics?
    /// Stores what content a device of a user says that it has.
    let noteContent: @Sendable (InstalledContent, String, ClientID) async -> Void

    func addRoutes(to router: Router<ServerContext>) {
        router.add(UserDataRoutes.exchange, [.post: exchange])
    }

    @Sendable private func exchange(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .exchange)
        let call = try await caller.read(request, context) { try ExchangeCall($0) }
        let reply = try await users.exchange(call, of: user)
        metrics?.count(call, reply)
        if let name = HTTPField.Name(InstalledContent.fieldName),
            let content = request.headers[name].flatMap({ InstalledContent(field: $0) })
        {
            await noteContent(content, user, call.request.client)
        }
        return try await response(reply, request)
    }

    /// Encodes the reply; thousands of rows on the threads of bodies, since they take milliseconds.
    ///
    /// - Throws: `RequestError` `busy`; the exchange was committed, and the device repeats its request.
    private func response(_ reply: ExchangeReply, _ request: Request) async throws -> Response {
        let rows =
            reply.answers.reduce(reply.response.changes.count) { $0 + $1.count }
            + reply.response.results.count
        guard rows > ServiceLimits.rowsEncodedAtOnceMax else {
            return RequestAuthenticator.response(reply.json, request)
        }
        return try await caller.gate.run { RequestAuthenticator.response(reply.json, request) }
    }
}
