extension DeviceMachine {
    // MARK: The user's changes

    mutating func wroteBatch(_ changes: [BatchedWrite], _ now: Int64) -> [Effect] {
        let group = state.nextCounter
        var changed: [RecordKey] = []
        for change in changes.prefix(Self.batchedWritesMax) {
            for case .changed(let keys) in wrote(change.key, change.write, group: group, now) {
                changed += keys
            }
        }
        return changed.isEmpty ? [] : [.changed(changed)] + exchange(isWanted: true)
    }

    mutating func wrote(
        _ key: RecordKey, _ write: Write, group: UInt64?, _ now: Int64, at past: HybridTime? = nil
    ) -> [Effect] {
        guard let declaration = state.declarations[key.collection],
            let made = change(key, write, declaration.policy)
        else { return [] }
        if state.isLocal, case .count(let field, let totals) = made {
            return counted(key, field, totals, declaration, now)
        }
        let refusedCount = state.rejected.count
        let change = combinedWithRejected(key, made, declaration.policy)
        let step = refusedCount == state.rejected.count ? write.step : step(change, key)
        let time = past ?? state.clock.now(wallMilliseconds: now, salt: salt)
        // A change that came along may wait beside a conflict; it is shown on top, and the new one follows it.
        let isAlone = !state.outbox.contains { $0.operation.key == key && !$0.isOffer }
        if isAlone, let index = state.conflicts.firstIndex(where: { $0.key == key }) {
            // The user has not seen the server's version: the change belongs to the same conflict.
            state.conflicts[index].mine.change = combined(
                state.conflicts[index].mine.change, change, declaration.policy)
            state.conflicts[index].mine.time = time
            return [.changed([key])]
        }
        let last = state.outbox.lastIndex { $0.operation.key == key }
        // A change of a group is sent with its group, so no earlier change absorbs it.
        if group == nil, merge(change, into: key, time, declaration) {
            return [.changed([key])] + exchange(isWanted: true)
        }
        append(
            change, key, seenBefore(key, last), group: group, time, declaration.schemaVersion, now,
            step: step)
        return [.changed([key])] + (group == nil ? exchange(isWanted: true) : [])
    }

    /// Adds a process' totals of a counter for the local user.
    ///
    /// They are offered to an account with the names of their writers, so that it counts them once, even if several
    /// copies enter it.
    private mutating func counted(
        _ key: RecordKey, _ field: String, _ totals: CounterTotals,
        _ declaration: CollectionDeclaration, _ now: Int64
    ) -> [Effect] {
        let time = state.clock.now(wallMilliseconds: now, salt: salt)
        let known = state.outbox.lastIndex { $0.isOffer && $0.operation.key == key }
        var offer = UserRecord(
            key: key, revision: 0,
            operation: OperationID(client: state.client, counter: state.nextCounter), time: time)
        if let known, case .restore(let record) = state.outbox[known].operation.change {
            offer = record
        }
        offer.time = time
        offer.schemaVersion = declaration.schemaVersion
        offer.counterTotals[field, default: [:]][state.client] = totals
        if let known {
            state.outbox[known].operation.change = .restore(offer)
            state.outbox[known].operation.time = time
        } else {
            append(.restore(offer), key, .nothing, time, declaration.schemaVersion, now)
        }
        return [.changed([key])]
    }

    /// Returns the version that a change's author saw: the last pending operation, or else the
    /// record.
    private func seenBefore(_ key: RecordKey, _ last: Int?) -> ObservedVersion {
        guard let last, !state.outbox[last].isOffer else { return versionShown(key) }
        let previous = state.outbox[last].operation
        return ObservedVersion(
            revision: previous.seenRevision, operation: previous.id, history: previous.seenWrites)
    }

    private func change(_ key: RecordKey, _ write: Write, _ policy: Policy) -> Change? {
        switch write {
        case .put(let values):
            switch policy.abilities.writing {
            case .counts: return nil
            case .mergesFields: return difference(values, key).map { .put($0) }
            case .adds, .replaces: return .put(whole(values, key, policy))
            }
        case .delete: return policy.abilities.allowsDeletion ? .delete : nil
        case .count(let field, let step):
            guard policy.abilities.isCounter else { return nil }
            var tally = state.current(key)?.counterTotals[field]?[state.client] ?? CounterTotals()
            let size = Int64(clamping: step.magnitude)
            if step >= 0 { tally.added += min(size, .max - tally.added) }
            if step < 0 { tally.removed += min(size, .max - tally.removed) }
            // Values that no side can read are ignored; a store rejects them before.
            guard Validity.isValue(.integer(tally.added)), Validity.isValue(.integer(tally.removed))
            else { return nil }
            return .count(field: field, tally)
        }
    }

    /// Returns the fields that the author changed, removed ones as `null`; `nil` when there are
    /// none.
    ///
    /// A field that the author left unchanged must not be sent: another device may have changed it.
    private func difference(
        _ values: [String: FieldValue], _ key: RecordKey
    ) -> [String: FieldValue]? {
        guard let current = state.current(key)?.values else { return values }
        let known = state.declarations[key.collection]?.fields
        var changed = values.filter { current[$0.key] != $0.value }
        for (name, value) in current
        where values[name] == nil && value != .null && known?.contains(name) ?? true {
            changed[name] = .null
        }
        return changed.isEmpty ? nil : changed
    }

