import Foundation
import GRDB
import ServiceAPI
import UserData

/// A device of a user: its trail, and the verdicts on what it sent.
struct LedgerDevice {
    let number: Int64
    private(set) var trail: DeviceTrail
    /// False for a device that only its answers are known of.
    let wasSeen: Bool
    var settledBefore: UInt64 { trail.settledBefore }

    /// Reads a device; `nil` when the account has none of this name.
    static func find(
        _ name: String, of account: LedgerAccount, in database: Database
    ) throws -> LedgerDevice? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT number, requestNumber, requestHash, settledBefore, headPosition, headEpoch,
                    lastAnswer, isRetired, lastSeenAt > 0
                FROM device WHERE account = ? AND name = ?
                """)
        return try Row.fetchOne(statement, arguments: [account.number, name]).map { row in
            LedgerDevice(
                number: row[0],
                trail: DeviceTrail(
                    requestNumber: UInt64(row[1] as Int64), requestHash: row[2],
                    settledBefore: UInt64(row[3] as Int64), headPosition: UInt64(row[4] as Int64),
                    headEpoch: row[5], lastAnswer: UInt64(row[6] as Int64), isRetired: row[7]),
                wasSeen: row[8])
        }
    }

    private init(number: Int64, trail: DeviceTrail, wasSeen: Bool) {
        self.number = number
        self.trail = trail
        self.wasSeen = wasSeen
    }

    /// Reads a device, or adds one that only its answers are known of.
    init(_ client: ClientID, of account: LedgerAccount, in database: Database) throws {
        self = try Self.found(named: client.text, of: account, in: database)
    }

    /// The row under which plain requests are numbered, whose name no device can have.
    static func plainRequests(
        of account: LedgerAccount, in database: Database
    ) throws -> LedgerDevice {
        try found(named: "!http", of: account, in: database)
    }

    private static func found(
        named name: String, of account: LedgerAccount, in database: Database
    ) throws -> LedgerDevice {
        if let known = try find(name, of: account, in: database) { return known }
        try database.execute(
            sql: "INSERT INTO device (account, name) VALUES (?, ?)",
            arguments: [account.number, name])
        return LedgerDevice(
            number: database.lastInsertedRowID, trail: DeviceTrail(), wasSeen: false)
    }

    // MARK: Requests

    /// Notes a request that continued from the earlier ones.
    mutating func note(
        _ request: ExchangeRequest, hash: Data, epoch: String, now: Int64, in database: Database
    ) throws {
        trail.note(request, hash: hash, epoch: epoch)
        try database.cachedStatement(
            sql: """
                UPDATE device SET requestNumber = ?, requestHash = ?, headPosition = ?,
                    headEpoch = ?, lastSeenAt = max(lastSeenAt, ?) WHERE number = ?
                """
        ).execute(arguments: [
            Int64(trail.requestNumber), trail.requestHash, Int64(trail.headPosition),
            trail.headEpoch, now, number,
        ])
    }

    // MARK: Verdicts

    func verdict(_ counter: UInt64, in database: Database) throws -> StoredVerdict? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT kind, revision, refusal, hash FROM verdict
                WHERE device = ? AND counter = ?
                """)
        return try Row.fetchOne(statement, arguments: [number, Int64(counter)])
            .map(StoredVerdict.init)
    }

    func keep(_ verdict: StoredVerdict, _ counter: UInt64, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO verdict (device, counter, hash, kind, revision, refusal)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            number, Int64(counter), verdict.hash, verdict.kind.rawValue,
            Int64(verdict.revision), verdict.refusal,
        ])
    }

    /// The number of verdicts that the device has not acknowledged.
    func unsettledCount(from counter: UInt64, in database: Database) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT count(*) FROM verdict WHERE device = ? AND counter >= ?"),
            arguments: [number, Int64(counter)]) ?? 0
    }

    /// Notes that the device has processed the results of all operations below a counter; the last of
    /// them are still recognised.
    mutating func settle(before counter: UInt64, in database: Database) throws {
        guard counter > settledBefore else { return }
        trail.settledBefore = counter
        try database.cachedStatement(
            sql: "UPDATE device SET settledBefore = ? WHERE number = ?"
        ).execute(arguments: [Int64(counter), number])
        guard counter > ServiceLimits.settledResultsMax else { return }
        try database.cachedStatement(
            sql: "DELETE FROM verdict WHERE device = ? AND counter < ?"
        ).execute(arguments: [number, Int64(counter - ServiceLimits.settledResultsMax)])
    }
}
