import ContentModel
import Crypto
import Foundation
import GRDB
import ServiceAPI

/// A sign-in method of an account: an email with a password, or an external identity.
public struct SignInMethod: Sendable, Hashable {
    /// `email`, or an id derived from the external identity.
    public let id: String
    /// The email, or the issuer's name for the user.
    public let name: String
    /// The issuer of an external identity; `nil` for email and password.
    public let issuer: String?
    /// True for an email that was verified by a code.
    public let isVerified: Bool

    static let emailID = "email"

    /// Returns a short id of an identity that fits into a path, without collisions by chance.
    static func id(issuer: String, subject: String) -> String {
        let digest = SHA256.hash(data: Data((issuer + "\u{0}" + subject).utf8))
        return "x" + Base64URL.text(Data(digest.prefix(15)))
    }
}

extension AccountStore {
    /// Returns the sign-in methods of an account: its email first, then external identities.
    func signInMethods(of id: String) async throws -> [SignInMethod] {
        try await database.read { database in
            try Self.signInMethods(of: try Self.required(id, in: database).number, in: database)
        }
    }

    private static func signInMethods(of number: Int64, in database: Database) throws
        -> [SignInMethod]
    {
        let emails = try GRDB.Row.fetchAll(
            database, sql: "SELECT email, verifiedAt FROM password WHERE account = ?",
            arguments: [number]
        ).map { row in
            SignInMethod(
                id: SignInMethod.emailID, name: row["email"], issuer: nil,
                isVerified: row["verifiedAt"] as Int64? != nil)
        }
        let identities = try GRDB.Row.fetchAll(
            database,
            sql: "SELECT issuer, subject FROM identity WHERE account = ? ORDER BY issuer, subject",
            arguments: [number]
        ).map { row in
            let (issuer, subject): (String, String) = (row["issuer"], row["subject"])
            return SignInMethod(
                id: SignInMethod.id(issuer: issuer, subject: subject), name: subject,
                issuer: issuer,
                isVerified: true)
        }
        return emails + identities
    }

    /// Removes a sign-in method and ends all other sessions.
    ///
    /// - Parameters:
    ///   - signInMethod: Its id.
    ///   - user: The signed-in account, whose session continues.
    ///   - acceptsLast: True to remove even the last one.
    ///   - now: The wall clock.
    /// - Throws: `UserServiceError` `notFound`, `lastSignInMethod`, `noAccount`.
    func remove(
        _ signInMethod: String, of user: AuthenticatedUser, acceptsLast: Bool, now: Date
    ) async throws {
        let store = self
        try await database.write { database in
            let account = try Self.required(user.id, in: database)
            let signInMethods = try Self.signInMethods(of: account.number, in: database)
            guard let found = signInMethods.first(where: { $0.id == signInMethod }) else {
                throw UserServiceError(.notFound, "The account has no such sign-in method.")
            }
            guard signInMethods.count > 1 || acceptsLast else {
                throw UserServiceError(
                    .lastSignInMethod,
                    "This is the last sign-in method of the account. Without it only devices that"
                        + " are signed in now can use it.")
            }
            if let issuer = found.issuer {
                try database.execute(
                    sql: "DELETE FROM identity WHERE issuer = ? AND subject = ? AND account = ?",
                    arguments: [issuer, found.name, account.number])
            } else {
                for table in ["password", "emailCode"] {
                    try database.execute(
                        sql: "DELETE FROM \(table) WHERE account = ?", arguments: [account.number])
                }
            }
            try store.endSessions(of: account, except: user.session, now, in: database)
        }
    }

    // MARK: Email and password

