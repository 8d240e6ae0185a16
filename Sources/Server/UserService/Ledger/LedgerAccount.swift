package import GRDB
import ServiceAPI
package import UserData

/// Why an exchange cannot be done at all.
package enum LedgerError: Error, Hashable {
    /// The account was deleted, or never was.
    case noAccount
    /// The user has had as many devices as allowed.
    case tooManyDevices
    /// Something that the server wrote cannot be read again.
    case damaged(String)
}

/// One user's part of the database.
package struct LedgerAccount {
    package let number: Int64
    /// The last position of the user's log.
    package var position: UInt64
    /// Deleted records up to here may be forgotten.
    package let purgedThrough: UInt64
    /// The digest of all records.
    package var digest: RecordDigest
    /// How many records each collection has, once somebody asked.
    private var counts: [String: Int]?

    package init(id: String, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: "SELECT number, position, purgedThrough, digest FROM account WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]) else {
            throw LedgerError.noAccount
        }
        number = row[0]
        position = UInt64(row[1] as Int64)
        purgedThrough = UInt64(row[2] as Int64)
        guard let digest = RecordDigest(text: row[3]) else { throw LedgerError.damaged("digest") }
        self.digest = digest
    }

    package func save(in database: Database) throws {
        try database.cachedStatement(
            sql: "UPDATE account SET position = ?, digest = ? WHERE number = ?"
        ).execute(arguments: [Int64(position), digest.text, number])
    }

    // MARK: Marks

    /// Only a device that missed more writes than this has to read the log anew.
    private static let marksMax: Int64 = 200

    /// Names the position that was just written.
    func add(mark: String, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO mark (account, position, text) VALUES (?, ?, ?)"
        ).execute(arguments: [number, Int64(position), mark])
        try database.cachedStatement(
            sql: """
                DELETE FROM mark WHERE account = ? AND position <=
                    (SELECT position FROM mark WHERE account = ?
                    ORDER BY position DESC LIMIT 1 OFFSET ?)
                """
        ).execute(arguments: [number, number, Self.marksMax])
    }

    func mark(at position: UInt64, in database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT text FROM mark WHERE account = ? AND position = ?"),
            arguments: [number, Int64(position)])
    }

    func head(in database: Database) throws -> LogHead? {
        try mark(at: position, in: database).map { LogHead(position: position, mark: $0) }
    }

    func oldestMark(in database: Database) throws -> UInt64 {
        let oldest = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT min(position) FROM mark WHERE account = ?"),
            arguments: [number])
        return oldest.map { UInt64($0) } ?? 0
    }

    // MARK: Records

    package func record(_ key: RecordKey, in database: Database) throws -> Record? {
        let statement = try database.cachedStatement(
            sql: "SELECT json FROM record WHERE account = ? AND collection = ? AND id = ?")
        return try String.fetchOne(statement, arguments: [number, key.collection, key.id])
            .map(StoredJSON.record)
    }

    /// True when another record is one too many; the records are counted once an exchange.
    mutating func isFull(_ rules: CollectionRules, in database: Database) throws -> Bool {
        let counts = try counts ?? countRecords(in: database)
        self.counts = counts
        return counts.values.reduce(0, +) >= ServiceLimits.recordsPerUserMax
            || counts[rules.declaration.name, default: 0] >= rules.recordsMax
    }

    private func countRecords(in database: Database) throws -> [String: Int] {
        let statement = try database.cachedStatement(
            sql: "SELECT collection, count(*) FROM record WHERE account = ? GROUP BY collection")
        var counts: [String: Int] = [:]
        let rows = try Row.fetchCursor(statement, arguments: [number])
        while let row = try rows.next() { counts[row[0]] = row[1] }
        return counts
    }

    mutating func write(
        _ record: Record, over old: Record?, batch: UInt64, policy: Policy, now: Int64,
        in database: Database
    ) throws {
        if let old { digest.remove(old) }
        if old == nil { counts?[record.key.collection, default: 0] += 1 }
        digest.add(record)
        try database.cachedStatement(
            sql: """
                INSERT INTO record
                    (account, collection, id, position, batch, isAppendOnly, deletedAt, json)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, collection, id) DO UPDATE SET position = excluded.position,
                    batch = excluded.batch, deletedAt = excluded.deletedAt, json = excluded.json
                """
        ).execute(arguments: [
            number, record.key.collection, record.key.id, Int64(record.revision), Int64(batch),
            policy == .appendOnly, record.isDeleted ? now : nil, StoredJSON.text(record),
        ])
    }
}

/// A device of a user, with the answers to what it sent.
struct LedgerDevice {
    let number: Int64
    let settledBefore: UInt64

    init(_ client: ClientID, of account: LedgerAccount, in database: Database) throws {
        let find = try database.cachedStatement(
            sql: "SELECT number, settledBefore FROM device WHERE account = ? AND name = ?")
        let arguments: StatementArguments = [account.number, client.text]
        if try Row.fetchOne(find, arguments: arguments) == nil {
            let count = try Int.fetchOne(
                database, sql: "SELECT count(*) FROM device WHERE account = ?",
                arguments: [account.number])
            guard count ?? 0 < ServiceLimits.devicesPerUserMax else {
                throw LedgerError.tooManyDevices
            }
            try database.execute(
                sql: "INSERT INTO device (account, name) VALUES (?, ?)", arguments: arguments)
        }
        guard let row = try Row.fetchOne(find, arguments: arguments) else {
            throw LedgerError.damaged("device")
        }
        number = row[0]
        settledBefore = UInt64(row[1] as Int64)
    }

    func result(_ counter: UInt64, in database: Database) throws -> OperationResult? {
        let statement = try database.cachedStatement(
            sql: "SELECT json FROM result WHERE device = ? AND counter = ?")
        return try String.fetchOne(statement, arguments: [number, Int64(counter)])
            .map(StoredJSON.result)
    }

    func keep(_ result: OperationResult, _ counter: UInt64, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT INTO result (device, counter, json) VALUES (?, ?, ?)"
        ).execute(arguments: [number, Int64(counter), StoredJSON.text(result, counter)])
    }

    /// Forgets the answers that the device has read.
    func settle(before counter: UInt64, in database: Database) throws {
        guard counter > settledBefore else { return }
        try database.cachedStatement(
            sql: "UPDATE device SET settledBefore = ? WHERE number = ?"
        ).execute(arguments: [Int64(counter), number])
        try database.cachedStatement(
            sql: "DELETE FROM result WHERE device = ? AND counter < ?"
        ).execute(arguments: [number, Int64(counter)])
    }
}
