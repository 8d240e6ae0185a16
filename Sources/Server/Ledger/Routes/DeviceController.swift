import Accounts
import ContentModel
import ContentServer
import Foundation
import HTTPTypes
import Hummingbird
import ServiceAPI
import UserData

/// The controller of an account's devices: lists and retires them.
struct DeviceController {
    let users: UserBackend
    let caller: RequestAuthenticator

    func addRoutes(to router: Router<ServerContext>) {
        router.add(UserDataRoutes.devices, [.get: list])
        router.add(UserDataRoutes.devices + "/:id", [.delete: forget])
    }

    @Sendable private func list(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let devices = try await users.devices(of: try await caller.user(request))
        return RequestAuthenticator.response(["devices": .array(devices.map(\.json))], request)
    }

    @Sendable private func forget(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request)
        let id = context.parameters.get("id")?.removingPercentEncoding ?? ""
        guard Validity.isID(id) else {
            throw RequestError(.notFound, "There is no such device.")
        }
        try await users.forgetDevice(id, of: user)
        return Response(status: .noContent)
    }
}

extension LedgerDevice {
    fileprivate var json: JSONValue {
        [
            "id": .string(client.text), "lastSeen": .integer(Int(lastSeenAt)),
            "answers": .integer(Int(lastAnswer)), "unreadResults": .integer(unreadResults),
        ]
    }
}
