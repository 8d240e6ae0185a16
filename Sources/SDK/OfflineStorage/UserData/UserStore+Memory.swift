import GRDB
public import QuestionEngine

extension UserStore {
    /// Returns the number of answers that schedules count, of all banks.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// print(try store.reviewCount())  // 0
    /// ```
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func reviewCount() throws -> Int {
        try countAnswers()
        let user = user
        return try database.read {
            try Int.fetchOne(
                $0.cachedStatement(sql: "SELECT SUM(answers) FROM card WHERE user = ?"),
                arguments: [user]) ?? 0
        }
    }

    /// Returns the reviews of each card of all banks, as a `ParameterStep` needs them.
    ///
    /// Cost: O(answers), which are in memory at once.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func reviewHistories() throws -> [[Review]] {
        try countAnswers()
        let user = user
        return try database.read { database in
            let storage = try CardStorage(database, user: user)
            let cards = try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT \(CardStorage.columns) FROM card WHERE user = ? AND answers > 0
                        """),
                arguments: [user])
            return try cards.map { try storage.reviews(of: storage.card($0)) }
        }
    }
}
