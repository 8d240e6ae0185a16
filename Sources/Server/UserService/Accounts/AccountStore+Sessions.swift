import Foundation
import GRDB
import ServiceAPI

/// The session of a signed-in device: the content of its two tokens.
struct Session: Sendable {
    let account: String
    let tokenGeneration: Int64
    let family: String
    let authenticatedAt: Int64
    let refreshToken: String
}

extension AccountStore {
    // MARK: Beginning and renewing

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - id: The account.
    ///   - isAuthenticated: True when a password or an external token was checked just now.
    ///   - now: The wall clock.
    /// - Returns: The session with the first token of a new family.
    /// - Throws: `UserServiceError` `noAccount`, or an error of the database.
    func open(_ id: String, isAuthenticated: Bool, now: Date) async throws -> Session {
        let store = self
        return try await database.write { database in
            let account = try Self.required(id, in: database)
            let claims = RefreshClaims(
                account: id, family: RandomText.make(bytes: 12), number: 1,
                issuedAt: now.millisecondsSince1970,
                authenticatedAt: isAuthenticated ? Int64(now.timeIntervalSince1970) : 0,
                generation: try InstanceMark.generation(in: database))
            return try store.issue(claims, parent: nil, account, now, in: database)
        }
    }

    private enum Rotation {
        case rotated(Session)
        case refused(UserServiceError)
    }

    /// Replaces a refresh token by its successor.
    ///
    /// A device that never received the successor may present the old token again. Once a successor
    /// was used, the old token and its other successors are stolen copies, and the whole family is
    /// revoked. A token that the database does not know, because it was restored from a backup, is
    /// accepted by its proof.
    /// - Returns: The session with its next token.
    /// - Throws: `UserServiceError` `unauthorized`, `reusedToken` or `noAccount`.
    func rotate(_ token: String, now: Date) async throws -> Session {
        let store = self
        let (hash, claims) = (RefreshTokens.hash(token), tokens.claims(of: token))
        let outcome = try await database.write { database -> Rotation in
            if let stored = try StoredToken(hash, now, in: database) {
                return try store.renew(stored, claims, now, in: database)
            }
            guard let claims, claims.expiresAt > Int64(now.timeIntervalSince1970) else {
                return .refused(.signInAgain)
            }
            if let refusal = store.journal.verdict(claims) { return .refused(refusal) }
            return try store.adopt(claims, hash, now, in: database)
        }
        switch outcome {
        case .rotated(let session): return session
        case .refused(let error): throw error
        }
    }

    /// A refresh token with a row.
    private struct StoredToken {
        let hash: Data
        let family: String
        let parent: Data?
        let account: Row

        init?(_ hash: Data, _ now: Date, in database: Database) throws {
            let statement = try database.cachedStatement(
                sql: """
                    SELECT family, parent, account.number, account.id, tokenGeneration
                    FROM refreshToken JOIN account ON account.number = refreshToken.account
                    WHERE hash = ? AND expiresAt > ? AND deletedAt IS NULL
                    """)
            let arguments: StatementArguments = [hash, Int64(now.timeIntervalSince1970)]
            guard let row = try GRDB.Row.fetchOne(statement, arguments: arguments) else {
                return nil
            }
            self.hash = hash
            (family, parent) = (row["family"], row["parent"])
            account = Row(
                number: row["number"], id: row["id"], tokenGeneration: row["tokenGeneration"])
        }

