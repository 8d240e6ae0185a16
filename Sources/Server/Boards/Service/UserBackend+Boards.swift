import ContentServer
import Ledger
package import ServiceAPI
package import UserData

extension UserBackend {
    /// The leaderboards; `nil` for a storage without any.
    package var boards: BoardService? { rooms[BoardService.self] }

    /// Adds the leaderboards.
    package mutating func add(_ boards: BoardService) {
        rooms[BoardService.self] = boards
        exported["boardProfile"] = { try await boards.storage.profile(of: $0)?.json }
    }

    /// Returns the boards that there are.
    ///
    /// - Throws: `RequestError`.
    package func boards(for user: String) async throws -> [BoardSummary] {
        try await translatingErrors(of: user) { try await boards?.summaries() ?? [] }
    }

    /// Returns a board as a user sees it.
    ///
    /// - Throws: `RequestError` `notFound` for a board or period that there is not, `noAccount`.
    package func board(_ query: BoardQuery, of user: String) async throws -> BoardPage {
        let page = try await translatingErrors(of: user) { try await boards?.page(query) }
        guard let page else {
            throw RequestError(.notFound, "There is no such board, or it has no such period.")
        }
        return page
    }

    /// Returns the profile of a user on boards.
    ///
    /// - Throws: `RequestError`.
    package func boardProfile(of user: String) async throws -> BoardProfile {
        try await translatingErrors(of: user) { try await needBoards().profile(of: user) }
    }

    /// Sets the profile of a user on boards.
    ///
    /// - Throws: `RequestError` `refused` for a name that cannot be shown.
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
