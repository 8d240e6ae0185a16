import GRDB
import ServiceAPI
public import UserData

/// What a plain request does to one record.
package enum ResourceWrite: Sendable {
    case put([String: FieldValue])
    case delete
}

/// How a plain request ended.
package enum ResourceOutcome: Sendable {
    /// The record is now so.
    case written(Record, isNew: Bool)
    /// The record is not as the request says; `nil` for one that is not there.
    case stale(Record?)
    /// The request does not say which revision it replaces, and there is one.
    case needsRevision(Record)
    /// The collection does not take it.
    case refused(Refusal)
}

/// Records of a collection in the order of ids.
public struct RecordPage: Sendable {
    /// The records.
    public var records: [UserData.Record] = []
    /// True when more follow the last of them.
    public var hasMore = false
}

extension Ledger {
    /// One page of a collection, in the order of ids; deleted records are left out.
    package func records(
        of user: String, in collection: String, after id: String, limit: Int
    ) throws -> RecordPage {
        let account = try LedgerAccount(id: user, in: database)
        let rows = try String.fetchCursor(
            database,
            sql: """
                SELECT json FROM record WHERE account = ? AND collection = ? AND id > ?
                    AND deletedAt IS NULL ORDER BY id
                """,
            arguments: [account.number, collection, id])
        var (page, bytes) = (RecordPage(), 0)
        while let json = try rows.next() {
            guard let record = StoredJSON.readable(json) else { continue }
            bytes += json.utf8.count
            if page.records.count >= limit
                || bytes > ServiceLimits.replyBytesMax && !page.records.isEmpty
            {
                page.hasMore = true
                break
            }
            page.records.append(record)
        }
        return page
    }

    /// One record; `nil` when it was deleted or never was.
    package func record(_ key: RecordKey, of user: String) throws -> Record? {
        let record = try LedgerAccount(id: user, in: database).record(key, in: database)
        return record?.isDeleted == true ? nil : record
    }

    /// Writes a record when it is still as the request says.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - write: What becomes of it.
    ///   - revision: What is replaced; `nil` for a record that is not there yet.
    ///   - user: The account.
    ///   - chance: A text that nobody used before.
    /// - Returns: How it ended; nothing changed unless it was written.
    /// - Throws: `LedgerError`, or an error of the database.
    package func write(
        _ key: RecordKey, _ write: ResourceWrite, over revision: UInt64?, of user: String,
        chance: String
    ) throws -> ResourceOutcome {
        var account = try LedgerAccount(id: user, in: database)
        let known = try account.record(key, in: database)
        let alive = known?.isDeleted == true ? nil : known
        if let alive, revision == nil { return .needsRevision(alive) }
        guard alive?.revision == revision else { return .stale(alive) }
        if case .delete = write, alive == nil { return .stale(nil) }
        var device = try LedgerDevice.plainRequests(of: account, in: database)
        let counter = max(1, device.settledBefore)
        let change: Change
        switch write {
        case .put(let fields): change = .put(fields)
        case .delete: change = .delete
        }
        let operation = UserData.Operation(
            id: OperationID(client: .plainRequests, counter: counter), key: key,
            change: change, seenRevision: known?.revision ?? 0,
            time: HybridTime(milliseconds: now))
        let before = account.position
        let result = try take(operation, account.position + 1, &account)
        if account.position > before { try account.add(mark: chance, in: database) }
        try account.save(in: database)
        try device.settle(before: counter + 1, in: database)
        switch result {
        case .accepted(let record): return .written(record, isNew: alive == nil)
        case .merged(let record), .conflict(let record): return .stale(record)
        case .refused(let refusal): return .refused(refusal)
        case .retryLater: return .stale(alive)
        }
    }
}
