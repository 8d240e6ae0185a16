import Accounts
import ContentServer
package import ServiceAPI
import Tables

extension UserBackend {
    /// Moves another account into the signed-in one: some steps of a large account, or all of a small one.
    ///
    /// The two accounts identify the request: a repeated request continues the move and returns its state.
    ///
    /// - Parameters:
    ///   - request: The account to move, and a refresh token of it.
    ///   - user: The signed-in account.
    ///   - address: The client's address, for the rate limit.
    /// - Returns: The state of the move.
    /// - Throws: `RequestError` `noAccount`, `movedElsewhere`, `hasRole`, `tooMuch`, `wrongCredentials`,
    ///   `needsFreshSignIn`, `busy`, `tooManyRequests`.
    package func move(
        _ request: MoveBody.Request, into user: String, address: String
    ) async throws -> MoveBody.Reply {
        try await limit(.exchanges, "move " + address)
        guard request.from != user else { return .moved(answers: 0, records: 0, differences: 0) }
        let mover = mover()
        let move = try await translatingErrors(of: user) {
            try await mover.run(
                try await mover.begin(from: request.from, proof: request.proof, into: user))
        }
        guard move.isDone else {
            return .moving(done: min(move.place.answers, move.answers), of: move.answers)
        }
        return .moved(
            answers: move.answers, records: move.place.records,
            differences: move.place.differences)
    }

    private func mover() -> AccountMover {
        AccountMover(accounts: accounts, ledger: ledger, now: clock())
    }

    /// Continues moves that no device asks about.
    ///
    /// - Throws: An error of the file system or the database; the next call continues.
    func continueMoves() async throws {
        let mover = mover()
        for var move in try await accounts.storage.unfinishedMoves(
            limit: ServiceLimits.upkeepBatchMax)
        {
            do {
                while !move.isDone { move = try await mover.run(move) }
            } catch StorageError.noAccount {
                // The target was deleted meanwhile, with what moved into it.
            } catch let error as RequestError where error.code == .noAccount {
                // The same, seen by another step.
            }
        }
    }
}
