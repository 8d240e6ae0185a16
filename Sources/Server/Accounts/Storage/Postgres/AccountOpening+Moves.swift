import PostgresDriver
import Tables

/// What the beginning of a move, and whoever asks after it, needs to see.
extension AccountOpening {
    /// Locks both accounts of a move, the one with the smaller number first.
    var lockingBoth: PostgresStatement? {
        guard locks, let target = keys.moveTarget, let source = keys.id else { return nil }
        return """
            SELECT number FROM underway.account
            WHERE id = ANY (\([source, target])::text[]) AND deleted_at IS NULL
            ORDER BY number FOR NO KEY UPDATE
            """
    }

    /// The steps of accounts that are there.
    var moves: [Step] { party(keys.id, \.mover) + party(keys.moveTarget, \.moveTarget) + into }

    /// The step for an account that is not there: it may have moved.
    var move: [Step] {
        guard let id = keys.id else { return [] }
        return [
            (
                "\(sql: PostgresMoves.columns) WHERE source = \(id)",
                { $1.move = try $0.first.map(StoredMove.init(row:)) }
            )
        ]
    }

    private var into: [Step] {
        guard keys.readsMovesInto, let id = keys.id else { return [] }
        return [
            (
                "SELECT source FROM underway.account_move WHERE target = \(id)",
                { $1.movedInto = try $0.column("source") }
            )
        ]
    }

    // MARK: Parties

    /// The steps that read an account as the first step of a move sees it; the names of its devices as its own user.
    private func party(
        _ id: String?, _ place: WritableKeyPath<AccountSnapshot, MoveParty?>
    ) -> [Step] {
        guard keys.moveTarget != nil, let id else { return [] }
        return [
            (Self.party(id), { $1[keyPath: place] = try $0.first.map(MoveParty.init(row:)) }),
            (UserClaims(of: id).statement, { _, _ in }),
            (
                "SELECT name FROM underway.device WHERE last_answer > 0",
                { $1[keyPath: place]?.names = Set(try $0.column("name", as: String.self)) }
            ),
            (Self.role, { _, _ in }),
        ]
    }

    private static func party(_ id: String) -> PostgresStatement {
        """
        SELECT a.answer_count, a.answer_bytes, a.record_bytes,
            EXISTS (SELECT FROM underway.role WHERE account = a.number) AS has_role,
            EXISTS (SELECT FROM underway.account_move
                WHERE target = a.id AND finished_at IS NULL) AS is_receiving,
            (SELECT max(code.expires_at) FROM underway.email_code code
                LEFT JOIN underway.password ON password.account = code.account
                WHERE code.account = a.number AND code.purpose = 'resetPassword'
                    AND password.email IS DISTINCT FROM code.email) AS way_back_ends_at,
            ARRAY(SELECT key FROM jsonb_each_text(a.collections) ORDER BY key)
                AS collection_names,
            ARRAY(SELECT value::bigint FROM jsonb_each_text(a.collections) ORDER BY key)
                AS collection_counts
        FROM underway.account a WHERE a.id = \(id) AND a.deleted_at IS NULL
        """
    }
}

extension MoveParty {
    fileprivate init(row: PostgresRow) throws {
        self.init()
        answers = try row.value("answer_count")
        answerBytes = try row.value("answer_bytes")
        recordBytes = try row.value("record_bytes")
        hasRole = try row.value("has_role")
        isReceiving = try row.value("is_receiving")
        wayBackEndsAt = try row.value("way_back_ends_at")
        collections = Dictionary(
            zip(
                try row.value("collection_names", as: [String].self),
                try row.value("collection_counts", as: [Int].self)), uniquingKeysWith: { $1 })
    }
}
