import Foundation
package import Tables

/// The statements that write the changes of a decision about an account.
package struct AccountWriting {
    private let changes: [AccountChange]

    init(_ changes: [AccountChange]) { self.changes = changes }

    /// The statements, in the order of the changes.
    var statements: [Bound] { changes.flatMap(Self.statements) }

    /// The moves among the changes, which come after the statements.
    var moves: [MoveChange] {
        changes.compactMap { if case .move(let move) = $0 { move } else { nil } }
    }

    /// The revocations among the changes.
    var revocations: [Revocation] {
        changes.compactMap { if case .revoke(let revocation) = $0 { revocation } else { nil } }
    }

    private static func statements(_ change: AccountChange) -> [Bound] {
        switch change {
        case .create(let id, let generation, let time):
            let user = UserClaims(of: id).user.uuidString
            return [
                creating(["id": id, "user": user, "at": time, "generation": generation])
            ]
        case .setUse(let id, let time): return [using(["id": id, "at": time])]
        case .raiseTokenGeneration(let id, let generation):
            return [raising(["id": id, "generation": generation])]
        case .markDeleted(let id, let time):
            return deletion(of: id, usedAt: nil, at: time, .deletion(of: id, at: time))
        case .markUnused(let id, let usedAt, let time):
            return deletion(of: id, usedAt: usedAt, at: time, nil)
        // Reads between its statements, see `AccountMoves`.
        case .move: return []
        case .session(let change): return statements(change)
        case .signIn(let change): return statements(change)
        case .revoke(let revocation): return [adding([revocation])]
        }
    }

    // MARK: Accounts

    private static let creating = Statement(
        sqlite: """
            INSERT INTO {account} (id, created_at, last_used_at, token_generation)
            VALUES (:id, :at, :at, :generation)
            """,
        postgres: """
            INSERT INTO {account} (id, user_id, created_at, last_used_at, token_generation)
            VALUES (:id, :user, :at, :at, :generation)
            """)

    private static let using = Statement("UPDATE {account} SET last_used_at = :at WHERE id = :id")

    private static let raising = Statement(
        """
        UPDATE {account} SET token_generation = :generation
        WHERE id = :id AND token_generation < :generation
        """)

    /// Gives a deleted account an id that no token and no request can contain, and no identity for policies, when all that
    /// identifies the learner is removed.
    ///
    /// The entry is that for the audit log, if there is an account to delete.
    private static func deletion(
        of id: String, usedAt: Int64?, at time: Int64, _ entry: AuditEntry?
    ) -> [Bound] {
        let gone: [String: any TableValue] = ["id": id, "used_at": usedAt]
        let log = entry.map { entry in
            [
                "at": entry.time, "actor": entry.actor, "action": entry.action.rawValue,
                "subject": entry.subject,
            ] as [String: any TableValue]
        }
        return removing.map { $0(gone) }
            + [log].compactMap(\.self).map { logging($0.merging(gone) { $1 }) }
            + [renaming(gone.merging(["deleted_at": time]) { $1 })]
    }

    /// The account to delete, if it was not used since.
    private static let gone =
        "FROM {account} WHERE id = :id AND last_used_at = coalesce(:used_at, last_used_at)"

    /// The tables of sign-in methods, names and statements of an account.
    static let openingTables = [
        "password", "identity", "email_code", "refresh_token", "role", "contributor",
        "question_report",
    ]

    private static let removing =
        [Statement("SELECT number \(gone) {for update}")]
        + openingTables.map {
            Statement("DELETE FROM {\($0)} WHERE account = (SELECT number \(gone))")
        }
        + [
            // On PostgreSQL sign-in may not see these: upkeep removes them.
            Statement(
                sqlite: "DELETE FROM {board_profile} WHERE account = (SELECT number \(gone))"),
            Statement(sqlite: ofOpenEvents("event_submission")),
            Statement(sqlite: ofOpenEvents("event_score")),
            renamed("id IN (\(sources)) AND EXISTS (SELECT 1 \(gone))"),
            Statement(
                "DELETE FROM {account_move} WHERE target = :id AND EXISTS (SELECT 1 \(gone))"),
            Statement("INSERT INTO {board_change} (member) SELECT number \(gone)"),
        ]

    private static func ofOpenEvents(_ table: String) -> String {
        """
        DELETE FROM {\(table)} WHERE account = (SELECT number \(gone))
            AND event IN (SELECT number FROM {event} WHERE frozen_at IS NULL)
        """
    }

    /// The accounts that moved, or move, into the deleted one.
    private static let sources = "SELECT 'moving ' || source FROM {account_move} WHERE target = :id"

    private static let logging = Statement(
        """
        INSERT INTO {audit} (at, actor, action, subject)
        SELECT :at, :actor, :action, :subject \(gone)
        """)

    private static let renaming = renamed(
        "number = (SELECT number \(gone))", and: ", deleted_at = :deleted_at")

    /// Gives accounts an id that no token and no request can contain.
    static func renamed(_ condition: String, and change: String = "") -> Statement {
        let renaming = "UPDATE {account} SET id = 'deleted ' || number\(change)"
        return Statement(
            sqlite: "\(renaming) WHERE \(condition)",
            postgres: "\(renaming), user_id = NULL WHERE \(condition)")
    }

    // MARK: Sessions

    private static func statements(_ change: SessionChange) -> [Bound] {
        switch change {
        case .add(let token, let id):
            return [
                storing([
                    "hash": token.hash, "family": token.family, "parent": token.parent, "id": id,
                    "expires_at": token.expiresAt, "used_at": token.usedAt,
                    "generation": token.generation,
                ])
            ]
        case .markUsed(let hash, let time): return [markingUsed(["hash": hash, "at": time])]
        case .removeTokens(let hashes): return hashes.map { removingToken(["hash": $0]) }
        case .remove(let family): return [ending(["family": family])]
        case .removeAll(let id, let kept, let end):
            return [endingAll(["id": id, "kept": kept, "end": end ?? .max])]
        }
    }

    /// The account of an id; an addition to none violates the foreign key.
    private static let account = "coalesce((SELECT number FROM {account} WHERE id = :id), -1)"

    private static let storing = Statement(
        """
        INSERT INTO {refresh_token} (hash, family, parent, account, expires_at, used_at, generation)
        VALUES (:hash, :family, :parent, \(account), :expires_at, :used_at, :generation)
        """)

    private static let markingUsed = Statement(
        "UPDATE {refresh_token} SET used_at = :at WHERE hash = :hash")

    private static let removingToken = Statement("DELETE FROM {refresh_token} WHERE hash = :hash")

    private static let ending = Statement("DELETE FROM {refresh_token} WHERE family = :family")

    private static let endingAll = Statement(
        """
        DELETE FROM {refresh_token}
        WHERE account = \(account) AND family <> :kept AND expires_at <= :end
        """)

    // MARK: Sign-in methods

    private static func statements(_ change: SignInChange) -> [Bound] {
        switch change {
        case .setPassword(let password, let id):
            return [
                setting([
                    "id": id, "email": password.email, "salt": Data(password.hash.salt),
                    "hash": Data(password.hash.bytes), "rounds": password.hash.rounds,
                    "verified_at": password.verifiedAt,
                ])
            ]
        case .removePassword(let id): return [removingPassword(["id": id])]
        case .link(let identity, let id): return [linking(values(identity, id))]
        case .unlink(let identity, let id): return [unlinking(values(identity, id))]
        case .addCode(let key, let code, let id):
            return [
                sending([
                    "id": id, "purpose": key.purpose.rawValue, "hash": key.hash,
                    "email": code.email, "expires_at": code.expiresAt,
                ])
            ]
        case .removeCodes(let id, let email, let kept):
            return [
                forgetting([
                    "id": id, "email": email, "from": kept.lowerBound, "end": kept.upperBound,
                ])
            ]
        }
    }

    private static func values(
        _ identity: ExternalIdentity, _ id: String
    ) -> [String: any TableValue] {
        ["id": id, "issuer": identity.issuer, "subject": identity.subject]
    }

    private static let setting = Statement(
        """
        INSERT INTO {password} (account, email, salt, hash, rounds, verified_at)
        VALUES (\(account), :email, :salt, :hash, :rounds, :verified_at)
        ON CONFLICT (account) DO UPDATE SET
            email = excluded.email, salt = excluded.salt, hash = excluded.hash,
            rounds = excluded.rounds, verified_at = excluded.verified_at
        """)

    private static let removingPassword = Statement(
        "DELETE FROM {password} WHERE account = \(account)")

    private static let linking = Statement(
        "INSERT INTO {identity} (issuer, subject, account) VALUES (:issuer, :subject, \(account))")

    private static let unlinking = Statement(
        """
        DELETE FROM {identity}
        WHERE issuer = :issuer AND subject = :subject AND account = \(account)
        """)

    private static let sending = Statement(
        """
        INSERT INTO {email_code} (account, purpose, hash, email, expires_at)
        VALUES (\(account), :purpose, :hash, :email, :expires_at)
        """)

    private static let forgetting = Statement(
        """
        DELETE FROM {email_code} WHERE account = \(account)
            AND email <> coalesce(:email, '') AND (expires_at < :from OR expires_at >= :end)
        """)

    // MARK: Revocations

    /// Returns the statement that adds revocations to PostgreSQL, beside the journals of its processes; the later of
    /// two revocations of the same subject wins, and a deletion always.
    package static func adding(_ revocations: [Revocation]) -> Bound {
        // A statement cannot write the same row twice; a journal has each name once.
        let rows = revocations.map(RevocationRow.init)
        return revoking([
            "kinds": rows.map(\.kind), "names": rows.map(\.name), "times": rows.map(\.time),
            "kept": rows.map(\.kept), "generations": rows.map(\.tokenGeneration),
        ])
    }

    private static let revoking = Statement(
        postgres: """
            INSERT INTO {revocation} AS known (kind, name, at, kept, token_generation)
            SELECT * FROM unnest(:kinds::text[], :names::text[], :times::bigint[], :kept::text[],
                :generations::bigint[])
            ON CONFLICT (kind, name) DO UPDATE SET
                at = excluded.at, kept = excluded.kept, token_generation = excluded.token_generation
                WHERE CASE WHEN known.kind = 'account' AND (known.kept = '') <> (excluded.kept = '')
                    THEN excluded.kept = '' ELSE excluded.at >= known.at END
            """)
}

/// A revocation as a row.
private struct RevocationRow {
    var kind: String
    var name: String
    var time: Int64
    var kept = ""
    var tokenGeneration: Int64 = 0

    init(_ revocation: Revocation) {
        time = revocation.time
        switch revocation {
        case .account(let id, _): (kind, name) = ("account", id)
        // Programs of before do not make such an account anew: they take it for a deleted one.
        case .move(let id, let target, _): (kind, name, kept) = ("account", id, target)
        case .family(let name, _): (kind, self.name) = ("family", name)
        case .sessions(let id, let kept, let generation, _):
            (kind, name, self.kept) = ("sessions", id, kept)
            tokenGeneration = generation
        }
    }
}
