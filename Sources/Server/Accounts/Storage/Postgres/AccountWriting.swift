import Foundation
package import PostgresDriver
import Tables

/// The statements that write the changes of a decision about an account.
package struct AccountWriting {
    private let changes: [AccountChange]

    init(_ changes: [AccountChange]) { self.changes = changes }

    /// The statements, in the order of the changes.
    var statements: [PostgresStatement] { changes.flatMap(Self.statements) }

    /// The moves among the changes, which come after the statements.
    var moves: [MoveChange] {
        changes.compactMap { if case .move(let move) = $0 { move } else { nil } }
    }

    /// The revocations among the changes.
    var revocations: [Revocation] {
        changes.compactMap { if case .revoke(let revocation) = $0 { revocation } else { nil } }
    }

    private static func statements(_ change: AccountChange) -> [PostgresStatement] {
        switch change {
        case .create(let id, let generation, let time):
            [
                """
                INSERT INTO underway.account (id, user_id, created_at, last_used_at, token_generation)
                VALUES (\(id), \(UserClaims(of: id).user), \(time), \(time), \(generation))
                """
            ]
        case .setUse(let id, let time):
            ["UPDATE underway.account SET last_used_at = \(time) WHERE id = \(id)"]
        case .raiseTokenGeneration(let id, let generation):
            [
                """
                UPDATE underway.account SET token_generation = greatest(token_generation, \(generation))
                WHERE id = \(id)
                """
            ]
        case .markDeleted(let id, let time):
            [deletion(of: id, usedAt: nil, at: time, .deletion(of: id, at: time))]
        case .markUnused(let id, let usedAt, let time):
            [deletion(of: id, usedAt: usedAt, at: time, nil)]
        // Reads between its statements, see `PostgresMoves`.
        case .move: []
        case .session(let change): statements(change)
        case .signIn(let change): statements(change)
        case .revoke(let revocation): [statement(adding: [revocation])]
        }
    }

    // MARK: Accounts

    /// Gives a deleted account an id that no token and no request can contain, and no identity for policies.
    ///
    /// The entry is that for the audit log, if there is an account to delete.
    private static func deletion(
        of id: String, usedAt: Int64?, at time: Int64, _ entry: AuditEntry?
    ) -> PostgresStatement {
        """
        WITH gone AS (
            UPDATE underway.account
            SET id = 'deleted ' || number, user_id = NULL, deleted_at = \(time)
            WHERE id = \(id) AND last_used_at = coalesce(\(usedAt)::bigint, last_used_at)
            RETURNING number),
        password AS (
            DELETE FROM underway.password WHERE account IN (SELECT number FROM gone)),
        identity AS (
            DELETE FROM underway.identity WHERE account IN (SELECT number FROM gone)),
        role AS (DELETE FROM underway.role WHERE account IN (SELECT number FROM gone)),
        contributor AS (
            DELETE FROM underway.contributor WHERE account IN (SELECT number FROM gone)),
        report AS (
            DELETE FROM underway.question_report WHERE account IN (SELECT number FROM gone)),
        audit AS (
            INSERT INTO underway.audit (at, actor, action, subject)
            SELECT \(entry?.time ?? 0), \(entry?.actor ?? ""), \(entry?.action.rawValue ?? ""),
                \(entry?.subject ?? "")
            FROM gone WHERE \(entry != nil)),
        source AS (
            UPDATE underway.account SET id = 'deleted ' || number, user_id = NULL
            WHERE id IN (SELECT 'moving ' || source FROM underway.account_move WHERE target = \(id))
                AND EXISTS (SELECT FROM gone)),
        move AS (
            DELETE FROM underway.account_move WHERE target = \(id) AND EXISTS (SELECT FROM gone)),
        board AS (INSERT INTO underway.board_change (member) SELECT number FROM gone)
        DELETE FROM underway.email_code WHERE account IN (SELECT number FROM gone)
        """
    }

    // MARK: Sessions

    private static func statements(_ change: SessionChange) -> [PostgresStatement] {
        switch change {
        case .add(let token, let id):
            [
                """
                INSERT INTO underway.refresh_token
                    (hash, family, parent, account, expires_at, used_at, generation)
                VALUES (\([UInt8](token.hash)), \(token.family),
                    \(token.parent.map { [UInt8]($0) })::bytea,
                    (SELECT number FROM underway.account WHERE id = \(id)),
                    \(token.expiresAt), \(token.usedAt)::bigint, \(token.generation))
                """
            ]
        case .markUsed(let hash, let time):
            [
                """
                UPDATE underway.refresh_token SET used_at = \(time)
                WHERE hash = \([UInt8](hash))
                """
            ]
        case .removeTokens(let hashes):
            hashes.map { "DELETE FROM underway.refresh_token WHERE hash = \([UInt8]($0))" }
        case .remove(let family):
            ["DELETE FROM underway.refresh_token WHERE family = \(family)"]
        case .removeAll(let id, let kept, let end):
            [
                """
                DELETE FROM underway.refresh_token
                WHERE account = (SELECT number FROM underway.account WHERE id = \(id))
                    AND family <> \(kept) AND expires_at <= \(end ?? .max)
                """
            ]
        }
    }

    // MARK: Revocations

    /// Adds revocations; of two about the same the later one stays, and a deletion whatever else is said of the account.
    package static func statement(adding revocations: [Revocation]) -> PostgresStatement {
        // A statement cannot write the same row twice; a journal has each name once.
        let rows = revocations.map(RevocationRow.init)
        return """
            INSERT INTO underway.revocation AS known (kind, name, at, kept, token_generation)
            SELECT * FROM unnest(\(rows.map(\.kind))::text[], \(rows.map(\.name))::text[],
                \(rows.map(\.time))::bigint[], \(rows.map(\.kept))::text[],
                \(rows.map(\.tokenGeneration))::bigint[])
            ON CONFLICT (kind, name) DO UPDATE SET
                at = excluded.at, kept = excluded.kept, token_generation = excluded.token_generation
                WHERE CASE WHEN known.kind = 'account' AND (known.kept = '') <> (excluded.kept = '')
                    THEN excluded.kept = '' ELSE excluded.at >= known.at END
            """
    }

    // MARK: Failures

    /// Names what a failure means: an addition to a missing account has no number to refer to.
    static func translated(_ error: PostgresError) -> any Error {
        if error.isOutcomeUnknown { return LedgerError.unavailable }
        if error.code == .notNullViolation, error.column == "account" {
            return LedgerError.noAccount
        }
        return LedgerError.meaning(of: error)
    }
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