    /// Sets email and password; if the account had sign-in methods, all other sessions end.
    ///
    /// - Throws: `UserServiceError` `emailTaken`, `noAccount`.
    func setPassword(
        _ hash: Passwords.Hash, email: String, of user: AuthenticatedUser, now: Date
    ) async throws {
        let store = self
        try await database.write { database in
            let account = try Self.required(user.id, in: database)
            let hadSignInMethods = try !Self.signInMethods(of: account.number, in: database).isEmpty
            let owner = try Int64.fetchOne(
                database, sql: "SELECT account FROM password WHERE email = ?",
                arguments: [email])
            guard owner ?? account.number == account.number else {
                throw UserServiceError(.emailTaken, "The email belongs to an account already.")
            }
            try database.execute(
                sql: """
                    INSERT INTO password (account, email, salt, hash, rounds) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (account) DO UPDATE SET
                        verifiedAt = CASE WHEN email = excluded.email THEN verifiedAt END,
                        email = excluded.email, salt = excluded.salt, hash = excluded.hash,
                        rounds = excluded.rounds
                    """,
                arguments: [
                    account.number, email, Data(hash.salt), Data(hash.bytes), hash.rounds,
                ])
            // A code that was sent to the former address becomes invalid.
            try database.execute(
                sql: "DELETE FROM emailCode WHERE account = ? AND email <> ?",
                arguments: [account.number, email])
            if hadSignInMethods {
                try store.endSessions(of: account, except: user.session, now, in: database)
            }
        }
    }

    /// Returns the account of an email, and the hash of its password.
    func password(of email: String) async throws -> (id: String, hash: Passwords.Hash)? {
        try await database.read { database in
            try Self.password("email = ?", [email], in: database)
        }
    }

    /// Returns the hash of an account's password; `nil` when it has none.
    func password(ofAccount id: String) async throws -> Passwords.Hash? {
        try await database.read { database in
            try Self.password("account.id = ?", [id], in: database)?.hash
        }
    }

    private static func password(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> (id: String, hash: Passwords.Hash)? {
        try GRDB.Row.fetchOne(
            database,
            sql: """
                SELECT account.id, salt, hash, rounds FROM password
                JOIN account ON account.number = password.account WHERE \(condition)
                """, arguments: arguments
        ).map { row in
            let (salt, hash): (Data, Data) = (row["salt"], row["hash"])
            return (
                row["id"],
                Passwords.Hash(salt: [UInt8](salt), bytes: [UInt8](hash), rounds: row["rounds"])
            )
        }
    }

    // MARK: External identities

    /// Returns the id of the account of an external identity; `nil` when it has none.
    func account(of identity: ExternalIdentity) async throws -> String? {
        try await database.read { try Self.account(of: identity, in: $0) }
    }

    private static func account(
        of identity: ExternalIdentity, in database: Database
    ) throws -> String? {
        try String.fetchOne(
            database,
            sql: """
                SELECT account.id FROM identity JOIN account ON account.number = identity.account
                WHERE issuer = ? AND subject = ?
                """, arguments: [identity.issuer, identity.subject])
    }

    /// Links an external identity to an account, unless it belongs to one already.
    ///
    /// - Parameters:
    ///   - identity: The verified identity.
    ///   - id: The account.
    ///   - kept: The session that continues when the account had other sign-in methods; `nil` for a
    ///     new one.
    ///   - now: The wall clock.
    /// - Returns: The id of the account that the identity belongs to now.
    /// - Throws: `UserServiceError` `noAccount`, `refused`.
    func link(
        _ identity: ExternalIdentity, to id: String, keeping kept: String?, now: Date
    ) async throws -> String {
        let store = self
        return try await database.write { database in
            if let known = try Self.account(of: identity, in: database) { return known }
            let account = try Self.required(id, in: database)
            let signInMethods = try Self.signInMethods(of: account.number, in: database)
            guard signInMethods.count <= ServiceLimits.identitiesPerUserMax else {
                throw UserServiceError(
                    .refused, "The account has too many sign-in methods. Remove one.")
            }
            try database.execute(
                sql: "INSERT INTO identity (issuer, subject, account) VALUES (?, ?, ?)",
                arguments: [identity.issuer, identity.subject, account.number])
            if !signInMethods.isEmpty {
                try store.endSessions(of: account, except: kept, now, in: database)
            }
            return id
        }
    }
}
