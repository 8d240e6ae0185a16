import GRDB

extension UserStore {
    /// Returns the mean time of the learner's newest answers on all devices.
    ///
    /// Devices that hold the same answers return the same time. Answers that were taken back count: they took the time.
    ///
    /// Cost: O(`limit` × devices), independent of the number of answers.
    /// - Parameter limit: The number of answers, at least 1.
    /// - Returns: The time in seconds; `nil` before the first answer.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func meanSeconds(ofNewest limit: Int) throws -> Double? {
        let user = user
        return try database.read { database in
            let storage = ResponseStorage(database: database, user: user)
            let times = try storage.newestTimes(limit)
            guard !times.isEmpty else { return nil }
            return Double(times.reduce(0, +)) / 1000 / Double(times.count)
        }
    }
}

extension ResponseStorage {
    /// Returns how long the newest answers took, in milliseconds.
    fileprivate func newestTimes(_ limit: Int) throws -> [Int64] {
        guard let account = try account() else { return [] }
        let devices = try Int64.fetchAll(
            database.cachedStatement(
                sql: "SELECT number FROM answerDevice WHERE account = ? ORDER BY number"),
            arguments: [account])
        let newest = try devices.flatMap { device in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT milliseconds, takenMilliseconds FROM answerRow
                        WHERE device = ? AND question IS NOT NULL AND takenMilliseconds > 0
                        ORDER BY counter DESC LIMIT ?
                        """),
                arguments: [device, limit]
            ).map { (given: $0[0] as Int64, taken: $0[1] as Int64) }
        }
        return newest.sorted { $0.given > $1.given }.prefix(limit).map(\.taken)
    }
}