        /// Returns whether a successor of the token, or another successor of its parent, was used
        /// before.
        func isCopy(in database: Database) throws -> Bool {
            try Bool.fetchOne(
                database.cachedStatement(
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM refreshToken
                                WHERE parent = ? AND usedAt IS NOT NULL)
                            OR EXISTS (SELECT 1 FROM refreshToken
                                WHERE parent = ? AND hash <> ? AND usedAt IS NOT NULL)
                        """), arguments: [hash, parent, hash]) ?? false
        }
    }

    private func renew(
        _ stored: StoredToken, _ claims: RefreshClaims?, _ now: Date, in database: Database
    ) throws -> Rotation {
        if try stored.isCopy(in: database) {
            try end(family: stored.family, now, in: database)
            return .refused(.reused)
        }
        try database.cachedStatement(
            sql: "UPDATE refreshToken SET usedAt = ? WHERE hash = ?"
        ).execute(arguments: [Int64(now.timeIntervalSince1970), stored.hash])
        let (time, generation) = (
            now.millisecondsSince1970, try InstanceMark.generation(in: database)
        )
        let next =
            claims?.next(issuedAt: time, generation: generation)
            ?? RefreshClaims(
                account: stored.account.id, family: stored.family, number: 1, issuedAt: time,
                authenticatedAt: 0, generation: generation)
        let rotation = try issue(next, parent: stored.hash, stored.account, now, in: database)
        try forgetSpareSuccessors(
            of: stored.hash, but: RefreshTokens.hash(rotation.refreshToken), in: database)
        return .rotated(rotation)
    }

    /// Bounds the unused successors of a token: a device whose replies are lost may retry, but not
    /// for ever.
    private func forgetSpareSuccessors(
        of hash: Data, but newest: Data, in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                DELETE FROM refreshToken
                WHERE parent = ?1 AND usedAt IS NULL AND hash <> ?2 AND hash NOT IN (
                    SELECT hash FROM refreshToken
                    WHERE parent = ?1 AND usedAt IS NULL AND hash <> ?2
                    ORDER BY expiresAt DESC LIMIT ?3)
                """
        ).execute(arguments: [hash, newest, ServiceLimits.spareRefreshTokensMax])
    }

    /// Restores a session that only its token proves, and its account if that is missing.
    private func adopt(
        _ claims: RefreshClaims, _ hash: Data, _ now: Date, in database: Database
    ) throws -> Rotation {
        let generation = try InstanceMark.generation(in: database)
        let account: Row
        if let found = try Self.find(claims.account, in: database) {
            // Without a restore in between, a session without a row has ended.
            guard claims.generation != generation else { return .refused(.signInAgain) }
            // The session was renewed since the restore: one of the two presenters has a copy.
            guard try !isRenewed(claims.family, generation, in: database) else {
                try end(family: claims.family, now, in: database)
                return .refused(.reused)
            }
            try database.execute(
                sql: "DELETE FROM refreshToken WHERE family = ?", arguments: [claims.family])
            account = found
        } else {
            account = try Self.insert(
                claims.account, tokenGeneration: journal.tokenGeneration(of: claims.account), now,
                in: database)
        }
        try insert(hash, claims, parent: nil, account, usedAt: now, in: database)
        let next = claims.next(issuedAt: now.millisecondsSince1970, generation: generation)
        return .rotated(try issue(next, parent: hash, account, now, in: database))
    }

