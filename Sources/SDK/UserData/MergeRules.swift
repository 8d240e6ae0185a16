/// A permanent reason for rejecting an operation.
public enum Refusal: String, Sendable, Hashable, Codable {
    /// The collection is append-only, and has another record with that id.
    case immutable
    /// The collection's policy does not allow the change.
    case notAllowed
    /// The collection does not exist on the server.
    case unknownCollection
    /// A field is unknown, or its value breaks its rule.
    case badField
    /// The user has reached the maximum number of records.
    case quota
    /// The change alone exceeds a request's limit; only the device itself gives this reason.
    case tooLong
}

/// The result of one operation; a repeated operation gets the same.
package enum OperationResult: Sendable, Hashable, Codable {
    /// The operation was applied: the record is now this.
    case accepted(UserRecord)
    /// The operation was merged: another change remains instead of it or beside it, and the record is now this.
    case merged(UserRecord)
    /// The user must resolve a conflict with the server's record, which is unchanged.
    case conflict(theirs: UserRecord)
    /// The operation was rejected permanently.
    case refused(Refusal)
    /// The operation was not resolved: send it again.
    case retryLater

    /// True when the server has the operation.
    package var isApplied: Bool {
        switch self {
        case .accepted, .merged: true
        case .conflict, .refused, .retryLater: false
        }
    }
}

/// The decision about an operation on the server's record.
package enum Verdict: Sendable, Hashable {
    /// Write this record, to which the server assigns the next revision.
    ///
    /// `overwrote` is true when the author had not seen the replaced state: the policy allows it,
    /// and the record lists it.
    case write(UserRecord, overwrote: Bool)
    /// Write this record, in which fields of the operation lost; its result is `merged`.
    case writePart(UserRecord)
    /// Change nothing: the record already has the effect of the operation.
    case alreadyApplied(UserRecord)
    /// Change nothing: another change supersedes the operation.
    case superseded(UserRecord)
    /// Change nothing until the user resolves the conflict.
    case conflict(UserRecord)
    /// Change nothing: the operation is rejected.
    case refuse(Refusal)
}

