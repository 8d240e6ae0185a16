import ContentModel
import Foundation
package import GRDB
package import ServiceAPI
package import UserData

/// What the server decides about one exchange, within a transaction that the caller opened.
package struct Ledger {
    package let database: Database
    /// The collections by name.
    package let rules: [String: CollectionRules]
    /// The wall clock, in milliseconds since 1970.
    package let now: Int64

    package init(_ database: Database, rules: [String: CollectionRules], now: Int64) {
        self.database = database
        self.rules = rules
        self.now = now
    }

    /// Takes a request and answers it; whatever the answer says holds once the transaction did.
    ///
    /// - Parameters:
    ///   - call: The request, whose user was compared with the token.
    ///   - chance: A text that nobody used before: the name of what is written now, and of the
    ///     history, should the server find that it went back.
    /// - Returns: The answer.
    /// - Throws: `LedgerError`, or an error of the database; nothing is to be kept then.
    package func exchange(_ call: ExchangeCall, chance: String) throws -> ExchangeReply {
        let request = call.request
        var account = try LedgerAccount(id: request.user, in: database)
        let epoch = try epoch(else: chance)
        var response = ExchangeResponse(number: request.number, epoch: epoch)
        let place = try place(of: request, account)
        if request.epoch ?? epoch == epoch, place == .unknown {
            // A device knows another past: the server was restored, and nobody said so.
            response.epoch = chance
            try set(epoch: chance)
        }
        response.isTooOld = place == .tooOld
        response.head = try account.head(in: database)
        guard request.epoch ?? response.epoch == response.epoch, place == .known else {
            response.answersHeld = try AnswerLedger(database, account).held()
            return ExchangeReply(response: response, answers: [])
        }
        let device = try LedgerDevice(request.client, of: account, in: database)
        let before = account.position
        response.results = try results(call, device, &account)
        if account.position > before { try account.add(mark: chance, in: database) }
        try device.settle(before: request.settledBefore, in: database)
        let answers = AnswerLedger(database, account)
        for columns in call.answers { try answers.add(columns) }
        try page(request, account, &response)
        try account.save(in: database)
        response.head = try account.head(in: database)
        response.answersHeld = try answers.held()
        let rows = try answers.rows(
            beyond: request.answersHeld, held: response.answersHeld, &response.hasMore)
        response.answers = rows.map(\.span)
        return ExchangeReply(response: response, answers: rows)
    }

    // MARK: The history

    private enum Place {
        case known
        case tooOld
        case unknown
    }

    /// Where a device stands in this history.
    private func place(of request: ExchangeRequest, _ account: LedgerAccount) throws -> Place {
        if request.cursor > account.position { return .unknown }
        if let head = request.head,
            try account.mark(at: head.position, in: database) != head.mark
        {
            // Only so many marks are kept; a device that knows none of them reads the log anew.
            let oldest = try account.oldestMark(in: database)
            guard head.position < oldest else { return .unknown }
            return request.isReadingAnew ? .known : .tooOld
        }
        let isBehind = request.cursor > 0 && request.cursor < account.purgedThrough
        return isBehind && !request.isReadingAnew ? .tooOld : .known
    }

    private func epoch(else newEpoch: String) throws -> String {
        let known = try String.fetchOne(
            database, sql: "SELECT value FROM setting WHERE name = 'epoch'")
        if let known { return known }
        try set(epoch: newEpoch)
        return newEpoch
    }

    /// Gives the history another name, so that each device compares what it has.
    private func set(epoch: String) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO setting (name, value) VALUES ('epoch', ?)",
            arguments: [epoch])
    }

    // MARK: Operations

    private func results(
        _ call: ExchangeCall, _ device: LedgerDevice, _ account: inout LedgerAccount
    ) throws -> [OperationID: OperationResult] {
        var results = call.unreadable.mapValues { OperationResult.refused($0) }
        let batch = account.position + 1
        for operation in call.request.operations {
            let counter = operation.id.counter
            if counter < device.settledBefore {
                // A late copy: the device has read the answer, and will not read this one.
                results[operation.id] = .retryLater
            } else if let known = try device.result(counter, in: database) {
                results[operation.id] = known
            } else {
                let result = try take(operation, batch, &account)
                try device.keep(result, counter, in: database)
                results[operation.id] = result
            }
        }
        return results
    }

    /// Judges one operation and writes what follows.
    func take(
        _ operation: UserData.Operation, _ batch: UInt64, _ account: inout LedgerAccount
    ) throws -> OperationResult {
        guard let rules = rules[operation.key.collection] else {
            return .refused(.unknownCollection)
        }
        let operation = bounded(operation)
        let policy = rules.declaration.policy
        let known = try account.record(operation.key, in: database)
        let record = known ?? forgotten(operation, account)
        switch MergeRules.judge(operation, on: record, policy: policy) {
        case .write(let new, _):
            guard new.isDeleted || rules.accepts(new.values) else { return .refused(.badField) }
            if known == nil, try account.isFull(rules, in: database) { return .refused(.quota) }
            account.position += 1
            let committed = new.committed(at: account.position)
            try account.write(
                committed, over: known, batch: batch, policy: policy, now: now, in: database)
            return .accepted(committed)
        case .keepAsWished(let record): return .accepted(record)
        case .keep(let record): return .merged(record)
        case .conflict(let record): return .conflict(theirs: record)
        case .refuse(let refusal): return .refused(refusal)
        }
    }

    /// A clock that runs ahead is believed only as far as `HybridClock` believes any.
    private func bounded(_ operation: UserData.Operation) -> UserData.Operation {
        var result = operation
        let latest = now + HybridClock.aheadMillisecondsMax
        result.time = min(result.time, HybridTime(milliseconds: latest))
        return result
    }

    /// The tombstone of a record that was deleted so long ago that it is not remembered.
    private func forgotten(_ operation: UserData.Operation, _ account: LedgerAccount) -> Record? {
        guard operation.seenRevision > 0, operation.seenRevision <= account.purgedThrough else {
            return nil
        }
        var record = Record(
            key: operation.key, revision: account.purgedThrough,
            operation: OperationID(client: ClientID("server"), counter: 0), time: .zero)
        record.isDeleted = true
        return record
    }

    // MARK: What changed

    /// Adds what follows the cursor; what one request wrote is never parted.
    private func page(
        _ request: ExchangeRequest, _ account: LedgerAccount, _ response: inout ExchangeResponse
    ) throws {
        let limit = ServiceLimits.recordsPerReplyMax
        var rows = try Row.fetchAll(
            database,
            sql: """
                SELECT json, position, batch FROM record
                WHERE account = ? AND position > ? ORDER BY position LIMIT ?
                """,
            arguments: [account.number, Int64(request.cursor), limit + 1])
        if rows.count > limit, let last = rows.dropLast().last {
            rows.removeLast()
            rows += try Row.fetchAll(
                database,
                sql: """
                    SELECT json, position, batch FROM record
                    WHERE account = ? AND position > ? AND batch = ? ORDER BY position
                    """,
                arguments: [account.number, last["position"] as Int64, last["batch"] as Int64])
            let end: Int64 = rows.last?["position"] ?? 0
            response.hasMore =
                try Bool.fetchOne(
                    database,
                    sql: "SELECT EXISTS (SELECT 1 FROM record WHERE account = ? AND position > ?)",
                    arguments: [account.number, end]) ?? false
            response.cursor = UInt64(end)
        } else {
            response.cursor = max(request.cursor, account.position)
        }
        if response.hasMore == false {
            response.cursor = max(response.cursor, account.position)
            response.digest = account.digest
        }
        let known = Set(response.results.values.compactMap(\.acceptedRevision))
        for row in rows {
            // What the results say already is not said again.
            if known.contains(UInt64(row["position"] as Int64)) { continue }
            response.changes.append(try StoredJSON.record(row["json"]))
        }
    }
}

extension OperationResult {
    fileprivate var acceptedRevision: UInt64? {
        if case .accepted(let record) = self { record.revision } else { nil }
    }
}
