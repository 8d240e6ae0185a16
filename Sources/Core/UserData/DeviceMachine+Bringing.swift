extension DeviceMachine {
    /// Makes what another user of this device sees the present user's, too.
    ///
    /// Records become changes whose author has seen nothing of this user's, so that the policies
    /// decide, and a record that the user has otherwise becomes a conflict where the policy asks.
    /// Answers stay under the devices and numbers that they have: taking them along twice, or on two
    /// devices, adds nothing.
    mutating func brought(_ other: DeviceState, _ now: Int64) -> [Effect] {
        var changed: [RecordKey] = []
        for key in other.shownKeys {
            guard let declaration = state.declarations[key.collection],
                let record = other.current(key), state.current(key)?.values != record.values
            else { continue }
            append(
                change(bringing: record, declaration.policy), key, seen: 0, follows: nil,
                record.time, record.schemaVersion, now)
            changed.append(key)
        }
        for (client, last) in other.answers.lasts where last > state.answers[client] {
            let known = state.answers[client]
            state.answers.take(
                AnswerSpan(client: client, first: known + 1, count: Int(last - known)))
        }
        state.detachedCount += other.detachedCount
        return [.changed(changed)] + exchange(isWanted: true)
    }

    /// Fields and counters that have a time or a device each are joined one by one.
    private func change(bringing record: Record, _ policy: Policy) -> Change {
        guard policy == .fieldMerge || policy == .counter else { return .put(record.values) }
        var offer = record
        // Revisions of another user's log say nothing in this one.
        offer.revision = 0
        for name in offer.fields.keys { offer.fields[name]?.revision = 0 }
        return .restore(offer)
    }
}