/// The rules for concurrent changes: the only code in which a policy determines the result.
package enum MergeRules {
    /// Resolves an operation; equal inputs give equal results on every machine.
    ///
    /// - Parameters:
    ///   - operation: The change.
    ///   - record: The server's record, a tombstone too; `nil` if there never was one.
    ///   - policy: The collection's policy.
    /// - Returns: The decision about the record.
    package static func judge(
        _ operation: ChangeOperation, on record: UserRecord?, policy: Policy
    ) -> Verdict {
        if case .restore(let offered) = operation.change {
            return restore(offered, operation, record, policy)
        }
        switch policy.abilities.writing {
        case .adds: return append(operation, record)
        case .counts: return count(operation, record)
        case .mergesFields: return mergeFields(operation, record)
        case .replaces: return replace(operation, record, policy)
        }
    }

    /// Applies a change to a record.
    ///
    /// - Parameters:
    ///   - operation: An accepted change.
    ///   - record: The record before it.
    ///   - policy: The collection's policy.
    /// - Returns: The record after it, with the revision of the record before.
    package static func applied(
        _ operation: ChangeOperation, to record: UserRecord?, policy: Policy
    ) -> UserRecord {
        var result = record ?? UserRecord(operation)
        result.operation = operation.id
        // A clock that lags must not make a newer state look older than the state that it replaces.
        let after = record.map { max($0.time.successor, operation.time) }
        result.time = after ?? operation.time
        result.schemaVersion = operation.schemaVersion
        switch operation.change {
        case .put(let values):
            // Totals belong to an earlier policy, and would hide the values that are set now.
            if !policy.abilities.mergesFields || result.isDeleted {
                result.fields = [:]
                result.counterTotals = [:]
            }
            if !policy.abilities.mergesFields { result.forgetOverwritten(of: operation.id.client) }
            result.isDeleted = false
            for (name, value) in values {
                result.forgetOverwritten(name, of: operation.id.client)
                result.counterTotals[name] = nil
                result.fields[name] = field(name, value, operation, after: record)
            }
            if policy.abilities.mergesFields { result.forgetRemovedFields() }
        case .delete:
            result.forgetOverwritten(of: operation.id.client)
            result.isDeleted = true
            result.fields = [:]
            result.counterTotals = [:]
        case .count(let field, let tally):
            result.isDeleted = false
            // A number that was set under an earlier policy is the base of the counter.
            if case .integer(let number)? = result.fields[field]?.value {
                result.counterTotals[field, default: [:]][.server] = CounterTotals(
                    added: max(number, 0), removed: max(-number, 0))
            }
            result.fields[field] = nil
            let known = result.counterTotals[field]?[operation.id.client] ?? CounterTotals()
            result.counterTotals[field, default: [:]][operation.id.client] = known.joined(tally)
        case .restore(let offered):
            return record.map { offered.offered(to: $0, policy: policy) } ?? offered
        }
        if policy.abilities.remembersReplaced, let record { result.remember(record.history) }
        return result
    }

    /// Returns a field as an operation writes it, never older than the field that it replaces.
    private static func field(
        _ name: String, _ value: FieldValue, _ operation: ChangeOperation, after record: UserRecord?
    ) -> UserRecord.Field {
        // A tombstone has no fields, but is later than all that it had.
        let known = record?.fields[name]?.time ?? (record?.isDeleted == true ? record?.time : nil)
        let time = known.map { max($0.successor, operation.time) } ?? operation.time
        return UserRecord.Field(value: value, time: time, revision: 0, writer: operation.id)
    }

    /// Decides an offer of a record that the device knew before a restore of the server; the policy
    /// applies to it, too.
    private static func restore(
        _ offered: UserRecord, _ operation: ChangeOperation, _ record: UserRecord?, _ policy: Policy
    ) -> Verdict {
        guard offered.key == operation.key else { return .refuse(.notAllowed) }
        if let record {
            switch policy.abilities.resolution {
            case .refuse:
                return record.hasSameContent(as: offered)
                    ? .alreadyApplied(record) : .refuse(.immutable)
            case .askUser:
                // Both were accepted by the server once, and no author saw both.
                if !offered.isRelated(to: record), !record.hasSameContent(as: offered) {
                    return .conflict(record)
                }
            // The server had accepted the record before it was restored: the later one remains.
            case .serverWins, .laterWins, .addUp: break
            }
        }
        var result = applied(operation, to: record, policy: policy)
        if let record, result.hasSameContent(as: record), result.operation == record.operation {
            return .alreadyApplied(record)
        }
        // Revisions of a lost history mean nothing in this one.
        for (name, field) in result.fields {
            if let known = record?.fields[name], known.isSameWrite(as: field) {
                result.fields[name] = known
            } else {
                result.fields[name]?.revision = 0
            }
        }
        return .write(result, overwrote: false)
    }

    private static func append(_ operation: ChangeOperation, _ record: UserRecord?) -> Verdict {
        guard case .put = operation.change else { return .refuse(.notAllowed) }
        let wished = applied(operation, to: nil, policy: .appendOnly)
        guard let record else { return .write(wished, overwrote: false) }
        return record.hasSameContent(as: wished) ? .alreadyApplied(record) : .refuse(.immutable)
    }

    private static func count(_ operation: ChangeOperation, _ record: UserRecord?) -> Verdict {
        guard case .count = operation.change else { return .refuse(.notAllowed) }
        let result = applied(operation, to: record, policy: .counter)
        if let record, result.counterTotals == record.counterTotals {
            return .alreadyApplied(record)
        }
        return .write(result, overwrote: false)
    }

    private static func replace(
        _ operation: ChangeOperation, _ record: UserRecord?, _ policy: Policy
    ) -> Verdict {
        if case .count = operation.change { return .refuse(.notAllowed) }
        let wished = applied(operation, to: record, policy: policy)
        guard let record, !operation.hasSeen(record) else {
            return .write(wished, overwrote: false)
        }
        if wished.hasSameContent(as: record) { return .alreadyApplied(record) }
        // Sent again to a restored server, which has heard from other devices what replaced it.
        if record.includes(operation.id) { return .superseded(record) }
        switch policy.abilities.resolution {
        case .laterWins:
            let isLater = (operation.time, operation.id) > (record.time, record.operation)
            guard isLater else { return .superseded(record) }
            var result = wished
            result.rememberOverwritten(record.operation)
            return .write(result, overwrote: true)
        case .askUser: return .conflict(record)
        case .serverWins, .refuse, .addUp: return .superseded(record)
        }
    }

    private static func mergeFields(_ operation: ChangeOperation, _ record: UserRecord?) -> Verdict
    {
        switch operation.change {
        case .delete:
            guard let record else {
                return .write(applied(operation, to: nil, policy: .fieldMerge), overwrote: false)
            }
            if record.isDeleted { return .alreadyApplied(record) }
            if record.includes(operation.id) { return .superseded(record) }
            // An edit that the deleting user never saw must not be lost.
            let hasSeenAll = record.fields.values.allSatisfy { $0.wasSeen(by: operation) }
            return hasSeenAll
                ? .write(applied(operation, to: record, policy: .fieldMerge), overwrote: false)
                : .superseded(record)
        case .put(let values):
            guard let record else {
                return .write(applied(operation, to: nil, policy: .fieldMerge), overwrote: false)
            }
            return put(values, operation, record)
        case .count, .restore: return .refuse(.notAllowed)
        }
    }

    private static func put(
        _ values: [String: FieldValue], _ operation: ChangeOperation, _ record: UserRecord
    ) -> Verdict {
        if record.includes(operation.id) { return .superseded(record) }
        var result = record
        var overwrote = false
        var isWhole = true
        for (name, value) in values {
            if let known = record.fields[name], !known.wasSeen(by: operation), known.value != value
            {
                // Both changed this field: the later write remains.
                guard (operation.time, operation.id) > (known.time, known.writer) else {
                    result.rememberOverwritten(name, of: operation.id)
                    isWhole = false
                    continue
                }
                result.rememberOverwritten(name, of: known.writer)
                overwrote = true
            }
            result.forgetOverwritten(name, of: operation.id.client)
            result.counterTotals[name] = nil
            result.fields[name] = field(name, value, operation, after: record)
        }
        result.isDeleted = false
        result.forgetRemovedFields()
        if result.hasSameContent(as: record) {
            return isWhole ? .alreadyApplied(record) : lost(record, result)
        }
        result.operation = operation.id
        result.time = max(record.time.successor, operation.time)
        result.schemaVersion = max(record.schemaVersion, operation.schemaVersion)
        result.remember(record.history)
        return isWhole ? .write(result, overwrote: overwrote) : .writePart(result)
    }

    /// Resolves a change whose fields all lost: the record lists them, so that its device detects it even when the
    /// reply is lost.
    private static func lost(_ record: UserRecord, _ judged: UserRecord) -> Verdict {
        var result = record
        result.overwritten = judged.overwritten
        result.overwrittenFields = judged.overwrittenFields
        return result == record ? .superseded(record) : .writePart(result)
    }
}

