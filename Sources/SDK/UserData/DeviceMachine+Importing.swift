extension DeviceMachine {
    /// Copies the visible data of another user of this device to the present user's.
    ///
    /// Records become changes whose author has seen nothing of this user's data, so that the policies resolve them; if
    /// the policy asks the user, a record that differs becomes a conflict. Acknowledged answers retain their devices
    /// and sequence numbers: copying them twice, or on two devices, adds nothing. Acknowledged totals of counters are
    /// merged device by device, and pending steps become steps of this device. So do pending changes of single fields:
    /// each side is notified of the fields that it loses.
    mutating func imported(_ other: DeviceState, _ now: Int64) -> [Effect] {
        var changed: [RecordKey] = []
        let own = Dictionary(
            state.shownRecords().map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        for record in other.shownRecords() {
            let key = record.key
            guard let declaration = state.declarations[key.collection],
                // Equal sums of a counter may come from different devices: they are added.
                declaration.policy.abilities.isCounter || own[key]?.values != record.values
            else { continue }
            switch declaration.policy.abilities.writing {
            case .counts: importCounts(key, from: other, now)
            case .mergesFields: importFields(record, from: other, over: own[key], now)
            case .adds, .replaces:
                if keeps(own[key], over: record, declaration.policy) { continue }
                append(
                    .put(record.values), key, .nothing, record.time, record.schemaVersion, now)
            }
            changed.append(key)
        }
        for (client, last) in other.answers.lasts where last > state.answers[client] {
            let known = state.answers[client]
            state.answers.add(
                AnswerSpan(client: client, first: known + 1, count: Int(last - known)))
            // The caller computes the digest of what both have of a name.
            state.answerDigests[client] = known == 0 ? other.answerDigests[client] : nil
        }
        state.detachedCount += other.detachedCount
        for notice in other.notices { state.add(notice) }
        return [.changed(changed)] + exchange(isWanted: true)
    }

    /// Decides between an own write and an imported record under a policy by which the later wins, and adds a notice
    /// for the loser.
    ///
    /// A server cannot: it bounds two times that are far ahead to the same one.
    /// - Returns: True when the own write wins, so that the record is not sent.
    private mutating func keeps(
        _ own: UserRecord?, over record: UserRecord, _ policy: Policy
    ) -> Bool {
        guard policy.abilities.notifiesLoser, let own, own.operation.client == state.client else {
            return false
        }
        let stays = own.time >= record.time
        let (loser, winner) = stays ? (record, own) : (own, record)
        let mine = ChangeOperation(
            id: loser.operation, key: loser.key, change: .put(loser.values), seenRevision: 0,
            time: loser.time, schemaVersion: loser.schemaVersion)
        state.add(ReplacementNotice(mine: mine, theirs: winner))
        return stays
    }

    /// Merges the acknowledged totals of a counter, and repeats the pending steps on this device.
    ///
    /// The other user's device may have a copy that continues to count under the same name: only totals that a server
    /// acknowledged have a name that can be merged.
    private mutating func importCounts(_ key: RecordKey, from other: DeviceState, _ now: Int64) {
        if let base = other.bases[key] ?? other.recordsBeforeRebuild[key], !base.isDeleted {
            append(
                offer(importing: base), key, .nothing, base.time, base.schemaVersion, now)
        }
        for pending in other.outbox where pending.operation.key == key {
            if case .restore(let totals) = pending.operation.change {
                append(
                    offer(importing: totals), key, .nothing, totals.time, totals.schemaVersion,
                    now)
            }
            guard case .count(let field, _) = pending.operation.change else { continue }
            // With the step's own time: copied twice, it is the same operation twice.
            let time = pending.operation.time
            _ = wrote(
                key, .count(field: field, by: pending.step.added), group: nil, now, at: time)
            if pending.step.removed > 0 {
                _ = wrote(
                    key, .count(field: field, by: -pending.step.removed), group: nil, now, at: time)
            }
        }
    }

    /// Returns the offer that imports a record; fields and counters are merged one by one, since each has a time or a
    /// device.
    func offer(importing record: UserRecord) -> Change {
        var offer = record
        // Revisions of another user's log mean nothing in this one.
        offer.revision = 0
        offer.replaced = [:]
        for name in offer.fields.keys { offer.fields[name]?.revision = 0 }
        return .restore(offer)
    }
}

extension DeviceState {
    /// Returns the state without the sequence numbers of its own unacknowledged answers, because a
    /// copy of this store may have given the same numbers to other answers.
    ///
    /// - Returns: The state, and the run whose numbers were removed; `nil` when there is none.
    package func detachedForImport() -> (state: DeviceState, span: AnswerSpan?) {
        var state = self
        // Writers' names are never used again.
        guard !isLocal else { return (state, nil) }
        let (known, last) = (answersOnServer[client], answers[client])
        guard last > known else { return (state, nil) }
        let span = AnswerSpan(client: client, first: known + 1, count: Int(last - known))
        state.answers.truncate(to: known, of: client)
        // The caller computes that of the rest.
        state.answerDigests[client] = nil
        state.detachedCount += span.count
        return (state, span)
    }
}
