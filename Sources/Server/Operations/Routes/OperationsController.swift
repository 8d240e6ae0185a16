package import Accounts
import ContentModel
package import ContentServer
package import Hummingbird
package import Ledger
import ServiceAPI
import Tables

/// The controller of the server's status for accounts with a role.
package struct OperationsController {
    let users: UserBackend
    let caller: RequestAuthenticator

    package init(users: UserBackend, caller: RequestAuthenticator) {
        self.users = users
        self.caller = caller
    }

    package func addRoutes(to router: Router<ServerContext>) {
        router.add(UserDataRoutes.uptake, [.get: uptake])
        router.add(UserDataRoutes.audit, [.get: audit])
    }

    @Sendable private func uptake(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        try await check(request, Set(Role.allCases))
        guard let uptake = users.uptake else { throw Self.absent }
        let counts = try await Self.translatingErrors { try await uptake.uptake() }
        return RequestAuthenticator.response(counts.json, request)
    }

    @Sendable private func audit(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        try await check(request, [.administrator])
        guard let administration = users.administration else { throw Self.absent }
        let limit = try Self.number("limit", 1...ServiceLimits.auditPageMax, request) ?? 100
        let before = try Self.number("before", 1...(1 << 53 - 1), request)
        let action = try Self.action(request)
        let entries = try await Self.translatingErrors {
            try await administration.entries(
                before: before.map(Int64.init), limit: limit, action: action)
        }
        return RequestAuthenticator.response(["entries": .array(entries.map(\.json))], request)
    }

    /// Lets accounts pass that have one of the roles, as the database has them now.
    private func check(_ request: Request, _ roles: Set<Role>) async throws {
        let user = try await caller.user(request, .operation)
        guard let administration = users.administration else { throw Self.absent }
        let own = try await Self.translatingErrors {
            try await administration.storage.roles(of: user)
        }
        guard own.isDisjoint(with: roles) else { return }
        let names = roles.map(\.rawValue).sorted().joined(separator: " or ")
        throw RequestError(
            .forbidden,
            "This account lacks the role \(names). The operator gives it.")
    }

    private static let absent = RequestError(
        .notFound, "This server does not have this.")

    private static func number(
        _ name: String, _ range: ClosedRange<Int>, _ request: Request
    ) throws -> Int? {
        guard let text = request.uri.queryParameters[name[...]] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw WireError(
                name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Reads an action as `role.granted`, or the first word of several.
    private static func action(_ request: Request) throws -> String? {
        guard let text = request.uri.queryParameters["action"] else { return nil }
        let isName = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
        }
        guard isName, (1...64).contains(text.utf8.count) else {
            throw WireError("action", "must be an action, as role.granted, or its first word")
        }
        return String(text)
    }

    private static func translatingErrors<Value>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as StorageError {
            throw RequestError(error)
        }
    }
}
