import ContentModel
public import Foundation
public import OfflineStorage
import ServiceAPI
public import UserData

/// Leaderboards, and the account's profile on them.
extension Account {
    /// Returns the boards of the server.
    ///
    /// - Throws: `ServiceError`.
    public func boards() async throws -> [BoardSummary] {
        try await withToken { token in
            let reply = try await client.send("GET", UserDataRoutes.boards, token: token)
            return try ServiceError.reading { try BoardSummary.list(reply.body) }
        }
    }

    /// Returns the present state of a board or, without a connection, the last one that this device received.
    ///
    /// ```swift
    /// let seen = try await account.board("driving", .week)
    /// for entry in seen.page.neighbours { print(entry.rank, entry.name ?? "–", entry.score) }
    /// print("as of", seen.page.refreshedAt.formatted())
    /// ```
    /// - Parameters:
    ///   - name: The `id` of the board in ``boards()``.
    ///   - period: The period; the current one is returned.
    ///   - top: The number of the best places, at most 100.
    ///   - friends: The friend codes of other learners whose places to include, at most 50.
    ///   - now: The wall clock.
    /// - Returns: The board with the time at which it was received: `now` if the server replied.
    /// - Throws: `ServiceError`: `notFound` when there is no such board. A failure of the network or the server is
    ///   thrown only if this device never received the board.
    public func board(
        _ name: String, _ period: BoardPeriod, top: Int = 10, friends: [String] = [],
        now: Date = Date()
    ) async throws -> SeenBoard {
        do {
            return try await latestBoard(name, period, top: top, friends: friends, now: now)
        } catch let error as ServiceError where Self.isPassing(error) {
            guard let seen = try store.seenBoard(name, period) else { throw error }
            return seen
        }
    }

    /// Returns the present state of a board, and stores it as the last one that this device received.
    ///
    /// Use it instead of ``board(_:_:top:friends:now:)`` if a screen says why it shows an older board.
    /// - Parameters:
    ///   - name: The `id` of the board in ``boards()``.
    ///   - period: The period; the current one is returned.
    ///   - top: The number of the best places, at most 100.
    ///   - friends: The friend codes of other learners whose places to include, at most 50.
    ///   - now: The wall clock.
    /// - Returns: The board, received `now`.
    /// - Throws: `ServiceError`: `notFound` when there is no such board, `offline` without a reply.
    public func latestBoard(
        _ name: String, _ period: BoardPeriod, top: Int = 10, friends: [String] = [],
        now: Date = Date()
    ) async throws -> SeenBoard {
        let user = store.user
        let path =
            "\(UserDataRoutes.boards)/\(Self.escaped(name))/\(period.rawValue)?top=\(top)"
            + (friends.isEmpty
                ? ""
                : "&friends=" + friends.map { Self.escaped($0.uppercased()) }.joined(separator: ","))
        let page = try await withToken { token in
            let reply = try await client.send("GET", path, token: token)
            return try ServiceError.reading { try BoardPage(reply.body) }
        }
        let seen = SeenBoard(page: page, receivedAt: now)
        try store.save(seen, of: user)
        return seen
    }

    /// Returns the account's profile on boards.
    ///
    /// - Throws: `ServiceError`.
    public func boardProfile() async throws -> BoardProfile {
        try await withToken { token in
            let reply = try await client.send("GET", UserDataRoutes.profile, token: token)
            return try ServiceError.reading { try BoardProfile(reply.body) }
        }
    }

    /// Sets the display name, and whether the account appears on boards.
    ///
    /// Others see the name at once. A place that is no longer wanted disappears with the server's next refresh, within
    /// minutes.
    /// - Parameters:
    ///   - name: The display name, visible to everyone; `nil` for none.
    ///   - isListed: False to appear on no board.
    /// - Returns: The profile, with the friend code.
    /// - Throws: `ServiceError`; `refused` for a name that is not allowed: ask for another one.
    @discardableResult
    public func setBoardProfile(name: String?, isListed: Bool = true) async throws -> BoardProfile {
        let change = BoardProfileChange(name: name, isListed: isListed)
        return try await withToken { token in
            let reply = try await client.send(
                "PUT", UserDataRoutes.profile, change.json, token: token)
            return try ServiceError.reading { try BoardProfile(reply.body) }
        }
    }

    static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(["-"])) ?? ""
    }

    /// Returns true for a failure after which the last state should be shown.
    static func isPassing(_ error: ServiceError) -> Bool {
        let codes: [ServiceError.Code] = [
            .offline, .captivePortal, .timedOut, .transport, .busy, .tooManyRequests,
        ]
        return codes.contains(error.code) || error.status >= 500
    }
}
