import GRDB
import Tables

/// Moves of accounts in SQLite, within a transaction that the caller opened.
struct SQLiteMoves {
    let database: Database
    var rows = MovedRows<Database>()

    // MARK: Reading

    private static let columns =
        "SELECT source, target, answers, finished_at, place FROM account_move"

    /// Returns the move of an account; `nil` when it did not move.
    func move(of source: String) throws -> StoredMove? {
        try Row.fetchOne(
            database.cachedStatement(sql: Self.columns + " WHERE source = ?"), arguments: [source]
        ).map(Self.move)
    }

    /// Returns the ids of accounts that moved, or move, into an account.
    func sources(into target: String) throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(sql: "SELECT source FROM account_move WHERE target = ?"),
            arguments: [target])
    }

    private static func move(_ row: Row) throws -> StoredMove {
        StoredMove(
            source: row["source"], target: row["target"], answers: row["answers"],
            isDone: row["finished_at"] != nil, place: try MovePlace(text: row["place"]))
    }

    /// Returns an account as the first step sees it; `nil` when it does not exist.
    func party(_ id: String) throws -> MoveParty? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT number, answer_count, answer_bytes, record_bytes,
                    EXISTS (SELECT 1 FROM role WHERE account = number) AS hasRole,
                    EXISTS (SELECT 1 FROM account_move
                        WHERE target = account.id AND finished_at IS NULL) AS isReceiving,
                    (SELECT max(expires_at) FROM email_code AS code
                        LEFT JOIN password ON password.account = code.account
                        WHERE code.account = number AND purpose = 'resetPassword'
                            AND code.email IS NOT password.email) AS wayBackEndsAt
                FROM account WHERE id = ? AND deleted_at IS NULL
                """, arguments: [id])
        guard let row else { return nil }
        let number: Int64 = row["number"]
        var party = MoveParty()
        party.answers = row["answer_count"]
        party.answerBytes = row["answer_bytes"]
        party.recordBytes = row["record_bytes"]
        party.hasRole = row["hasRole"]
        party.isReceiving = row["isReceiving"]
        party.wayBackEndsAt = row["wayBackEndsAt"]
        party.names = try Set(
            String.fetchAll(
                database, sql: "SELECT name FROM device WHERE account = ? AND last_answer > 0",
                arguments: [number]))
        party.collections = try Row.fetchAll(
            database,
            sql: "SELECT collection, count(*) FROM record WHERE account = ? GROUP BY collection",
            arguments: [number]
        ).reduce(into: [:]) { $0[$1[0]] = $1[1] }
        return party
    }

    // MARK: Writing

    func write(_ change: MoveChange) throws {
        switch change {
        case .begin(let move, let time): try begin(move, time)
        case .advance(let move, let place, let device):
            try database.execute(
                cached: "UPDATE account_move SET place = ? WHERE source = ? AND place = ?",
                [place.text, move.source, move.place.text])
            if let device { try copyResults(of: device, move) }
        case .finish(let move, let time): try finish(move, time)
        }
    }

    private func number(of id: String) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT number FROM account WHERE id = ?"),
            arguments: [id])
    }

    private func begin(_ move: StoredMove, _ time: Int64) throws {
        guard try self.move(of: move.source) == nil else { return }
        let known = try number(of: move.source)
        // Of a backup that lacks the account, its devices learn that it moved.
        try database.execute(
            cached: """
                INSERT INTO account_move (source, target, answers, begun_at, finished_at, place)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            [
                move.source, move.target, move.answers, time, known == nil ? time : nil,
                move.place.text,
            ])
        try database.execute(
            cached: "UPDATE account_move SET target = ? WHERE target = ?",
            [move.target, move.source])
        guard let account = known else { return }
        if try number(of: move.target) == nil {
            try database.execute(
                cached: "INSERT INTO account (id, created_at, last_used_at) VALUES (?, ?, ?)",
                [move.target, time / 1000, time / 1000])
        }
        try database.execute(
            cached: "UPDATE account SET id = ?, deleted_at = ? WHERE number = ?",
            [move.closedID, time / 1000, account])
        for table in [
            "password", "identity", "email_code", "role", "contributor", "question_report",
            "refresh_token",
        ] {
            try database.execute(cached: "DELETE FROM \(table) WHERE account = ?", [account])
        }
        if let target = try number(of: move.target) {
            for step in rows.closing { try step(database, account, target) }
            try noteBoardChange(target)
        }
        try noteBoardChange(account)
    }

    private func noteBoardChange(_ account: Int64) throws {
        try database.execute(cached: "INSERT INTO board_change (member) VALUES (?)", [account])
    }

    /// Copies the results of a device's operations, so that a device that asks again learns what was applied.
    private func copyResults(of device: String, _ move: StoredMove) throws {
        guard let (source, target) = try accounts(move) else { return }
        let count = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM result JOIN device ON device.number = result.device
                WHERE device.account = ? AND device.name = ?
                """, arguments: [source, device])
        guard count ?? 0 > 0 else { return }
        try database.execute(
            cached: "INSERT OR IGNORE INTO device (account, name) VALUES (?, ?)", [target, device])
        // A revision of the closed account means nothing in the log of the other one.
        try database.execute(
            cached: """
                INSERT OR IGNORE INTO result (device, counter, hash, kind, revision, refusal)
                SELECT (SELECT number FROM device WHERE account = ? AND name = ?), counter, hash,
                    CASE kind WHEN 'accepted' THEN 'merged' ELSE kind END, 0, refusal
                FROM result WHERE device = (SELECT number FROM device WHERE account = ? AND name = ?)
                """, [target, device, source, device])
    }

    /// Returns the numbers of both accounts while the move is not done.
    private func accounts(_ move: StoredMove) throws -> (source: Int64, target: Int64)? {
        guard let known = try self.move(of: move.source), !known.isDone,
            let source = try number(of: move.closedID), let target = try number(of: known.target)
        else { return nil }
        return (source, target)
    }

    private func finish(_ move: StoredMove, _ time: Int64) throws {
        guard let (source, target) = try accounts(move) else { return }
        for step in rows.finishing { try step(database, source, target) }
        try database.execute(cached: "INSERT INTO review_change (member) VALUES (?)", [target])
        try noteBoardChange(target)
        try database.execute(
            cached: "UPDATE account SET id = 'deleted ' || number WHERE number = ?", [source])
        try database.execute(
            cached: "UPDATE account_move SET finished_at = ? WHERE source = ?", [time, move.source])
    }
}