    /// Returns the values with the fields that a newer version of the app wrote and this one does
    /// not know.
    private func whole(
        _ values: [String: FieldValue], _ key: RecordKey, _ policy: Policy
    ) -> [String: FieldValue] {
        guard !policy.abilities.onlyAdds, let known = state.declarations[key.collection]?.fields,
            let current = state.current(key)?.values
        else { return values }
        return values.merging(current.filter { !known.contains($0.key) }) { mine, _ in mine }
    }

    /// Combines a change with the rejected ones on which it is based, and removes these.
    private mutating func combinedWithRejected(
        _ key: RecordKey, _ change: Change, _ policy: Policy
    ) -> Change {
        var result = change
        if policy.abilities.mergesFields, case .put(let values) = change {
            var all: [String: FieldValue] = [:]
            for refused in state.rejected where refused.operation.key == key {
                if case .put(let old) = refused.operation.change { all.merge(old) { $1 } }
            }
            result = .put(all.merging(values) { $1 })
        }
        state.rejected.removeAll { refused in
            guard refused.operation.key == key else { return false }
            // Totals of other writers, which a step does not contain.
            if policy.abilities.isCounter, refused.operation.isOffer { return false }
            if case .count(let field, _) = change,
                case .count(let old, _) = refused.operation.change
            {
                return field == old
            }
            return true
        }
        return result
    }

    /// Combines a later change with an earlier one of the same author.
    private func combined(_ earlier: Change, _ later: Change, _ policy: Policy) -> Change {
        guard policy.abilities.mergesFields, case .put(let old) = earlier,
            case .put(let new) = later
        else {
            return later
        }
        return .put(old.merging(new) { $1 })
    }

    /// Merges a change into an earlier one that was never sent.
    ///
    /// Steps of a counter are not merged: a copy of this store may send the earlier one, and the server must then
    /// recognise it alone. Under `fieldMerge` the later change has each field of the earlier one: another field would
    /// get its time, and win against a later write of another device.
    private mutating func merge(
        _ change: Change, into key: RecordKey, _ time: HybridTime,
        _ declaration: CollectionDeclaration
    ) -> Bool {
        guard !declaration.policy.abilities.onlyAdds, case .put(let later) = change,
            let index = placeOfUnsent(later, key, declaration.policy)
        else { return false }
        state.outbox[index].operation.change = change
        state.outbox[index].operation.time = time
        return true
    }

    /// Returns the place of the pending change that a later one replaces.
    private func placeOfUnsent(
        _ later: [String: FieldValue], _ key: RecordKey, _ policy: Policy
    ) -> Int? {
        for index in state.outbox.indices.reversed()
        where state.outbox[index].operation.key == key {
            guard !state.outbox[index].wasSent,
                case .put(let earlier) = state.outbox[index].operation.change
            else { return nil }
            if !policy.abilities.mergesFields || earlier.keys.allSatisfy({ later[$0] != nil }) {
                return index
            }
            // Behind a change with one of these fields, an earlier one must not get a newer value of it.
            guard earlier.keys.allSatisfy({ later[$0] == nil }) else { return nil }
        }
        return nil
    }

    mutating func append(
        _ change: Change, _ key: RecordKey, _ seen: ObservedVersion, group: UInt64? = nil,
        _ time: HybridTime, _ schemaVersion: Int, _ now: Int64,
        step: CounterTotals = CounterTotals()
    ) {
        var operation = ChangeOperation(
            id: OperationID(client: state.client, counter: state.nextCounter), key: key,
            change: change, seenRevision: seen.revision, follows: seen.operation, time: time,
            schemaVersion: schemaVersion)
        operation.seenWrites = seen.history
        state.nextCounter += 1
        state.outbox.append(
            .init(operation: operation, group: group, madeAt: now, step: step))
    }

    /// Returns the part of a counter's totals that no earlier operation and no record contains.
    private func step(_ change: Change, _ key: RecordKey) -> CounterTotals {
        guard case .count(let field, let total) = change else { return CounterTotals() }
        var known = state.bases[key]?.counterTotals[field]?[state.client] ?? CounterTotals()
        known = known.joined(
            state.recordsBeforeRebuild[key]?.counterTotals[field]?[state.client] ?? CounterTotals())
        for pending in state.outbox where pending.operation.key == key {
            if case .count(field, let tally) = pending.operation.change {
                known = known.joined(tally)
            }
        }
        return total.minus(known)
    }

    // MARK: Refused changes

    mutating func dismissed(_ id: OperationID) -> [Effect] {
        let keys =
            state.rejected.filter { $0.operation.id == id }.map(\.operation.key)
            + state.notices.filter { $0.id == id }.map(\.key)
        state.rejected.removeAll { $0.operation.id == id }
        state.notices.removeAll { $0.id == id }
        return keys.isEmpty ? [] : [.changed(keys)]
    }

