import Tables

extension AccountStorage {
    /// Removes expired rows, in one transaction.
    ///
    /// - Parameters:
    ///   - rows: The kind of rows.
    ///   - seconds: The time, in seconds since 1970; rows that end by then are removed.
    ///   - limit: The maximum number of rows.
    /// - Returns: The number of removed rows; less than `limit` when none is left.
    /// - Throws: `StorageError`, or an error of the adapter.
    package func removeExpired(
        _ rows: ExpiringRows, at seconds: Int64, limit: Int
    ) async throws -> Int {
        try await tables.write(as: .keeper) { transaction in
            try transaction.commit(after: [rows.removing(["seconds": seconds, "limit": limit])])[0]
                .count
        }
    }

    /// Returns accounts in the order of their last use, except deleted ones.
    ///
    /// - Parameters:
    ///   - end: The exclusive upper bound of the last use, in seconds since 1970.
    ///   - place: The last account of the previous page; `nil` for the first page.
    ///   - limit: The maximum number of accounts.
    /// - Returns: The accounts; none after the last page.
    /// - Throws: `StorageError`, or an error of the adapter.
    package func accounts(
        usedBefore end: Int64, after place: AccountUse.Place?, limit: Int
    ) async throws -> [AccountUse] {
        let place = place ?? AccountUse.Place(usedAt: .min, number: 0)
        return try await tables.read(as: .keeper) { transaction in
            try transaction.commit(after: [
                AccountUse.page([
                    "end": end, "used_at": place.usedAt, "number": place.number, "limit": limit,
                ])
            ])[0].map { try AccountUse(row: $0) }
        }
    }

    /// Returns the former ids of accounts whose moves are unfinished, in order.
    ///
    /// - Parameters:
    ///   - source: The last id of the previous page; empty for the first page.
    ///   - limit: The maximum number of ids.
    /// - Returns: The ids; none after the last page.
    /// - Throws: `StorageError`, or an error of the adapter.
    package func unfinishedMoves(after source: String, limit: Int) async throws -> [String] {
        try await tables.read(as: .accounts) { transaction in
            try transaction.commit(after: [
                StoredMove.unfinished(["after": source, "limit": limit])
            ])[0].map { try $0.value("source") }
        }
    }
}

extension ExpiringRows {
    fileprivate var removing: Statement {
        switch self {
        case .tokens: Self.removingTokens
        case .codes: Self.removingCodes
        }
    }

    private static let removingTokens = removing("refresh_token", key: "hash")
    private static let removingCodes = removing("email_code", key: "account, purpose, hash")

    private static func removing(_ table: String, key: String) -> Statement {
        Statement(
            """
            DELETE FROM {\(table)} WHERE (\(key)) IN (SELECT \(key) FROM {\(table)}
                WHERE expires_at <= :seconds ORDER BY expires_at LIMIT :limit)
            RETURNING hash
            """)
    }
}

extension AccountUse {
    fileprivate static let page = Statement(
        """
        SELECT a.id, a.last_used_at, a.number,
            EXISTS (SELECT 1 FROM {password} p WHERE p.account = a.number)
                OR EXISTS (SELECT 1 FROM {identity} i WHERE i.account = a.number)
                AS has_sign_in_methods,
            a.position > 0 OR a.answer_count > 0 AS has_data
        FROM {account} a
        WHERE a.last_used_at < :end AND (a.last_used_at, a.number) > (:used_at, :number)
            AND a.deleted_at IS NULL
        ORDER BY a.last_used_at, a.number LIMIT :limit
        """)

    fileprivate init(row: TableRow) throws {
        self.init(
            id: try row.value("id"),
            place: Place(usedAt: try row.value("last_used_at"), number: try row.value("number")),
            hasSignInMethods: try row.value("has_sign_in_methods"),
            hasData: try row.value("has_data"))
    }
}

extension StoredMove {
    private static let columns =
        "SELECT source, target, answers, finished_at, place FROM {account_move}"

    static let named = Statement("\(columns) WHERE source = :source")

    fileprivate static let unfinished = Statement(
        """
        SELECT source FROM {account_move} WHERE finished_at IS NULL AND source > :after
        ORDER BY source LIMIT :limit
        """)

    init(row: TableRow) throws {
        self.init(
            source: try row.value("source"), target: try row.value("target"),
            answers: try row.value("answers"),
            isDone: try row.value("finished_at", as: Int64?.self) != nil,
            place: try MovePlace(text: row.value("place")))
    }
}
