import ContentServer
import Ledger
package import ServiceAPI
package import UserData

extension UserBackend {
    /// The leaderboards; `nil` if the storage has none.
    package var boards: BoardService? { rooms[BoardService.self] }

    /// Adds the service of leaderboards.
    package mutating func add(_ boards: BoardService) {
        rooms[BoardService.self] = boards
        exported["boardProfile"] = { try await boards.storage.profile(of: $0)?.json }
    }

    /// Returns all boards.
    ///
    /// - Throws: `RequestError`.
    package func boards(for user: String) async throws -> [BoardSummary] {
        try await translatingErrors(of: user) { try await boards?.summaries() ?? [] }
    }

    /// Returns a board for a user.
    ///
    /// - Throws: `RequestError` `notFound` for an unknown board or period, `noAccount`.
    package func board(_ query: BoardQuery, of user: String) async throws -> BoardPage {
        let page = try await translatingErrors(of: user) { try await boards?.page(query) }
        guard let page else {
            throw RequestError(.notFound, "There is no such board, or it has no such period.")
        }
        return page
    }

    /// Returns a user's profile on boards.
    ///
    /// - Throws: `RequestError`.
    package func boardProfile(of user: String) async throws -> BoardProfile {
        try await translatingErrors(of: user) { try await needBoards().profile(of: user) }
    }

    /// Sets a user's profile on boards.
    ///
    /// - Throws: `RequestError` `refused` for a name that cannot be shown (choose another).
    package func setBoardProfile(
        _ change: BoardProfileChange, of user: String
    ) async throws -> BoardProfile {
        try await translatingErrors(of: user) { try await needBoards().set(change, of: user) }
    }

    private func needBoards() throws -> BoardService {
        guard let boards else { throw RequestError(.notFound, "This server has no boards.") }
        return boards
    }
}
