import Foundation
import GRDB
import Tables

/// Writes the changes of a decision about an account, within the caller's transaction.
struct AccountWriter {
    private let database: Database
    private let journal: RevocationJournal
    private let rows: MovedRows<Database>

    init(
        _ database: Database, _ journal: RevocationJournal,
        _ rows: MovedRows<Database>
    ) {
        self.database = database
        self.journal = journal
        self.rows = rows
    }

    /// Writes changes in their order.
    ///
    /// - Throws: `LedgerError` `noAccount` for an addition to an account that does not exist, or an error
    ///   of the file system or the database.
    func write(_ changes: [AccountChange]) throws {
        var revocations: [Revocation] = []
        for change in changes {
            if case .revoke(let revocation) = change { revocations.append(revocation) }
            try write(change)
        }
        // After all that the database may refuse: the journal is not undone with the transaction.
        for revocation in revocations { try journal.add(revocation) }
    }

    private func write(_ change: AccountChange) throws {
        switch change {
        case .create(let id, let generation, let time):
            try database.execute(
                cached: """
                    INSERT INTO account (id, created_at, last_used_at, token_generation)
                    VALUES (?, ?, ?, ?)
                    """, [id, time, time, generation])
        case .setUse(let id, let time):
            try database.execute(
                cached: "UPDATE account SET last_used_at = ? WHERE id = ?", [time, id])
        case .raiseTokenGeneration(let id, let generation):
            try database.execute(
                cached:
                    "UPDATE account SET token_generation = max(token_generation, ?) WHERE id = ?",
                [generation, id])
        case .markDeleted(let id, let time):
            guard try markDeleted(id, time) else { return }
            try TableTransaction(database).run([
                AdministrationStorage.appending(.deletion(of: id, at: time))
            ])
        case .markUnused(let id, let usedAt, let time):
            let isUnused = try Bool.fetchOne(
                database, sql: "SELECT last_used_at = ? FROM account WHERE id = ?",
                arguments: [usedAt, id])
            if isUnused == true { _ = try markDeleted(id, time) }
        case .revoke: break
        case .move(let change): try SQLiteMoves(database: database, rows: rows).write(change)
        case .session(let change): try write(change)
        case .signIn(let change): try write(change)
        }
    }

    // MARK: Accounts

    private func number(of id: String) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM account WHERE id = ?"),
            arguments: [id])
    }

    private func requiredNumber(of id: String) throws -> Int64 {
        guard let number = try number(of: id) else { throw LedgerError.noAccount }
        return number
    }

    /// Renames a deleted account to an id that no token and no request can contain.
    ///
    /// - Returns: False when there is no such account.
    private func markDeleted(_ id: String, _ time: Int64) throws -> Bool {
        guard let number = try number(of: id) else { return false }
        try database.execute(
            cached: "UPDATE account SET id = 'deleted ' || number, deleted_at = ? WHERE number = ?",
            [time, number])
        for table in [
            "password", "identity", "email_code", "refresh_token", "role", "contributor",
            "question_report", "board_profile",
        ] {
            try database.execute(cached: "DELETE FROM \(table) WHERE account = ?", [number])
        }
        for table in ["event_submission", "event_score"] {
            try database.execute(
                cached: """
                    DELETE FROM \(table) WHERE account = ? AND event IN
                        (SELECT number FROM event WHERE frozen_at IS NULL)
                    """, [number])
        }
        try SQLiteMoves(database: database).deleteSources(into: id)
        try database.execute(cached: "INSERT INTO board_change (member) VALUES (?)", [number])
        return true
    }

    // MARK: Sessions

    private func write(_ change: SessionChange) throws {
        switch change {
        case .add(let token, let id):
            try database.execute(
                cached: """
                    INSERT INTO refresh_token
                        (hash, family, parent, account, expires_at, used_at, generation)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                [
                    token.hash, token.family, token.parent, try requiredNumber(of: id),
                    token.expiresAt, token.usedAt, token.generation,
                ])
        case .markUsed(let hash, let time):
            try database.execute(
                cached: "UPDATE refresh_token SET used_at = ? WHERE hash = ?", [time, hash])
        case .removeTokens(let hashes):
            for hash in hashes {
                try database.execute(cached: "DELETE FROM refresh_token WHERE hash = ?", [hash])
            }
        case .remove(let family):
            try database.execute(cached: "DELETE FROM refresh_token WHERE family = ?", [family])
        case .removeAll(let id, let kept, let end):
            try database.execute(
                cached: """
                    DELETE FROM refresh_token
                    WHERE account = (SELECT number FROM account WHERE id = ?) AND family <> ?
                        AND expires_at <= ?
                    """, [id, kept, end ?? .max])
        }
    }

    // MARK: Sign-in methods

    private func write(_ change: SignInChange) throws {
        switch change {
        case .setPassword(let password, let id):
            try database.execute(
                cached: """
                    INSERT INTO password (account, email, salt, hash, rounds, verified_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (account) DO UPDATE SET
                        email = excluded.email, salt = excluded.salt, hash = excluded.hash,
                        rounds = excluded.rounds, verified_at = excluded.verified_at
                    """,
                [
                    try requiredNumber(of: id), password.email, Data(password.hash.salt),
                    Data(password.hash.bytes), password.hash.rounds, password.verifiedAt,
                ])
        case .removePassword(let id):
            try database.execute(
                cached:
                    "DELETE FROM password WHERE account = (SELECT number FROM account WHERE id = ?)",
                [id])
        case .link(let identity, let id):
            try database.execute(
                cached: "INSERT INTO identity (issuer, subject, account) VALUES (?, ?, ?)",
                [identity.issuer, identity.subject, try requiredNumber(of: id)])
        case .unlink(let identity, let id):
            try database.execute(
                cached: """
                    DELETE FROM identity WHERE issuer = ? AND subject = ?
                        AND account = (SELECT number FROM account WHERE id = ?)
                    """, [identity.issuer, identity.subject, id])
        case .addCode(let key, let code, let id):
            try database.execute(
                cached: """
                    INSERT INTO email_code (account, purpose, email, hash, expires_at)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                [
                    try requiredNumber(of: id), key.purpose.rawValue, code.email, key.hash,
                    code.expiresAt,
                ])
        case .removeCodes(let id, let email, let kept):
            try database.execute(
                cached: """
                    DELETE FROM email_code WHERE account = (SELECT number FROM account WHERE id = ?)
                        AND email <> coalesce(?, '') AND (expires_at < ? OR expires_at >= ?)
                    """, [id, email, kept.lowerBound, kept.upperBound])
        }
    }
}