    private func isRenewed(
        _ family: String, _ generation: Int64, in database: Database
    ) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM refreshToken WHERE family = ? AND generation = ?)
                """, arguments: [family, generation]) ?? false
    }

    private func issue(
        _ claims: RefreshClaims, parent: Data?, _ account: Row, _ now: Date,
        in database: Database
    ) throws -> Session {
        let token = tokens.make(claims)
        try insert(
            RefreshTokens.hash(token), claims, parent: parent, account, usedAt: nil, in: database)
        // A resolution of one day suffices to find unused accounts.
        let seconds = Int64(now.timeIntervalSince1970)
        try database.cachedStatement(
            sql: "UPDATE account SET lastUsedAt = ? WHERE number = ? AND lastUsedAt < ?"
        ).execute(arguments: [seconds, account.number, seconds - 86_400])
        return Session(
            account: account.id, tokenGeneration: account.tokenGeneration, family: claims.family,
            authenticatedAt: claims.authenticatedAt, refreshToken: token)
    }

    private func insert(
        _ hash: Data, _ claims: RefreshClaims, parent: Data?, _ account: Row, usedAt: Date?,
        in database: Database
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO refreshToken
                    (hash, family, parent, account, expiresAt, usedAt, generation)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            hash, claims.family, parent, account.number, claims.expiresAt,
            usedAt.map { Int64($0.timeIntervalSince1970) }, claims.generation,
        ])
    }

    // MARK: Ending

    private func end(family: String, _ now: Date, in database: Database) throws {
        try journal.add(.family(family, at: now.millisecondsSince1970))
        try database.execute(
            sql: "DELETE FROM refreshToken WHERE family = ?", arguments: [family])
    }

    /// Ends the session of a token, also of one without a row that proves itself.
    func revoke(_ token: String, now: Date) async throws {
        let store = self
        let claims = tokens.claims(of: token)
        try await database.write { database in
            let stored = try String.fetchOne(
                database, sql: "SELECT family FROM refreshToken WHERE hash = ?",
                arguments: [RefreshTokens.hash(token)])
            guard let family = stored ?? claims?.family else { return }
            try store.end(family: family, now, in: database)
        }
    }

    /// Ends all sessions of an account, and invalidates its access tokens.
    ///
    /// - Parameters:
    ///   - id: The account.
    ///   - kept: A session that continues; `nil` for none.
    ///   - now: The wall clock.
    /// - Throws: An error of the file system or the database.
    func endSessions(of id: String, except kept: String?, now: Date) async throws {
        let store = self
        try await database.write { database in
            guard let account = try Self.find(id, in: database) else { return }
            try store.endSessions(of: account, except: kept, now, in: database)
        }
    }

    func endSessions(
        of account: Row, except kept: String?, _ now: Date, in database: Database
    ) throws {
        let generation = account.tokenGeneration + 1
        try journal.add(
            .sessions(
                of: account.id, kept: kept ?? "", tokenGeneration: generation,
                at: now.millisecondsSince1970))
        try database.execute(
            sql: "DELETE FROM refreshToken WHERE account = ? AND family <> ?",
            arguments: [account.number, kept ?? ""])
        try database.execute(
            sql: "UPDATE account SET tokenGeneration = ? WHERE number = ?",
            arguments: [generation, account.number])
    }

    // MARK: After a restore

    /// Replays the revocations of the journal after the database went back.
    func applyJournal(now: Date) async throws {
        let entries = journal.entries
        for start in stride(from: 0, to: entries.count, by: ServiceLimits.upkeepBatchMax) {
            let batch = entries[start..<min(entries.count, start + ServiceLimits.upkeepBatchMax)]
            try await database.write { database in
                for entry in batch { try Self.apply(entry, now, in: database) }
            }
        }
    }

    private static func apply(_ entry: Revocation, _ now: Date, in database: Database) throws {
        switch entry {
        case .account(let id, _):
            guard let account = try find(id, in: database) else { return }
            try markDeleted(account.number, now: now, in: database)
        case .family(let name, _):
            try database.execute(
                sql: "DELETE FROM refreshToken WHERE family = ?", arguments: [name])
        case .sessions(let id, let kept, let generation, let time):
            guard let account = try find(id, in: database) else { return }
            let end = time / 1000 + Int64(ServiceLimits.refreshTokenDays) * 86_400
            try database.execute(
                sql: """
                    DELETE FROM refreshToken WHERE account = ? AND family <> ? AND expiresAt <= ?
                    """, arguments: [account.number, kept, end])
            try database.execute(
                sql:
                    "UPDATE account SET tokenGeneration = max(tokenGeneration, ?) WHERE number = ?",
                arguments: [generation, account.number])
        }
    }
}

extension UserServiceError {
    static let reused = UserServiceError(
        .reusedToken, "This token was used before. Sign in again.")
}