    mutating func retried(_ id: OperationID, _ now: Int64) -> [Effect] {
        guard let index = state.rejected.firstIndex(where: { $0.operation.id == id }) else {
            return []
        }
        let refused = state.rejected.remove(at: index).operation
        let seen = ObservedVersion(
            revision: refused.seenRevision, operation: refused.follows, history: refused.seenWrites)
        append(
            refused.change, refused.key, seen, refused.time, refused.schemaVersion, now,
            step: step(refused.change, refused.key))
        return [.changed([refused.key])] + exchange(isWanted: true)
    }

    // MARK: Conflicts

    mutating func resolved(
        _ key: RecordKey, _ decision: RecordResolution, shown: String, _ now: Int64
    ) -> [Effect] {
        guard let index = state.conflicts.firstIndex(where: { $0.key == key }),
            state.conflicts[index].tag == shown
        else { return [] }
        let conflict = state.conflicts.remove(at: index)
        let change: Change?
        switch decision {
        case .keepMine: change = conflict.mine.change
        case .useServer: change = nil
        case .edit(let values):
            let policy = state.declarations[key.collection]?.policy ?? .askUser
            change = .put(whole(values, key, policy))
        }
        if let change {
            append(
                change, key, ObservedVersion(shownIn: conflict.theirs),
                state.clock.now(wallMilliseconds: now, salt: salt),
                conflict.mine.schemaVersion, now)
        }
        return [.changed([key])] + exchange(isWanted: true)
    }

    mutating func addConflict(_ operation: ChangeOperation, _ theirs: UserRecord) {
        let key = operation.key
        let base = state.bases[key] ?? state.recordsBeforeRebuild[key]
        let mine = takeChain(of: operation) ?? operation
        guard let place = state.conflicts.firstIndex(where: { $0.key == key }) else {
            state.conflicts.append(
                .init(key: key, mine: mine.asWritten, theirs: theirs, base: base))
            return
        }
        state.conflicts[place].theirs = theirs
        // Neither change was made on top of the other, and the earlier one is in no other list. A later change may have
        // joined the conflict before this reply was read; an offered record is older than all later writes.
        let former = state.conflicts[place].mine
        if mine.isOffer {
            guard isOwnUnseen(mine, by: former) else { return }
            noticeReplacement(of: mine.asWritten, by: former, theirs)
        } else if mine.id > former.id {
            noticeReplacement(of: former, by: mine, theirs)
            state.conflicts[place].mine = mine
        } else {
            noticeReplacement(of: mine, by: former, theirs)
        }
    }

    /// Removes the pending changes that are based on an operation, which belong to its conflict.
    ///
    /// - Returns: The last of them; `nil` when there is none.
    private mutating func takeChain(of operation: ChangeOperation) -> ChangeOperation? {
        var (last, newest) = (operation.written, ChangeOperation?.none)
        for pending in state.outbox where pending.operation.follows == last {
            last = pending.operation.id
            newest = pending.operation
            state.outbox.removeAll { $0.operation.id == last }
        }
        return newest
    }

    /// Returns true for an offer of an own record that the own side of a conflict is not based on; another device's is
    /// offered by that device.
    private func isOwnUnseen(_ offer: ChangeOperation, by mine: ChangeOperation) -> Bool {
        guard case .restore(let record) = offer.change else { return false }
        return record.operation.client == state.client && !mine.hasSeen(record)
    }

    /// Updates the conflict about a record with the server's current version, if there is one.
    ///
    /// A conflict whose own side equals the server's record is removed.
    mutating func renewConflict(_ record: UserRecord) {
        guard let index = state.conflicts.firstIndex(where: { $0.key == record.key }),
            let policy = state.declarations[record.key.collection]?.policy
        else { return }
        state.conflicts[index].theirs = record
        let mine = MergeRules.applied(state.conflicts[index].mine, to: record, policy: policy)
        if mine.hasSameContent(as: record) { state.conflicts.remove(at: index) }
    }
}

extension DeviceMachine.ObservedVersion {
    /// Creates the version that the conflict showed: its revision or, after a restore of the
    /// server, its writes.
    fileprivate init(shownIn record: UserRecord) {
        revision = record.revision
        guard record.revision == 0 else { return }
        operation = record.operation
        history = record.history
    }
}

extension ChangeOperation {
    /// The operation that wrote the record; of an offer, the original one.
    fileprivate var written: OperationID {
        if case .restore(let record) = change { record.operation } else { id }
    }

    /// The offered record as the change that it repeats.
    fileprivate var asWritten: ChangeOperation {
        guard case .restore(let record) = change else { return self }
        var result = self
        result.change = record.isDeleted ? .delete : .put(record.values)
        return result
    }
}

extension DeviceMachine.Write {
    /// The step that this change adds to a counter's totals.
    fileprivate var step: CounterTotals {
        guard case .count(_, let step) = self else { return CounterTotals() }
        let size = Int64(clamping: step.magnitude)
        return step >= 0 ? CounterTotals(added: size) : CounterTotals(removed: size)
    }
}
