import ContentModel
import Foundation
import Logging
import OfflineStorage
import ServiceAPI
import UserData

/// The moves of accounts, which resume from their stored intent after any interruption.
///
/// | step | after a crash just after it |
/// |---|---|
/// | the target's tokens are saved | one more sign-in |
/// | the intent is stored | the next launch or sync resumes |
/// | the source is synced once, as far as possible | the same |
/// | the server moves the source | the same; the server repeats its reply |
/// | one transaction: the target is entered | only the source's tokens remain |
/// | the source's tokens and the intent are removed | nothing remains |
extension Account {
    /// The maximum number of replies for which one call waits; the next sync continues.
    private static let repliesMax = 60

    /// The end of a move.
    private enum End {
        case moved
        /// The server refuses it: the source does not change.
        case refused(ServiceError)
        /// The user's ownership of the source cannot be proved, the source no longer exists, or the server does not
        /// support moves: the device copies its own data.
        case unreachable
    }

    /// Returns true when this server can move a user's account, as far as this device knows.
    func canMove(_ user: String) throws -> Bool {
        guard user != UserStore.localUser, let bound = try storedTokens(of: user) else {
            return false
        }
        return try bound.origin == "\(client.origin)"
    }

    /// Moves the current user's account into the one with these tokens, and enters that one.
    ///
    /// - Throws: `ServiceError` `moving` when the next sync resumes the move, or an error of the store.
    func enter(
        byMoving source: String, _ tokens: AccountBody.Tokens, takesCopy: Bool
    ) async throws -> String {
        try save(tokens, of: tokens.user)
        let move = AccountMove(from: source, into: tokens.user, takesCopy: takesCopy)
        try store.intendMove(move)
        if try canMove(source) { await syncOnce(source) }
        do {
            try await goOn(with: move)
        } catch let error as ServiceError {
            store.requestSync()
            throw ServiceError.goesOn(error)
        }
        return tokens.user
    }

    /// Sends pending changes of a user whose account is about to move; changes that remain unsent are resolved
    /// afterwards.
    private func syncOnce(_ user: String) async {
        guard let address = URL(string: client.baseURL) else { return }
        let sync = UserDataSync(
            store: store, account: self, transport: client.transport, serverURL: address,
            deadline: client.deadline)
        await sync.exchangeOnce(of: user)
    }

    /// Resumes the interrupted moves.
    ///
    /// - Throws: `ServiceError` when the move of the current user's account is not complete.
    func resumeMoves() async throws {
        guard try !store.intendedMoves().isEmpty else { return }
        try await lane.steps.run { try await resumeMovesInTurn() }
    }

    /// Resumes the interrupted moves, within a step.
    func resumeMovesInTurn() async throws {
        for move in try store.intendedMoves() {
            do {
                try await goOn(with: move)
            } catch {
                // The data of others is synced meanwhile, and that of a user whose move was given up.
                let goesOn = try store.intendedMoves().contains(move)
                if goesOn, move.source == store.user { throw error }
            }
        }
    }

    /// Resumes a move until its end, within a step.
    ///
    /// - Returns: The refusal after which the source remains; `nil` when it was joined with the target.
    /// - Throws: `ServiceError` when the move must be retried, or an error of the store.
    @discardableResult
    func goOn(with move: AccountMove) async throws -> ServiceError? {
        if !move.isDone {
            switch try await end(of: move) {
            case .moved:
                let results = try await settledOperations(of: move)
                try store.finish(move, results: results, now: Date())
            case .unreachable: try await copy(move)
            case .refused(let refusal) where move.takesCopy && refusal.code == .movedElsewhere:
                try await copy(move)
            case .refused(let refusal):
                try store.giveUp(move, because: refusal.code.rawValue)
                logger.debug("account not moved", metadata: ["code": "\(refusal.code.rawValue)"])
                return refusal
            }
        }
        try save(nil, of: move.source)
        try store.forgetMove(of: move.source)
        logger.debug("account moved")
        return nil
    }

    /// Requests the move of the source until the server reports its end.
    private func end(of move: AccountMove) async throws -> End {
        guard try canMove(move.source),
            let proof = try storedTokens(of: move.source)?.tokens.refreshToken
        else { return .unreachable }
        let body = MoveBody.Request(from: move.source, proof: proof).json
        do {
            for _ in 0..<Self.repliesMax {
                let reply = try await withToken(of: move.target) {
                    try await client.send("POST", path("move"), body, token: $0)
                }
                if case .moved = try ServiceError.reading({ try MoveBody.Reply(reply.body) }) {
                    return .moved
                }
                try await Task.sleep(for: .seconds(1))
            }
        } catch let error as ServiceError {
            return try await end(of: move, error)
        }
        throw ServiceError(
            .moving, "The accounts are being joined. This goes on by itself; sync again later.",
            status: 409)
    }

