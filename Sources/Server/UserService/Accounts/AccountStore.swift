import Crypto
import Foundation
import GRDB
import ServiceAPI

/// Accounts in the database: who they are and which tokens renew them.
struct AccountStore: Sendable {
    let database: UserDatabase

    // MARK: Accounts

    func make(id: String, now: Date) async throws {
        try await database.writer.write { database in
            try database.execute(
                sql: "INSERT INTO account (id, createdAt) VALUES (?, ?)",
                arguments: [id, Int64(now.timeIntervalSince1970)])
        }
    }

    func exists(_ id: String) async throws -> Bool {
        try await database.writer.read { try Self.number(id, in: $0) != nil }
    }

    private static func number(_ id: String, in database: Database) throws -> Int64? {
        try Int64.fetchOne(
            database, sql: "SELECT number FROM account WHERE id = ?", arguments: [id])
    }

    private static func required(_ id: String, in database: Database) throws -> Int64 {
        guard let number = try number(id, in: database) else {
            throw UserServiceError(.noAccount, "There is no such account any more.")
        }
        return number
    }

    /// Deletes an account with everything that belongs to it.
    func delete(_ id: String) async throws {
        try await database.writer.write { database in
            try database.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [id])
        }
    }

    // MARK: Ways to sign in

    func setPassword(_ kept: Passwords.Kept, email: String, of id: String) async throws {
        try await database.writer.write { database in
            let number = try Self.required(id, in: database)
            let owner = try Int64.fetchOne(
                database, sql: "SELECT account FROM password WHERE email = ?",
                arguments: [email])
            guard owner ?? number == number else {
                throw UserServiceError(.emailTaken, "The email belongs to an account already.")
            }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO password (account, email, salt, hash, rounds)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [number, email, Data(kept.salt), Data(kept.hash), kept.rounds])
        }
    }

    func password(of email: String) async throws -> (id: String, kept: Passwords.Kept)? {
        try await database.writer.read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT account.id, salt, hash, rounds FROM password
                    JOIN account ON account.number = password.account WHERE email = ?
                    """,
                arguments: [email]
            ).map { row in
                let (salt, hash): (Data, Data) = (row[1], row[2])
                return (
                    row[0],
                    Passwords.Kept(salt: [UInt8](salt), hash: [UInt8](hash), rounds: row[3])
                )
            }
        }
    }

    /// The account of an external identity, which becomes that of `id` when it has none.
    ///
    /// - Returns: The account's id.
    func account(of identity: ExternalIdentity, else id: String) async throws -> String {
        try await database.writer.write { database in
            let known = try String.fetchOne(
                database,
                sql: """
                    SELECT account.id FROM identity
                    JOIN account ON account.number = identity.account
                    WHERE issuer = ? AND subject = ?
                    """,
                arguments: [identity.issuer, identity.subject])
            if let known { return known }
            let number = try Self.required(id, in: database)
            try database.execute(
                sql: "INSERT INTO identity (issuer, subject, account) VALUES (?, ?, ?)",
                arguments: [identity.issuer, identity.subject, number])
            return id
        }
    }

    func knows(_ identity: ExternalIdentity) async throws -> Bool {
        try await database.writer.read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS (SELECT 1 FROM identity WHERE issuer = ? AND subject = ?)",
                arguments: [identity.issuer, identity.subject]) ?? false
        }
    }

    // MARK: Refresh tokens

    /// Keeps the first token of a new family.
    func keep(refreshToken: String, family: String, of id: String, now: Date) async throws {
        try await database.writer.write { database in
            let number = try Self.required(id, in: database)
            try Self.insert(refreshToken, family, parent: nil, number, now, in: database)
        }
    }

    private static func insert(
        _ token: String, _ family: String, parent: Data?, _ account: Int64, _ now: Date,
        in database: Database
    ) throws {
        let end = now.timeIntervalSince1970 + Double(ServiceLimits.refreshTokenDays) * 86_400
        try database.execute(
            sql: """
                INSERT INTO refreshToken (hash, family, parent, account, expiresAt)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [hash(token), family, parent, account, Int64(end)])
    }

    private enum Rotation {
        case rotated(account: String)
        case refused(UserServiceError)
    }

    /// Uses up a token and keeps its successor.
    ///
    /// Whoever never got the successor may ask again with the old one; once a successor was used, the
    /// old one, and whatever else was made of it, is a stolen copy: the whole family becomes void.
    /// - Returns: The account's id.
    /// - Throws: `UserServiceError` `unauthorized` or `reusedToken`.
    func rotate(_ token: String, into next: String, now: Date) async throws -> String {
        let outcome = try await database.writer.write { database -> Rotation in
            let hash = Self.hash(token)
            guard
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT family, parent, account.number, account.id
                        FROM refreshToken JOIN account ON account.number = refreshToken.account
                        WHERE hash = ? AND expiresAt > ?
                        """,
                    arguments: [hash, Int64(now.timeIntervalSince1970)])
            else { return .refused(UserServiceError(.unauthorized, "Sign in again.")) }
            let (family, parent): (String, Data?) = (row[0], row[1])
            if try Self.isCopy(hash, parent: parent, in: database) {
                try database.execute(
                    sql: "DELETE FROM refreshToken WHERE family = ?", arguments: [family])
                return .refused(
                    UserServiceError(
                        .reusedToken, "This token was used before. Sign in again."))
            }
            try database.execute(
                sql: "UPDATE refreshToken SET usedAt = ? WHERE hash = ?",
                arguments: [Int64(now.timeIntervalSince1970), hash])
            try Self.insert(next, family, parent: hash, row[2], now, in: database)
            try database.execute(
                sql: "DELETE FROM refreshToken WHERE expiresAt <= ?",
                arguments: [Int64(now.timeIntervalSince1970)])
            return .rotated(account: row[3])
        }
        switch outcome {
        case .rotated(let account): return account
        case .refused(let error): throw error
        }
    }

    /// True when a successor of the token, or another successor of its parent, was used already.
    private static func isCopy(
        _ hash: Data, parent: Data?, in database: Database
    ) throws -> Bool {
        let usedChild = try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM refreshToken
                    WHERE parent = ? AND usedAt IS NOT NULL)
                """,
            arguments: [hash])
        let usedSibling = try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM refreshToken
                    WHERE parent = ? AND hash <> ? AND usedAt IS NOT NULL)
                """,
            arguments: [parent, hash])
        return usedChild == true || usedSibling == true
    }

    /// Makes a token and its whole family void.
    func revoke(_ token: String) async throws {
        try await database.writer.write { database in
            try database.execute(
                sql: """
                    DELETE FROM refreshToken WHERE family IN
                        (SELECT family FROM refreshToken WHERE hash = ?)
                    """,
                arguments: [Self.hash(token)])
        }
    }

    /// Makes all tokens of an account void.
    func revokeAll(of id: String) async throws {
        try await database.writer.write { database in
            try database.execute(
                sql: """
                    DELETE FROM refreshToken WHERE account =
                        (SELECT number FROM account WHERE id = ?)
                    """,
                arguments: [id])
        }
    }

    private static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
}
