import HTTPTypes
import Hummingbird
import ServiceAPI
import UserData
import UserService

/// The controller of the exchange: push and pull of a device's data in one round trip.
struct ExchangeController {
    let users: UserBackend
    let caller: RequestAuthenticator
    let metrics: ServerMetrics?
    let files: ReleaseFiles

    func addRoutes(to router: Router<ServerContext>) {
        router.add(UserDataRoutes.exchange, [.post: exchange])
        router.get(RouterPath(UserDataRoutes.description)) { request, _ in
            RequestAuthenticator.response(PackageResources.openapi_json, request)
        }
    }

    @Sendable private func exchange(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .exchange)
        let call = try await caller.read(request, context) { try ExchangeCall($0) }
        let reply = try await users.exchange(call, of: user)
        metrics?.count(call, reply)
        await note(request, call, user)
        return try await response(reply, request)
    }

    /// Stores what content the device says that it has.
    private func note(_ request: Request, _ call: ExchangeCall, _ user: String) async {
        guard let uptake = users.uptake, let name = HTTPField.Name(InstalledContent.fieldName),
            let content = request.headers[name].flatMap({ InstalledContent(field: $0) })
        else { return }
        // The exchange is committed, whatever becomes of a count for the operator; the device says it again.
        try? await uptake.note(
            content, of: user, client: call.request.client, newest: files.release)
    }

    /// Encodes the reply; thousands of rows on the threads of bodies, since they take milliseconds.
    ///
    /// - Throws: `UserServiceError` `busy`; the exchange was committed, and the device repeats its request.
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
