import ServiceAPI
import UserData

/// The versions that a move of accounts could not merge, as the conflicts and notices that a user knows.
extension DeviceState {
    private struct Difference {
        /// The record of `underway-differences`.
        var key: RecordKey
        var content: AccountDifference
    }

    /// Returns the differences of a kind that a record does not have yet, ordered by id.
    private func differences(_ kind: AccountDifference.Kind) -> [Difference] {
        shownRecords(of: AccountDifference.collection).compactMap { record in
            guard let content = AccountDifference(record), content.kind == kind,
                declarations[content.key.collection] != nil,
                current(content.key)?.hasSameContent(as: content.version) != true
            else { return nil }
            return Difference(key: record.key, content: content)
        }
    }

    /// The conflicts of both kinds, at most one for each record.
    var allConflicts: [RecordConflict] {
        var known = Set(conflicts.map(\.key))
        return conflicts
            + differences(.ask).compactMap { difference in
                let key = difference.content.key
                guard known.insert(key).inserted else { return nil }
                return RecordConflict(
                    key: key, mine: difference.content.version.asChange,
                    theirs: theirs(of: difference), base: nil)
            }
    }

    /// The notices of both kinds, the earliest write first.
    var allNotices: [ReplacementNotice] {
        let lost = differences(.lost).map {
            ReplacementNotice(mine: $0.content.version.asChange, theirs: theirs(of: $0))
        }
        return (lost + notices).sorted { ($0.mine.time, $0.id) < ($1.mine.time, $1.id) }
    }

    /// The visible record; a deleted one if it no longer exists.
    private func theirs(of difference: Difference) -> UserRecord {
        if let shown = current(difference.content.key) { return shown }
        var record = bases[difference.content.key] ?? difference.content.version
        (record.fields, record.isDeleted) = ([:], true)
        return record
    }

    /// Returns the changes that decide a difference and delete it; `nil` if a conflict of this device comes first.
    func decision(
        _ key: RecordKey, _ resolution: RecordResolution
    ) -> [DeviceMachine.BatchedWrite]? {
        guard !conflicts.contains(where: { $0.key == key }),
            let difference = differences(.ask).first(where: { $0.content.key == key })
        else { return nil }
        let deletion = DeviceMachine.BatchedWrite(difference.key, .delete)
        switch resolution {
        case .useServer: return [deletion]
        case .keepMine: return [.init(key, .put(difference.content.version.values)), deletion]
        case .edit(let fields): return [.init(key, .put(fields)), deletion]
        }
    }

    /// Returns the record of the difference that a notice shows.
    func lostDifference(_ id: OperationID) -> RecordKey? {
        differences(.lost).first { $0.content.version.operation == id }?.key
    }
}

extension UserRecord {
    /// The change that its author made.
    fileprivate var asChange: ChangeOperation {
        ChangeOperation(
            id: operation, key: key, change: isDeleted ? .delete : .put(values), seenRevision: 0,
            time: time, schemaVersion: schemaVersion)
    }
}
