package import ContentServer
package import Foundation
import ServiceAPI
package import UserData

/// The rules of a move: the conditions for beginning one, and the replies to requests of moved accounts.
///
/// Pure: time is a member, and a storage applies the changes.
package struct MoveRules: Sendable {
    /// The wall clock.
    let now: Date
    /// The collections by name.
    let collections: [String: CollectionRules]

    package init(now: Date, collections: [String: CollectionRules]) {
        self.now = now
        self.collections = collections
    }

    /// Returns the read set for the decision to begin a move.
    package func keys(from source: String, into target: String, _ proof: RefreshClaims?)
        -> AccountReadSet
    {
        var keys = AccountReadSet(.id(source))
        keys.session = proof?.family
        keys.readsSignInMethods = true
        keys.moveTarget = target
        return keys
    }

    /// Begins a move, or returns the move that began before.
    ///
    /// - Throws: `RequestError` `movedElsewhere`, `noAccount`, `wrongCredentials`, `needsFreshSignIn` (also while a
    ///   way back to a previous email is open), `hasRole`, `busy`, `tooMuch`.
    package func begin(
        from source: String, into target: String, _ proof: RefreshClaims?,
        over snapshot: AccountSnapshot
    ) throws -> AccountOutcome<StoredMove> {
        if let known = snapshot.move {
            guard known.target == target else { throw RequestError.movedElsewhere }
            return AccountOutcome(reply: known)
        }
        guard snapshot.account != nil, let mover = snapshot.mover else {
            throw snapshot.revocations.isAccountDeleted || proof?.account == source
                ? RequestError.accountIsDeleted : RequestError.wrongProof
        }
        guard let proof, proof.account == source, isAlive(proof, snapshot) else {
            throw RequestError.wrongProof
        }
        let end = proof.authenticatedAt + Int64(ServiceLimits.freshSignInSeconds)
        guard snapshot.signInMethods.isEmpty || now.secondsSince1970 <= end else {
            throw RequestError.needsFreshProof
        }
        guard !mover.hasRole else { throw RequestError.hasRole }
        // Else who took the account over ends the way back with it.
        guard mover.wayBackEndsAt.map({ $0 <= now.secondsSince1970 }) ?? true else {
            throw RequestError.hasWayBack
        }
        // Who moves while others move into it would have to be looked for twice; and what two that move at once bring
        // together is known only when the first one has ended.
        guard let receiver = snapshot.moveTarget, !mover.isReceiving, !receiver.isReceiving else {
            throw RequestError.targetMoves
        }
        if let error = excess(mover, receiver) { throw error }
        let move = StoredMove(source: source, target: target, answers: mover.answers)
        let time = now.millisecondsSince1970
        return AccountOutcome(
            [.revoke(.move(source, into: target, at: time)), .move(.begin(move, at: time))],
            reply: move)
    }

    /// Returns true for a token of a session that is open, or that a restored database does not know.
    private func isAlive(_ proof: RefreshClaims, _ snapshot: AccountSnapshot) -> Bool {
        guard proof.expiresAt > now.secondsSince1970 else { return false }
        if snapshot.session.isOpen { return true }
        return proof.generation != snapshot.generation
            && snapshot.revocations.refusal(of: proof) == nil
    }

    /// Returns the reason why one account cannot hold both; `nil` when it can.
    private func excess(_ mover: MoveParty, _ receiver: MoveParty) -> RequestError? {
        var sums = [
            ("answers", mover.answers + receiver.answers, ServiceLimits.answersPerUserMax),
            (
                "answerBytes", mover.answerBytes + receiver.answerBytes,
                ServiceLimits.answerBytesPerUserMax
            ),
            (
                "recordBytes", mover.recordBytes + receiver.recordBytes,
                ServiceLimits.recordBytesPerUserMax
            ),
            (
                "devices", mover.names.union(receiver.names).count,
                ServiceLimits.devicesWithAnswersMax
            ),
        ]
        let counts = mover.collections.merging(receiver.collections, uniquingKeysWith: +)
        sums.append(("records", counts.values.reduce(0, +), ServiceLimits.recordsPerUserMax))
        let full = counts.contains { name, count in
            // What one account has may exceed a limit that was lowered later.
            mover.collections[name] != nil && receiver.collections[name] != nil
                && count > collections[name]?.recordsMax ?? .max
        }
        guard full || sums.contains(where: { $0.1 > $0.2 }) else { return nil }
        var error = RequestError(
            .tooMuch,
            "Both accounts together have more than one account may have. Nothing was changed.")
        for (name, count, max) in sums {
            error.numbers[name] = count
            error.numbers[name + "Max"] = max
        }
        return error
    }
}

extension RequestError {
    static let movedElsewhere = RequestError(
        .movedElsewhere, "The account was joined with another account than this one.")
    static let wrongProof = RequestError(
        .wrongCredentials, "The proof is not a token of an open session of the account.")
    static let needsFreshProof = RequestError(
        .needsFreshSignIn,
        "The account has a sign-in method. Sign in to it, and join it within"
            + " \(ServiceLimits.freshSignInSeconds / 60) minutes.")
    static let hasRole = RequestError(
        .hasRole, "The account has a role. Only accounts without one can be joined with another.")
    /// A device keeps such an account among its other users; it would take a copy along after `refused`.
    static let hasWayBack = RequestError(
        .needsFreshSignIn,
        "The email of the account changed within the last week, and its former email can take that back. Join it after that."
    )
    static let movedAccount = RequestError(
        .movedAccount, "This account was joined with another one. Sign in to that one.")

    /// The account of the request moves, or another one moves into the account that is to be moved.
    static var targetMoves: RequestError {
        var error = RequestError(.busy, "Another join of accounts is not done. Try again soon.")
        error.retryAfterSeconds = ServiceLimits.movingAccountRetrySeconds
        return error
    }

    /// The account moves into another one.
    static var moving: RequestError {
        var error = RequestError(
            .moving, "This account is being joined with another one. Try again in a moment.")
        error.retryAfterSeconds = ServiceLimits.movingAccountRetrySeconds
        return error
    }

    /// Returns the error for a request of a moved account.
    package static func closed(by move: StoredMove) -> RequestError {
        move.isDone ? .movedAccount : .moving
    }
}
