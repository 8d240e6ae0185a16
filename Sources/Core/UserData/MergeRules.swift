/// Why the server does not take an operation, for good.
public enum Refusal: String, Sendable, Hashable, Codable {
    /// The collection only grows, and holds another record of that id.
    case immutable
    /// The collection's policy knows no such change.
    case notAllowed
    /// There is no such collection.
    case unknownCollection
    /// A field is not known or has a value of another kind.
    case badField
    /// The user has as many records as allowed.
    case quota
    /// The change alone is longer than a request may be; only the device itself says so.
    case tooLong
}

/// The server's answer to one operation; a repeated operation gets the same.
public enum OperationResult: Sendable, Hashable, Codable {
    /// Taken: the record is now so.
    case accepted(UserRecord)
    /// Another change stays instead of it, or beside it: the record is now so.
    case merged(UserRecord)
    /// The user has to settle it; the record is so on the server, and stays so.
    case conflict(theirs: UserRecord)
    /// Not taken, now or later.
    case refused(Refusal)
    /// Not taken now.
    case retryLater
}

/// What an operation does to the record that the server has.
public enum Verdict: Sendable, Hashable {
    /// The record becomes this; the server gives it the next revision.
    ///
    /// `overwrote` is true when the author had not seen what is replaced: the policy allows it, and
    /// the log keeps note of it.
    case write(UserRecord, overwrote: Bool)
    /// Nothing changes, and the operation's wish is fulfilled already.
    case keepAsWished(UserRecord)
    /// Nothing changes: another change stays.
    case keep(UserRecord)
    /// Nothing changes until the user settles it.
    case conflict(UserRecord)
    /// Nothing changes.
    case refuse(Refusal)
}

