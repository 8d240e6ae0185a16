import ContentModel
import Foundation
import GRDB
import ServiceAPI
import UserData

/// The storage of a user's `DeviceState`, within a transaction that the caller opened.
///
/// Rows have the JSON of the wire, so that there is one format to maintain.
struct DeviceStateStorage {
    let database: Database
    let user: String

    // MARK: Reading

    /// Returns the number of writes of the state; `nil` when there is none.
    func version() throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT version FROM person WHERE user = ?"),
            arguments: [user])
    }

    /// Returns the state; `nil` when there is none.
    func state(_ declarations: [CollectionDeclaration]) throws -> DeviceState? {
        guard
            let json = try Data.fetchOne(
                database, sql: "SELECT json FROM person WHERE user = ?", arguments: [user])
        else { return nil }
        let scalars = try JSONDecoder().decode(DeviceState.Scalars.self, from: json)
        let client = DeviceState(
            user: user, declarations: [], scalars: scalars, lists: .init()
        ).client
        var lists = DeviceState.Lists()
        for row in try rows("SELECT json, former FROM base WHERE user = ?") {
            if let text: String = row[0] {
                let record = try Self.record(text)
                lists.bases[record.key] = record
            }
            if let text: String = row[1] {
                let record = try Self.record(text)
                lists.recordsBeforeRebuild[record.key] = record
            }
        }
        lists.outbox = try rows(
            "SELECT json, together, wasSent, madeAt, added, removed FROM pending WHERE user = ?"
        ).map { row in
            PendingChange(
                operation: try Self.operation(row[0], client),
                group: (row[1] as Int64?).map { UInt64($0) }, wasSent: row[2], madeAt: row[3],
                step: CounterTotals(added: row[4], removed: row[5]))
        }
        lists.conflicts = try rows("SELECT mine, theirs, base FROM conflict WHERE user = ?")
            .map { row in
                let theirs = try Self.record(row[1])
                return RecordConflict(
                    key: theirs.key, mine: try Self.operation(row[0], client), theirs: theirs,
                    base: try (row[2] as String?).map(Self.record))
            }
        lists.rejected = try rows("SELECT json, refusal FROM setAside WHERE user = ?").map { row in
            RejectedChange(
                operation: try Self.operation(row[0], client),
                refusal: Refusal(rawValue: row[1]) ?? .notAllowed)
        }
        lists.notices = try notices()
        return DeviceState(
            user: user, declarations: declarations, scalars: scalars, lists: lists)
    }

    private func rows(_ sql: String) throws -> [Row] {
        try Row.fetchAll(database, sql: sql, arguments: [user])
    }

    private static func node(_ text: String) throws -> DocumentNode {
        try JSONParser.parse(Array(text.utf8))
    }

    static func record(_ text: String) throws -> UserRecord {
        try RecordWire.record(try node(text))
    }

    static func operation(_ text: String, _ client: ClientID) throws -> ChangeOperation {
        try OperationWire.operation(try node(text), client: client, "")
    }

    // MARK: Writing

    /// Writes the difference of two states.
    ///
    /// - Parameters:
    ///   - before: The state in the database; `nil` for none.
    ///   - after: The new state.
    ///   - touched: The records whose base may differ.
    /// - Throws: An error of the database.
    func write(
        from before: DeviceState?, to after: DeviceState, touched: some Sequence<RecordKey>
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO person (user, version, json) VALUES (?, 1, ?)
                ON CONFLICT (user) DO UPDATE SET version = version + 1, json = excluded.json
                """
        ).execute(arguments: [user, try JSONEncoder().encode(after.scalars)])
        for key in touched {
            try write(base: after.bases[key], beforeRebuild: after.recordsBeforeRebuild[key], key)
        }
        try writeOutbox(from: before?.outbox ?? [], to: after.outbox)
        if before?.conflicts ?? [] != after.conflicts {
            try writeConflicts(from: before?.conflicts ?? [], to: after.conflicts)
        }
        if before?.rejected ?? [] != after.rejected {
            try writeRejected(from: before?.rejected ?? [], to: after.rejected)
        }
        if before?.notices ?? [] != after.notices {
            try writeNotices(from: before?.notices ?? [], to: after.notices)
        }
    }

    private func write(
        base: UserRecord?, beforeRebuild: UserRecord?, _ key: RecordKey
    ) throws {
        guard base != nil || beforeRebuild != nil else {
            return try database.cachedStatement(
                sql: "DELETE FROM base WHERE user = ? AND collection = ? AND id = ?"
            ).execute(arguments: [user, key.collection, key.id])
        }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO base (user, collection, id, json, former)
                VALUES (?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            user, key.collection, key.id, base.map(Self.text), beforeRebuild.map(Self.text),
        ])
    }

    private func writeOutbox(
        from before: [PendingChange], to after: [PendingChange]
    ) throws {
        let known = Dictionary(
            before.map { ($0.operation.id.counter, $0) }, uniquingKeysWith: { $1 })
        let wanted = Set(after.map(\.operation.id.counter))
        for counter in known.keys where !wanted.contains(counter) {
            try database.cachedStatement(
                sql: "DELETE FROM pending WHERE user = ? AND counter = ?"
            ).execute(arguments: [user, Int64(counter)])
        }
        for pending in after where known[pending.operation.id.counter] != pending {
            try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO pending
                        (user, counter, together, wasSent, madeAt, json, added, removed)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """
            ).execute(arguments: [
                user, Int64(pending.operation.id.counter), pending.group.map { Int64($0) },
                pending.wasSent, pending.madeAt, Self.text(pending.operation),
                pending.step.added, pending.step.removed,
            ])
        }
    }

    private func writeConflicts(
        from before: [RecordConflict], to after: [RecordConflict]
    ) throws {
        for conflict in before where !after.contains(conflict) {
            try database.execute(
                sql: "DELETE FROM conflict WHERE user = ? AND collection = ? AND id = ?",
                arguments: [user, conflict.key.collection, conflict.key.id])
        }
        for conflict in after where !before.contains(conflict) {
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO conflict (user, collection, id, mine, theirs, base)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    user, conflict.key.collection, conflict.key.id, Self.text(conflict.mine),
                    Self.text(conflict.theirs), conflict.base.map(Self.text),
                ])
        }
    }

    private func writeRejected(
        from before: [RejectedChange], to after: [RejectedChange]
    ) throws {
        for change in before where !after.contains(change) {
            try database.execute(
                sql: "DELETE FROM setAside WHERE user = ? AND counter = ?",
                arguments: [user, Int64(change.operation.id.counter)])
        }
        for change in after where !before.contains(change) {
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO setAside (user, counter, refusal, json)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    user, Int64(change.operation.id.counter), change.refusal.rawValue,
                    Self.text(change.operation),
                ])
        }
    }

    static func text(_ record: UserRecord) -> String {
        String(decoding: RecordWire.json(record).canonicalBytes, as: UTF8.self)
    }

    static func text(_ operation: ChangeOperation) -> String {
        String(decoding: OperationWire.json(operation).canonicalBytes, as: UTF8.self)
    }
}
