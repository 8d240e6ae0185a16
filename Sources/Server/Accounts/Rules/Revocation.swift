package import ContentServer
import ServiceAPI

/// A deletion or revocation that a restored backup must not undo.
package enum Revocation: Sendable, Hashable {
    /// An account was deleted.
    case account(String, at: Int64)
    /// An account began to move into another account.
    case move(String, into: String, at: Int64)
    /// A session ended, or one of its tokens was found to be copied.
    case family(String, at: Int64)
    /// All sessions of an account ended except one (`kept`; empty for none). Access tokens of lower generations are
    /// invalid.
    case sessions(of: String, kept: String, tokenGeneration: Int64, at: Int64)

    /// The time of the revocation, in milliseconds since 1970.
    package var time: Int64 {
        switch self {
        case .account(_, let time), .family(_, let time), .sessions(_, _, _, let time),
            .move(_, _, let time):
            time
        }
    }

    /// The revocation as a line of the journal.
    package var line: String {
        switch self {
        case .account(let id, let time): "account \(time) \(id)"
        case .move(let id, let target, let time): "move \(time) \(id) \(target)"
        case .family(let name, let time): "family \(time) \(name)"
        case .sessions(let id, let kept, let generation, let time):
            "sessions \(time) \(id) \(generation) \(kept.isEmpty ? "-" : kept)"
        }
    }

    /// Parses a line of the journal; `nil` for a damaged one.
    package init?(line: Substring) {
        let words = line.split(separator: " ").map { String($0) }
        guard words.count >= 3, let time = Int64(words[1]) else { return nil }
        switch (words[0], words.count) {
        case ("account", 3): self = .account(words[2], at: time)
        case ("move", 4): self = .move(words[2], into: words[3], at: time)
        case ("family", 3): self = .family(words[2], at: time)
        case ("sessions", 5):
            guard let generation = Int64(words[3]) else { return nil }
            self = .sessions(
                of: words[2], kept: words[4] == "-" ? "" : words[4],
                tokenGeneration: generation, at: time)
        default: return nil
        }
    }
}

extension Revocation {
    /// The changes that repeat it over a storage that a backup replaced.
    ///
    /// Sessions that were opened since then go on, and so does an account's higher token generation.
    var replay: [AccountChange] {
        switch self {
        case .account(let id, let time): [.markDeleted(id, at: time / 1000)]
        case .move(let id, let target, let time):
            [.move(.begin(StoredMove(source: id, target: target, answers: 0), at: time))]
        case .family(let name, _): [.session(.remove(family: name))]
        case .sessions(let id, let kept, let generation, let time):
            [
                .session(
                    .removeAll(
                        of: id, except: kept,
                        // A stored token knows the second alone; one of the same second may have been opened after it.
                        expiringBy: RefreshClaims.end(ofTokenIssuedAt: time) - 1)),
                .raiseTokenGeneration(of: id, to: generation),
            ]
        }
    }
}

/// The revocations of an account and one of its sessions.
package struct KnownRevocations: Sendable, Hashable {
    /// True when the account was deleted.
    package var isAccountDeleted = false
    /// True when the session ended.
    package var isSessionEnded = false
    /// The latest revocation of all sessions of the account except one.
    package var allSessions: Revocation?

    package init() {}

    /// Returns the reason to reject a token that is not stored; `nil` if there is none.
    func refusal(of claims: RefreshClaims) -> RequestError? {
        if isAccountDeleted { return .accountIsDeleted }
        if isSessionEnded { return .signInAgain }
        if case .sessions(_, let kept, _, let time)? = allSessions,
            claims.issuedAt <= time, claims.family != kept
        {
            return .signInAgain
        }
        return nil
    }

    /// The least valid generation of the account's access tokens.
    var tokenGeneration: Int64 {
        if case .sessions(_, _, let generation, _)? = allSessions { generation } else { 0 }
    }
}

extension RequestError {
    static let signInAgain = RequestError(.unauthorized, "Sign in again.")
    package static let accountIsDeleted = RequestError(
        .noAccount, "There is no such account any more.")
}
