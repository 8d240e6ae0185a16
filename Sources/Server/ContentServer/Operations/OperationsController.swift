import ContentModel
import Hummingbird
import ServiceAPI
import UserService

/// The controller of what accounts with a role see of the server.
struct OperationsController {
    let users: AccountService
    let caller: Caller

    func addRoutes(to router: Router<ServerContext>) {
        router.add(UserDataRoutes.uptake, [.get: uptake])
        router.add(UserDataRoutes.audit, [.get: audit])
    }

    @Sendable private func uptake(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        try await admit(request, Set(Role.allCases))
        guard let uptake = users.uptake else { throw Self.absent }
        let counts = try await Self.translatingErrors { try await uptake.uptake() }
        return Caller.response(counts.json, request)
    }

    @Sendable private func audit(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        try await admit(request, [.administrator])
        guard let administration = users.administration else { throw Self.absent }
        let limit = try Self.number("limit", 1...ServiceLimits.auditPageMax, request) ?? 100
        let before = try Self.number("before", 1...Int.max, request)
        let action = request.uri.queryParameters["action"].map { String($0) }
        let entries = try await Self.translatingErrors {
            try await administration.entries(
                before: before.map(Int64.init), limit: limit, action: action)
        }
        return Caller.response(["entries": .array(entries.map(\.json))], request)
    }

    /// Lets accounts pass that have one of the roles, as the database has them now.
    private func admit(_ request: Request, _ roles: Set<Role>) async throws {
        let user = try await caller.user(request, .operation)
        guard let administration = users.administration else { throw Self.absent }
        let own = try await Self.translatingErrors {
            try await administration.storage.roles(of: user)
        }
        guard own.isDisjoint(with: roles) else { return }
        let names = roles.map(\.rawValue).sorted().joined(separator: " or ")
        throw UserServiceError(
            code: .forbidden,
            message: "This account lacks the role \(names). The operator gives it.")
    }

    private static let absent = UserServiceError(
        code: .notFound, message: "This server does not have this.")

    private static func number(
        _ name: String, _ range: ClosedRange<Int>, _ request: Request
    ) throws -> Int? {
        guard let text = request.uri.queryParameters[name[...]] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw WireError(name, "must be a number from \(range.lowerBound)\(end)")
        }
        return number
    }

    private static func translatingErrors<Value>(
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let error as LedgerError {
            throw UserServiceError(error)
        }
    }
}
