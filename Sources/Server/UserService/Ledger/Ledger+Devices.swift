import GRDB
import ServiceAPI
import UserData

extension Ledger {
    /// Adds a device; when there are too many, the least recently used one is retired.
    ///
    /// Its answers stay. Should it return, it takes a new identity and offers what it has, so nothing
    /// of it is lost; still, devices that wait for results go last.
    func enter(_ client: ClientID, _ account: LedgerAccount) throws -> LedgerDevice {
        let count = try Int.fetchOne(
            database,
            sql: """
                SELECT count(*) FROM device
                WHERE account = ? AND lastSeenAt > 0 AND isRetired = 0
                """,
            arguments: [account.number])
        let excess = (count ?? 0) + 1 - ServiceLimits.devicesPerUserMax
        if excess > 0 {
            let oldest = try Int64.fetchAll(
                database,
                sql: """
                    SELECT number FROM device
                    WHERE account = ? AND lastSeenAt > 0 AND isRetired = 0
                    ORDER BY EXISTS (SELECT 1 FROM verdict WHERE device = device.number
                        AND counter >= device.settledBefore), lastSeenAt, number LIMIT ?
                    """,
                arguments: [account.number, excess])
            for number in oldest { try retire(number, of: account) }
        }
        return try LedgerDevice(client, of: account, in: database)
    }

    /// Retires a device; one without answers leaves nothing behind.
    ///
    /// Of those that retired last it is remembered which of their operations were applied.
    private func retire(_ number: Int64, of account: LedgerAccount) throws {
        try database.execute(
            sql: "DELETE FROM device WHERE number = ? AND lastAnswer = 0", arguments: [number])
        try database.execute(
            sql: "UPDATE device SET isRetired = 1 WHERE number = ?", arguments: [number])
        try database.execute(
            sql: "DELETE FROM verdict WHERE device = ? AND kind IN ('conflict', 'refused')",
            arguments: [number])
        try database.execute(
            sql: """
                DELETE FROM verdict WHERE device IN (SELECT number FROM device
                    WHERE account = ? AND isRetired ORDER BY lastSeenAt DESC, number DESC
                    LIMIT -1 OFFSET ?)
                """,
            arguments: [account.number, ServiceLimits.devicesPerUserMax])
    }

    /// The devices of a user that are in use, the last used first.
    func devices(of user: String) throws -> [UserDevice] {
        let account = try LedgerAccount(id: user, in: database)
        return try Row.fetchAll(
            database,
            sql: """
                SELECT name, lastSeenAt, lastAnswer, (SELECT count(*) FROM verdict
                    WHERE device = device.number AND counter >= device.settledBefore)
                FROM device WHERE account = ? AND lastSeenAt > 0 AND isRetired = 0
                ORDER BY lastSeenAt DESC, number DESC
                """,
            arguments: [account.number]
        ).map { row in
            UserDevice(
                id: row[0], lastSeenMilliseconds: row[1], answers: row[2], unreadResults: row[3])
        }
    }

    /// Retires a device of a user.
    ///
    /// - Returns: False when the user has no such device in use.
    func forget(device name: String, of user: String) throws -> Bool {
        let account = try LedgerAccount(id: user, in: database)
        let number = try Int64.fetchOne(
            database,
            sql: """
                SELECT number FROM device
                WHERE account = ? AND name = ? AND lastSeenAt > 0 AND isRetired = 0
                """,
            arguments: [account.number, name])
        guard let number else { return false }
        try retire(number, of: account)
        return true
    }
}
