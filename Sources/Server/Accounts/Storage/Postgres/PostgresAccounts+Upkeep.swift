import PostgresDriver

extension PostgresAccounts {
    package func removeExpired(
        _ rows: ExpiringRows, at seconds: Int64, limit: Int
    ) async throws -> Int {
        let (table, key) =
            switch rows {
            case .tokens: ("refresh_token", "hash")
            case .codes: ("email_code", "account, purpose, hash")
            }
        return try await asKeeper { transaction in
            try transaction.query(
                """
                DELETE FROM underway.\(identifier: table) WHERE (\(sql: key)) IN
                    (SELECT \(sql: key) FROM underway.\(identifier: table)
                    WHERE expires_at <= \(seconds) ORDER BY expires_at LIMIT \(limit))
                """
            ).affectedRows
        }
    }

    package func accounts(
        usedBefore end: Int64, after place: AccountUse.Place?, limit: Int
    ) async throws -> [AccountUse] {
        let place = place ?? AccountUse.Place(usedAt: .min, number: 0)
        return try await asKeeper { transaction in
            try transaction.query(
                """
                SELECT a.id, a.last_used_at, a.number,
                    EXISTS (SELECT FROM underway.password p WHERE p.account = a.number)
                        OR EXISTS (SELECT FROM underway.identity i WHERE i.account = a.number)
                        AS has_sign_in_methods,
                    a.position > 0 OR a.answer_count > 0 AS has_data
                FROM underway.account a
                WHERE a.last_used_at < \(end)
                    AND (a.last_used_at, a.number) > (\(place.usedAt), \(place.number))
                    AND a.deleted_at IS NULL
                ORDER BY a.last_used_at, a.number LIMIT \(limit)
                """
            ).map { row in
                AccountUse(
                    id: try row.value("id"),
                    place: AccountUse.Place(
                        usedAt: try row.value("last_used_at"), number: try row.value("number")),
                    hasSignInMethods: try row.value("has_sign_in_methods"),
                    hasData: try row.value("has_data"))
            }
        }
    }

    package func unfinishedMoves(limit: Int) async throws -> [StoredMove] {
        try await asAccounts { transaction in
            try transaction.query(
                """
                \(sql: PostgresMoves.columns) WHERE finished_at IS NULL ORDER BY begun_at
                LIMIT \(limit)
                """
            ).map(StoredMove.init(row:))
        }
    }

    package func eraseDeletedAccounts(limit: Int) async throws -> Bool {
        try await asKeeper { transaction in
            try transaction.query("SELECT underway.erase_1(\(limit)) AS is_done")
                .column("is_done", as: Bool.self).first ?? true
        }
    }
}
