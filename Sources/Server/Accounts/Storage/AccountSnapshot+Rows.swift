import Foundation
import Tables

extension AccountSnapshot {
    /// Reads a token with its relatives, a row for each; one row without a relative when it has none.
    mutating func read(token hash: Data, _ rows: Rows) throws {
        guard let first = rows.first else { return }
        var token = StoredToken(
            hash: hash, family: try first.value("family"), expiresAt: try first.value("expires_at"))
        for row in rows {
            guard let relative = try row.value("relative", as: Data?.self) else { continue }
            let known = StoredToken.Relative(
                hash: relative, expiresAt: try row.value("relative_expires_at"),
                isUsed: try row.value("is_used"))
            if try row.value("is_successor") {
                token.successors.append(known)
            } else {
                token.siblings.append(known)
            }
        }
        self.token = token
    }

    /// Reads the password of the account.
    mutating func read(password rows: Rows) throws {
        guard let row = rows.first else { return }
        password = StoredPassword(
            email: try row.value("email"),
            hash: Passwords.Hash(
                salt: [UInt8](try row.value("salt", as: Data.self)),
                bytes: [UInt8](try row.value("hash", as: Data.self)),
                rounds: try row.value("rounds")),
            verifiedAt: try row.value("verified_at"))
    }

    /// Reads the revocations of the account and the session.
    mutating func read(revocations rows: Rows) throws {
        for row in rows {
            let time: Int64 = try row.value("at")
            switch try row.value("kind", as: String.self) {
            // One that moved has a row of its own for where it went.
            case "account":
                revocations.isAccountDeleted = try row.value("kept", as: String.self).isEmpty
            case "family": revocations.isSessionEnded = true
            default:
                revocations.allSessions = .sessions(
                    of: try row.value("name"), kept: try row.value("kept"),
                    tokenGeneration: try row.value("token_generation"), at: time)
            }
        }
    }
}