/// How changes meet: the one place where a policy decides.
public enum MergeRules {
    /// Judges an operation; the same question has the same answer on every machine.
    ///
    /// - Parameters:
    ///   - operation: The change.
    ///   - record: What the server has, tombstones too; `nil` where there never was any.
    ///   - policy: That of the collection.
    /// - Returns: What becomes of the record.
    public static func judge(
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

    /// The record that a change makes of another.
    ///
    /// - Parameters:
    ///   - operation: A change that counts.
    ///   - record: What it meets.
    ///   - policy: That of the collection.
    /// - Returns: The record after it, with the revision of what it meets.
    public static func applied(
        _ operation: ChangeOperation, to record: UserRecord?, policy: Policy
    ) -> UserRecord {
        var result = record ?? UserRecord(operation)
        result.operation = operation.id
        result.overwritten[operation.id.client] = nil
        // A clock that lags must not make a newer state look older than what it replaced.
        let after = record.map { max($0.time.successor, operation.time) }
        result.time = after ?? operation.time
        result.schemaVersion = operation.schemaVersion
        switch operation.change {
        case .put(let values):
            // Tallies are those of an earlier policy, and would hide what is set now.
            if !policy.abilities.mergesFields || result.isDeleted {
                result.fields = [:]
                result.tallies = [:]
            }
            result.isDeleted = false
            for (name, value) in values {
                result.tallies[name] = nil
                result.fields[name] = field(name, value, operation, after: record)
            }
            if policy.abilities.mergesFields { result.forgetRemovedFields() }
        case .delete:
            result.isDeleted = true
            result.fields = [:]
            result.tallies = [:]
        case .count(let field, let tally):
            result.isDeleted = false
            // A number that was set under an earlier policy is counted on from.
            if case .integer(let number)? = result.fields[field]?.value {
                result.tallies[field, default: [:]][.server] = Tally(
                    added: max(number, 0), removed: max(-number, 0))
            }
            result.fields[field] = nil
            let known = result.tallies[field]?[operation.id.client] ?? Tally()
            result.tallies[field, default: [:]][operation.id.client] = known.joined(tally)
        case .restore(let offered):
            return record.map { $0.joined(with: offered, policy: policy) } ?? offered
        }
        if policy.abilities.remembersReplaced, let record { result.remember(record.history) }
        return result
    }

    /// A field as an operation writes it, never older than what it replaces.
    private static func field(
        _ name: String, _ value: FieldValue, _ operation: ChangeOperation, after record: UserRecord?
    ) -> UserRecord.Field {
        // A tombstone has no fields, but was later than all that it had.
        let known = record?.fields[name]?.time ?? (record?.isDeleted == true ? record?.time : nil)
        let time = known.map { max($0.successor, operation.time) } ?? operation.time
        return UserRecord.Field(value: value, time: time, revision: 0, writer: operation.id)
    }

    /// Judges what a device had before the server went back; the policy holds for it too.
    private static func restore(
        _ offered: UserRecord, _ operation: ChangeOperation, _ record: UserRecord?, _ policy: Policy
    ) -> Verdict {
        guard offered.key == operation.key else { return .refuse(.notAllowed) }
        if let record {
            switch policy.abilities.resolution {
            case .refuse:
                return record.holdsTheSame(as: offered)
                    ? .keepAsWished(record) : .refuse(.immutable)
            case .askUser:
                // Both were the server's once, and nobody saw both.
                let isRelated =
                    offered.includes(record.operation) || record.includes(offered.operation)
                if !isRelated, !record.holdsTheSame(as: offered) { return .conflict(record) }
            // What the server had accepted before it went back was the server's: the later one stays.
            case .serverWins, .laterWins, .addUp: break
            }
        }
        var result = applied(operation, to: record, policy: policy)
        if let record, result.holdsTheSame(as: record), result.operation == record.operation {
            return .keepAsWished(record)
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
        return record.holdsTheSame(as: wished) ? .keepAsWished(record) : .refuse(.immutable)
    }

    private static func count(_ operation: ChangeOperation, _ record: UserRecord?) -> Verdict {
        guard case .count = operation.change else { return .refuse(.notAllowed) }
        let result = applied(operation, to: record, policy: .counter)
        if let record, result.tallies == record.tallies { return .keepAsWished(record) }
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
        if wished.holdsTheSame(as: record) { return .keepAsWished(record) }
        // Sent again to a server that went back, which heard from others what replaced it.
        if record.includes(operation.id) { return .keep(record) }
        switch policy.abilities.resolution {
        case .laterWins:
            let isLater = (operation.time, operation.id) > (record.time, record.operation)
            guard isLater else { return .keep(record) }
            var result = wished
            result.rememberOverwritten(record.operation)
            return .write(result, overwrote: true)
        case .askUser: return .conflict(record)
        case .serverWins, .refuse, .addUp: return .keep(record)
        }
    }

    private static func mergeFields(_ operation: ChangeOperation, _ record: UserRecord?) -> Verdict
    {
        switch operation.change {
        case .delete:
            guard let record else {
                return .write(applied(operation, to: nil, policy: .fieldMerge), overwrote: false)
            }
            if record.isDeleted { return .keepAsWished(record) }
            if record.includes(operation.id) { return .keep(record) }
            // An edit that the deleting user never saw is not to be lost.
            let hasSeenAll = record.fields.values.allSatisfy { $0.wasSeen(by: operation) }
            return hasSeenAll
                ? .write(applied(operation, to: record, policy: .fieldMerge), overwrote: false)
                : .keep(record)
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
        if record.includes(operation.id) { return .keep(record) }
        var result = record
        var overwrote = false
        var isWhole = true
        for (name, value) in values {
            if let known = record.fields[name], !known.wasSeen(by: operation), known.value != value
            {
                // Both changed this field: the later stays.
                guard (operation.time, operation.id) > (known.time, known.writer) else {
                    isWhole = false
                    continue
                }
                overwrote = true
            }
            result.tallies[name] = nil
            result.fields[name] = field(name, value, operation, after: record)
        }
        result.isDeleted = false
        result.forgetRemovedFields()
        if result.holdsTheSame(as: record) {
            return isWhole ? .keepAsWished(record) : .keep(record)
        }
        result.operation = operation.id
        result.time = max(record.time.successor, operation.time)
        result.schemaVersion = max(record.schemaVersion, operation.schemaVersion)
        result.remember(record.history)
        return .write(result, overwrote: overwrote)
    }
}

extension UserRecord {
    /// The record at its place in the log: fields that were just written get its revision, and so do
    /// those that claim a later one.
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
    /// Forgets the fields that were removed longest ago, as far as there are too many fields.
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
    /// True when both are the same write of the same value.
    fileprivate func isSameWrite(as other: UserRecord.Field) -> Bool {
        value == other.value && time == other.time && writer == other.writer
    }
}

extension UserRecord {
    /// The record with no time later than a bound, so that a clock that ran ahead cannot hold it.
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
    /// The operation with no time later than a bound: a clock that runs ahead is believed only as far
    /// as `HybridClock` believes any.
    public func bounded(by latest: HybridTime) -> ChangeOperation {
        var result = self
        result.time = min(time, latest)
        if case .restore(let offered) = change {
            result.change = .restore(offered.bounded(by: latest))
        }
        return result
    }
}
