import Foundation
import PostgresDriver
import Tables

/// Moves of accounts in PostgreSQL, within a transaction that the caller opened.
///
/// | rows | as |
/// |---|---|
/// | accounts, sign-in methods, sessions, moves | `underway_accounts` |
/// | results of operations | the user of each account |
/// | places on boards and in events, profiles | `underway_keeper` |
///
/// The account that stays is locked before the row of the move, as whoever deletes it does.
struct PostgresMoves {
    let transaction: PostgresTransaction
    let rows: MovedRows<PostgresTransaction>

    // MARK: Reading

    static let columns =
        "SELECT source, target, answers, finished_at, place FROM underway.account_move"

    /// Returns the move of an account; `nil` when it did not move.
    private func move(of source: String) throws -> StoredMove? {
        try transaction.query("\(sql: Self.columns) WHERE source = \(source)").first
            .map(StoredMove.init(row:))
    }

    private func number(of id: String) throws -> Int64? {
        try transaction.query("SELECT number FROM underway.account WHERE id = \(id)")
            .column("number", as: Int64.self).first
    }

    // MARK: Writing

    func write(_ change: MoveChange) throws {
        switch change {
        case .begin(let move, let time): try begin(move, time)
        case .advance(let move, let place, let device):
            guard let pair = try lock(move) else { return }
            try transaction.query(
                """
                UPDATE underway.account_move SET place = \(try place.text)
                WHERE source = \(move.source) AND place = \(try move.place.text)
                """)
            if let device { try copyResults(of: device, move, to: pair.user) }
        case .finish(let move, let time): try finish(move, time)
        }
    }

    /// Locks the account that stays; `nil` once the move is done.
    private func lock(_ move: StoredMove) throws -> Pair? {
        let rows = try transaction.pipeline([
            AccountOpening.role,
            """
            SELECT number, id FROM underway.account
            WHERE id = (SELECT target FROM underway.account_move WHERE source = \(move.source))
            FOR NO KEY UPDATE
            """,
            """
            SELECT finished_at IS NULL AS is_open FROM underway.account_move
            WHERE source = \(move.source) FOR UPDATE
            """,
        ])
        guard let target = rows[1].first,
            try rows[2].column("is_open", as: Bool.self).first == true,
            let source = try number(of: move.closedID)
        else { return nil }
        return Pair(
            source: source, target: try target.value("number"), user: try target.value("id"))
    }

    /// The numbers of both accounts of a move, and the id of the one that stays.
    private struct Pair {
        var source: Int64
        var target: Int64
        var user: String
    }

    // MARK: Begin

    private func begin(_ move: StoredMove, _ time: Int64) throws {
        guard try self.move(of: move.source) == nil, try !isDeleted(move.source) else { return }
        let known = try number(of: move.source)
        // Of a backup that lacks the account, its devices learn that it moved.
        let end = known == nil ? time : nil
        try transaction.pipeline([
            """
            INSERT INTO underway.account_move (source, target, answers, begun_at, finished_at, place)
            VALUES (\(move.source), \(move.target), \(Int64(move.answers)), \(time), \(end)::bigint,
                \(try move.place.text))
            """,
            """
            UPDATE underway.account_move SET target = \(move.target) WHERE target = \(move.source)
            """,
        ])
        guard let known else { return }
        try close(known, move, time / 1000)
        guard let target = try number(of: move.target) else { return }
        try transaction.pipeline([
            "INSERT INTO underway.board_change (member) VALUES (\(known)), (\(target))",
            UserClaims.keeper,
        ])
        for step in rows.closing { try step(transaction, known, target) }
    }

    /// True when another process deleted the account, whose journal this one has not.
    private func isDeleted(_ id: String) throws -> Bool {
        try transaction.query(
            """
            SELECT FROM underway.revocation WHERE kind = 'account' AND name = \(id) AND kept = ''
            """
        ).count > 0
    }

    /// Gives the account an id and an identity that no token contains, and removes all that opens it.
    private func close(_ account: Int64, _ move: StoredMove, _ seconds: Int64) throws {
        let tables = [
            "password", "identity", "email_code", "role", "contributor", "question_report",
            "refresh_token",
        ]
        try transaction.pipeline(
            [
                """
                INSERT INTO underway.account (id, user_id, created_at, last_used_at)
                SELECT \(move.target)::text, \(UserClaims(of: move.target).user)::uuid,
                    \(seconds)::bigint, \(seconds)::bigint
                WHERE NOT EXISTS (SELECT FROM underway.account WHERE id = \(move.target))
                """,
                """
                UPDATE underway.account SET id = \(move.closedID),
                    user_id = \(UserClaims(of: move.closedID).user), deleted_at = \(seconds)
                WHERE number = \(account)
                """,
            ]
                + tables.map {
                    "DELETE FROM underway.\(identifier: $0) WHERE account = \(account)"
                })
    }

    // MARK: End

    private func finish(_ move: StoredMove, _ time: Int64) throws {
        guard let pair = try lock(move) else { return }
        let (source, target) = (pair.source, pair.target)
        try transaction.pipeline([
            """
            UPDATE underway.account SET id = 'deleted ' || number, user_id = NULL
            WHERE number = \(source)
            """,
            "UPDATE underway.account_move SET finished_at = \(time) WHERE source = \(move.source)",
            UserClaims.keeper,
        ])
        for step in rows.finishing { try step(transaction, source, target) }
        try transaction.pipeline([
            UserClaims(of: pair.user).statement, "SELECT underway.enter_1(false)",
            "INSERT INTO underway.review_change (member) VALUES (underway.claim())",
            "INSERT INTO underway.board_change (member) VALUES (underway.claim())",
        ])
    }
}

extension StoredMove {
    /// Reads a row.
    init(row: PostgresRow) throws {
        self.init(
            source: try row.value("source"), target: try row.value("target"),
            answers: try row.value("answers"),
            isDone: try row.value("finished_at", as: Int64?.self) != nil,
            place: try MovePlace(text: row.value("place")))
    }
}
