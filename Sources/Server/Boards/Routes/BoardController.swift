package import Accounts
import ContentModel
package import ContentServer
package import Hummingbird
package import Ledger
import ServiceAPI
import UserData

/// The controller of leaderboards and of the profile on them.
package struct BoardController {
    let users: UserBackend
    let caller: RequestAuthenticator

    package init(users: UserBackend, caller: RequestAuthenticator) {
        self.users = users
        self.caller = caller
    }

    package func addRoutes(to router: Router<ServerContext>) {
        router.add(UserDataRoutes.boards, [.get: list])
        router.add(UserDataRoutes.boards + "/:board/:period", [.get: read])
        router.add(UserDataRoutes.profile, [.get: profile, .put: setProfile])
    }

    @Sendable private func list(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .board)
        let boards = try await users.boards(for: user)
        return RequestAuthenticator.response(["boards": .array(boards.map(\.json))], request)
    }

    @Sendable private func read(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .board)
        let query = try Self.query(request, context, user)
        return RequestAuthenticator.response(try await users.board(query, of: user).json, request)
    }

    private static func query(
        _ request: Request, _ context: ServerContext, _ user: String
    ) throws -> BoardQuery {
        let parameters = request.uri.queryParameters
        guard let period = BoardPeriod(rawValue: context.parameters.get("period") ?? "") else {
            throw RequestError(
                .notFound, "A period is day, week, month or all.")
        }
        let top = parameters["top"].map { Int($0) } ?? ServiceLimits.boardTopDefault
        guard let top, (0...ServiceLimits.boardTopMax).contains(top) else {
            throw WireError("top", "must be from 0 to \(ServiceLimits.boardTopMax)")
        }
        let firstDay = parameters["first"].map(String.init)
        guard firstDay.map(Self.isDay) ?? true else {
            throw WireError("first", "must be a day as 2026-11-23")
        }
        let friends = parameters["friends"].map { $0.split(separator: ",").map(String.init) } ?? []
        guard friends.count <= ServiceLimits.boardFriendsMax,
            friends.allSatisfy({ $0.utf8.count == 10 && $0.utf8.allSatisfy(Self.isOfCode) })
        else {
            throw WireError(
                "friends", "must be at most \(ServiceLimits.boardFriendsMax) friend codes")
        }
        return BoardQuery(
            name: context.parameters.get("board") ?? "", period: period, firstDay: firstDay,
            user: user, top: top, friends: friends)
    }

    private static func isDay(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.enumerated().allSatisfy { place, byte in
                place == 4 || place == 7
                    ? byte == UInt8(ascii: "-")
                    : (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
    }

    private static func isOfCode(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    // MARK: Profiles

    @Sendable private func profile(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .board)
        return RequestAuthenticator.response(try await users.boardProfile(of: user).json, request)
    }

    @Sendable private func setProfile(
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let user = try await caller.user(request, .board)
        let change = try await caller.read(request, context) { try BoardProfileChange($0) }
        return RequestAuthenticator.response(
            try await users.setBoardProfile(change, of: user).json, request)
    }
}