extension UserRecord {
    /// Returns the record at its position in the log: fields written now, and fields that claim a later revision, get
    /// its revision.
    public func committed(at revision: UInt64) -> UserRecord {
        var result = self
        result.revision = revision
        for (name, field) in fields where field.revision == 0 || field.revision > revision {
            result.fields[name]?.revision = revision
        }
        return result
    }
}

extension UserRecord {
    /// Drops the fields that were removed first, above the limit.
    mutating func forgetRemovedFields() {
        let excess = fields.count - Validity.fieldsMax
        guard excess > 0 else { return }
        let removed = fields.filter { $0.value.value == .null }.sorted {
            ($0.value.time, $0.value.writer, $0.key) < ($1.value.time, $1.value.writer, $1.key)
        }
        for (name, _) in removed.prefix(excess) { fields[name] = nil }
    }
}

extension UserRecord.Field {
    /// Returns true if both are the same write of the same value.
    fileprivate func isSameWrite(as other: UserRecord.Field) -> Bool {
        value == other.value && time == other.time && writer == other.writer
    }
}

extension UserRecord {
    /// Returns the record with all times limited to a bound, so that a clock that ran ahead cannot block it.
    public func bounded(by latest: HybridTime) -> UserRecord {
        var result = self
        result.time = min(time, latest)
        for (name, field) in fields where field.time > latest {
            result.fields[name]?.time = latest
        }
        return result
    }
}

extension ChangeOperation {
    /// Returns the operation with its time limited to a bound, the same by which `HybridClock` accepts times ahead.
    public func bounded(by latest: HybridTime) -> ChangeOperation {
        var result = self
        result.time = min(time, latest)
        if case .restore(let offered) = change {
            result.change = .restore(offered.bounded(by: latest))
        }
        return result
    }
}