    private func end(of move: AccountMove, _ error: ServiceError) async throws -> End {
        switch error.code {
        case .noAccount where try await isOpen(move.source), .unauthorized, .reusedToken:
            // The target was deleted or its session ended before it was entered: its user signs in again.
            try store.forgetMove(of: move.source)
            throw error
        // A server that moves no accounts refuses each (422).
        case .wrongCredentials, .noAccount, .movedAccount, .refused: return .unreachable
        case .moving, .busy, .tooManyRequests: throw error
        default:
            guard error.isFinal else { throw error }
            return .refused(error)
        }
    }

    /// Returns true when an account can be used, so that it is not the deleted one.
    private func isOpen(_ user: String) async throws -> Bool {
        do {
            _ = try await withToken(of: user) {
                try await client.send("GET", path("ways"), token: $0)
            }
            return true
        } catch let error as ServiceError where error.isFinal {
            return false
        }
    }

    /// Copies this device's data of the source to the target.
    private func copy(_ move: AccountMove) async throws {
        let results = try await settledOperations(of: move)
        try store.copy(move, results: results, now: Date())
    }

    /// Resolves the source's pending changes in the target, under their own names.
    ///
    /// - Returns: The results of those that the server has.
    private func settledOperations(
        of move: AccountMove
    ) async throws -> [OperationID: OperationResult] {
        guard let state = try store.state(of: move.source) else { return [:] }
        var machine = DeviceMachine(state)
        var effects = machine.settleMoved()
        while let effect = effects.first {
            switch effect {
            case .send(let request):
                effects = machine.handle(
                    .replied(try await reply(to: request, of: move.target)), now: 0)
            case .nameBranch(let operation):
                let name = BranchName.ofOperations(from: operation)
                effects = machine.handle(.branched(name), now: 0)
            default: return machine.settled
            }
        }
        return machine.settled
    }

    private func reply(
        to request: ExchangeRequest, of user: String
    ) async throws -> ExchangeResponse {
        var request = request
        request.user = user
        let json = ExchangeCall(request: request, answers: []).json
        let reply = try await withToken(of: user) {
            try await client.send("POST", UserDataRoutes.exchange, json, token: $0)
        }
        return try ServiceError.reading {
            try ExchangeReply(reply.body, client: request.client).response
        }
    }

    // MARK: Other accounts

    /// Merges another account into the present one: the server moves all its data and closes it.
    ///
    /// Each later sync resumes an interrupted move.
    /// - Parameters:
    ///   - email: The email of the other account.
    ///   - password: The password of the other account.
    /// - Throws: `ServiceError` `wrongCredentials`; `movedElsewhere`, `hasRole` or `tooMuch` when the other account
    ///   remains unchanged; `moving` when the next sync resumes the move.
    public func join(email: String, password: String) async throws {
        let user = try await ensure()
        try await lane.steps.run {
            guard store.user == user else { throw StoreError.userChanged }
            let reply = try await client.send(
                "POST", path("sign-in"), ["email": .string(email), "password": .string(password)])
            let tokens = try Self.tokens(reply)
            // The account is the present one: the session that was opened beside it is not needed.
            guard tokens.user != user else { return try enqueueRevocation(of: tokens) }
            try save(tokens, of: tokens.user)
            do {
                try await join(tokens.user)
            } catch let error as ServiceError where error.code != .moving {
                // An account that this device never had leaves no session here.
                if try store.state(of: tokens.user) == nil {
                    try enqueueRevocation(of: tokens)
                    try save(nil, of: tokens.user)
                }
                throw error
            }
        }
        await revokeSignedOut()
    }

    /// Merges the account of another user of this device into the present one.
    ///
    /// Without a session of that account, or if it was joined with a third one, this device copies its own data
    /// instead.
    /// - Parameter other: A user of `UserStore.otherUsers()`.
    /// - Throws: `StoreError` `notFound`; `ServiceError` as in ``join(email:password:)``.
    public func bring(from other: String) async throws {
        try await lane.steps.run {
            guard ![UserStore.localUser, other].contains(store.user), other != UserStore.localUser,
                try store.state(of: other) != nil
            else { return try store.bring(from: other, now: Date()) }
            try await join(other, takesCopy: true)
        }
    }

    /// Moves an account whose tokens are stored here into that of the current user, within a step.
    private func join(_ source: String, takesCopy: Bool = false) async throws {
        let move = AccountMove(from: source, into: store.user, takesCopy: takesCopy)
        try store.intendMove(move)
        do {
            if let refusal = try await goOn(with: move) { throw refusal }
        } catch let error as ServiceError where !error.isFinal || error.code == .moving {
            throw ServiceError.goesOn(error)
        }
    }
}

extension ServiceError {
    /// Creates the error of an incomplete move, which the next sync resumes.
    static func goesOn(_ reason: ServiceError) -> ServiceError {
        ServiceError(
            .moving,
            "The accounts are not joined yet: \(reason.summary). Nothing is lost; each sync goes on with it.",
            status: reason.status, retryAfter: reason.retryAfter, cause: reason)
    }
}
