package import GRDB
import ServiceAPI
package import UserData

/// Why an exchange cannot be done at all.
package enum LedgerError: Error, Hashable {
    /// The account was deleted, or never was.
    case noAccount
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
    /// True when the stored digest cannot be read.
    let isDigestDamaged: Bool
    /// The bytes of all records.
    private(set) var recordBytes: Int64
    /// How many records each collection has, once somebody asked.
    private var counts: [String: Int]?

    package init(id: String, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT number, position, purgedThrough, digest, recordBytes FROM account
                WHERE id = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [id]) else {
            throw LedgerError.noAccount
        }
        number = row[0]
        position = UInt64(row[1] as Int64)
        purgedThrough = UInt64(row[2] as Int64)
        let digest = RecordDigest(text: row[3])
        self.digest = digest ?? RecordDigest()
        isDigestDamaged = digest == nil
        recordBytes = row[4]
    }

    package func save(in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE account SET position = ?, digest = ?, recordBytes = ? WHERE number = ?
                """
        ).execute(arguments: [Int64(position), digest.text, recordBytes, number])
    }

    /// Notes what was computed anew from all records.
    mutating func repaired(
        digest: RecordDigest, recordBytes: Int64, in database: Database
    ) throws {
        self.digest = digest
        self.recordBytes = recordBytes
        counts = nil
        try save(in: database)
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

    /// A record; `nil` when there is none that can be read.
    package func record(_ key: RecordKey, in database: Database) throws -> Record? {
        try text(key, in: database).flatMap(StoredJSON.readable)
    }

    /// A record as it is stored.
    func text(_ key: RecordKey, in database: Database) throws -> String? {
        let statement = try database.cachedStatement(
            sql: "SELECT json FROM record WHERE account = ? AND collection = ? AND id = ?")
        return try String.fetchOne(statement, arguments: [number, key.collection, key.id])
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

    /// Writes a record at the next position of the log.
    ///
    /// - Returns: False when it would take more bytes than a record or all records of a user may; a
    ///   record that does not grow is written all the same.
    mutating func write(
        _ record: Record, over old: Record?, batch: UInt64, now: Int64, in database: Database
    ) throws -> Bool {
        let json = StoredJSON.text(record)
        let bytes = Int64(json.utf8.count)
        let growth = bytes - (old == nil ? 0 : try storedBytes(record.key, in: database))
        guard
            growth <= 0
                || bytes <= ServiceLimits.storedRecordBytesMax
                    && recordBytes + growth <= ServiceLimits.recordBytesPerUserMax
        else { return false }
        try database.cachedStatement(
            sql: """
                INSERT INTO record (account, collection, id, position, batch, deletedAt, json)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, collection, id) DO UPDATE SET position = excluded.position,
                    batch = excluded.batch, deletedAt = excluded.deletedAt, json = excluded.json
                """
        ).execute(arguments: [
            number, record.key.collection, record.key.id, Int64(record.revision), Int64(batch),
            record.isDeleted ? now : nil, json,
        ])
        position = record.revision
        recordBytes += growth
        if let old { digest.remove(old) } else { counts?[record.key.collection, default: 0] += 1 }
        digest.add(record)
        return true
    }

    private func storedBytes(_ key: RecordKey, in database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: """
                SELECT length(CAST(json AS BLOB)) FROM record
                WHERE account = ? AND collection = ? AND id = ?
                """)
        return try Int64.fetchOne(statement, arguments: [number, key.collection, key.id]) ?? 0
    }
}
