import Tables

/// The statements that read the state of a move, for its beginning and for its status.
extension AccountOpening {
    /// Locks both accounts of a move, the one with the smaller number first.
    var lockingBoth: [Bound] {
        guard locks, let target = keys.moveTarget, let source = keys.id else { return [] }
        return [Self.orderingMoves(), Self.lockingBoth(["ids": [source, target]])]
    }

    /// The statement that lets moves begin one after another: each sees where the earlier ones lead.
    ///
    /// The key is "move" in ASCII.
    static let orderingMoves = Statement(
        postgres: "SELECT pg_advisory_xact_lock(\(0x6d_6f_7665 as Int64))")

    static let lockingBoth = Statement(
        postgres: """
            SELECT number FROM {account} WHERE id = ANY (:ids) AND deleted_at IS NULL
            ORDER BY number FOR NO KEY UPDATE
            """)

    /// The steps of accounts that are there.
    var moves: [Step] {
        party(keys.id, \.mover, and: [leftBehind]) + party(keys.moveTarget, \.moveTarget) + into
    }

    /// The step for an account that is not there: it may have moved.
    var move: [Step] {
        guard let id = keys.id else { return [] }
        return [
            (
                StoredMove.named(["source": id]),
                { $1.move = try $0.first.map { try StoredMove(row: $0) } }
            )
        ]
    }

    private var into: [Step] {
        guard keys.readsMovesInto, let id = keys.id else { return [] }
        return [
            (
                Self.into(["target": id]),
                { $1.movedInto = try $0.map { try $0.value("source") } }
            )
        ]
    }

    static let into = Statement("SELECT source FROM {account_move} WHERE target = :target")

    /// Returns the steps that read an account as the first step of a move sees it; the names of its devices and its
    /// records as its own user.
    private func party(
        _ id: String?, _ place: WritableKeyPath<AccountSnapshot, MoveParty?>,
        and others: [Step] = []
    ) -> [Step] {
        guard keys.moveTarget != nil, let id else { return [] }
        return [
            (
                Self.party(["id": id]),
                { $1[keyPath: place] = try $0.first.map { try MoveParty(row: $0) } }
            ),
            (
                Self.collections(["id": id]),
                { rows, snapshot in
                    for row in rows {
                        snapshot[keyPath: place]?.collections[try row.value("collection")] =
                            try row.value("records")
                    }
                }
            ),
            (Self.claiming(["claims": UserClaims(of: id).text]), { _, _ in }),
            (
                Self.devices(["id": id]),
                { rows, snapshot in
                    snapshot[keyPath: place]?.names = Set(try rows.map { try $0.value("name") })
                }
            ),
        ] + others + [(Self.signingIn(), { _, _ in })]
    }

    /// The step that subtracts the records that stay behind from those of the moving account.
    private var leftBehind: Step {
        (
            Self.leftBehind(["id": keys.id, "consents": MoveParty.consents]),
            { rows, snapshot in
                for row in rows {
                    snapshot.mover?.leaveBehind(
                        try row.value("records"), bytes: try row.value("bytes"),
                        of: try row.value("collection"))
                }
            }
        )
    }

    private static let leftBehind = Statement(
        sqlite: """
            SELECT collection, count(*) AS records, sum(length(CAST(json AS BLOB))) AS bytes
            FROM {record} WHERE account = (SELECT number FROM {account} WHERE id = :id)
                AND (deleted_at IS NOT NULL OR collection = :consents) GROUP BY collection
            """,
        postgres: """
            SELECT collection, count(*) AS records, sum(octet_length(json::text))::bigint AS bytes
            FROM {record} WHERE account = (SELECT number FROM {account} WHERE id = :id)
                AND (deleted_at IS NOT NULL OR collection = :consents) GROUP BY collection
            """)

    private static let party = Statement(
        """
        SELECT answer_count, answer_bytes, record_bytes,
            EXISTS (SELECT 1 FROM {role} WHERE account = party.number) AS has_role,
            EXISTS (SELECT 1 FROM {account_move}
                WHERE target = party.id AND finished_at IS NULL) AS is_receiving,
            (SELECT max(code.expires_at) FROM \(wayBack)
                AND code.account = party.number) AS way_back_ends_at
        FROM {account} party WHERE id = :id AND deleted_at IS NULL
        """)

    private static let collections = Statement(
        sqlite: """
            SELECT collection, count(*) AS records FROM {record}
            WHERE account = (SELECT number FROM {account} WHERE id = :id) GROUP BY collection
            """,
        postgres: """
            SELECT key AS collection, value::bigint AS records
            FROM {account} a CROSS JOIN jsonb_each_text(a.collections)
            WHERE a.id = :id AND a.deleted_at IS NULL
            """)

    private static let devices = Statement(
        sqlite: """
            SELECT name FROM {device} WHERE last_answer > 0
                AND account = (SELECT number FROM {account} WHERE id = :id)
            """,
        postgres: "SELECT name FROM {device} WHERE last_answer > 0")

    private static let claiming = Statement(
        postgres: """
            SELECT set_config('role', 'authenticated', true),
                set_config('request.jwt.claims', :claims, true)
            """)

    private static let signingIn = Statement(
        postgres: "SELECT set_config('role', 'underway_accounts', true)")
}

extension MoveParty {
    fileprivate init(row: TableRow) throws {
        self.init()
        answers = try row.value("answer_count")
        answerBytes = try row.value("answer_bytes")
        recordBytes = try row.value("record_bytes")
        hasRole = try row.value("has_role")
        isReceiving = try row.value("is_receiving")
        wayBackEndsAt = try row.value("way_back_ends_at")
    }
}
