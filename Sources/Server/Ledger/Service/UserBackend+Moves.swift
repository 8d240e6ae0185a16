import Accounts
import ContentServer
import Logging
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
    /// A move that fails stops no other one; the log has the number of these, and the next call tries them again.
    ///
    /// - Throws: `CancellationError`, or an error of the database if the moves cannot be listed.
    func continueMoves() async throws {
        var (source, count) = ("", 0)
        var first: (any Error)?
        while true {
            let page = try await accounts.storage.unfinishedMoves(
                after: source, limit: ServiceLimits.upkeepBatchMax)
            guard let last = page.last else { break }
            for id in page {
                try Task.checkCancellation()
                guard let failure = await failure(ofMoveFrom: id) else { continue }
                (first, count) = (first ?? failure, count + 1)
            }
            source = last
        }
        guard let first else { return }
        Logger(label: "users").error(
            "moves of accounts are not finished; the next upkeep continues them",
            metadata: ["moves": "\(count)", "reason": "\(first)"])
    }

    /// Finishes a move, and returns the error that stopped it.
    private func failure(ofMoveFrom source: String) async -> (any Error)? {
        do {
            try await mover().finish(source)
        } catch StorageError.noAccount {
            // The target was deleted meanwhile, with what moved into it.
        } catch let error as RequestError where error.code == .noAccount {
            // The same, seen by another step.
        } catch {
            return error
        }
        return nil
    }
}
