package import UserData

/// What must be true in the end, kept beside the machines by simpler means.
package struct Oracle {
    package private(set) var failures: [String] = []
    private var number: Int64 = 0
    /// Notes that a device had kept: none may ever be lost.
    private var notes: [String: Set<RecordKey>] = [:]
    /// Answers that a device had kept: none may ever be lost or doubled.
    private var answers: [String: [Int64]] = [:]
    /// What each user wrote: nobody else's may ever turn up.
    private var writtenBy: [String: Set<Int64>] = [:]
    /// The operations that belong together.
    private var groups: [String: [[OperationID]]] = [:]
    /// Where the server put each operation.
    private var places: [String: [OperationID: UInt64]] = [:]
    /// How often each counter was stepped.
    private var steps: [String: [RecordKey: Int64]] = [:]
    /// Every value that somebody wrote.
    private var written: Set<Int64> = []
    private var wentBack = false
    /// Users who had a device put back.
    private var usersWithBackup: Set<String> = []
    /// Devices of which two had the same name for a while.
    private var copied: Set<ClientID> = []
    /// What was only on a device that was put back to its backup: it may turn up or not.
    private var uncertainNotes: [String: Set<RecordKey>] = [:]
    private var uncertainAnswers: [String: Set<Int64>] = [:]
    private var uncertainSteps: [String: [RecordKey: Int64]] = [:]
    /// Values that may be gone with such a device, or come back with it.
    private var uncertainValues: Set<Int64> = []

    /// A value that nobody replaced who had seen it.
    private struct Leaf {
        let client: ClientID
        var value: Int64
        var time: HybridTime
    }

    private struct Place: Hashable {
        var user: String
        var key: RecordKey
        var field: String
    }

    private var leaves: [Place: [Leaf]] = [:]

    package mutating func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { failures.append(message()) }
    }

    package mutating func nextNumber() -> Int64 {
        number += 1
        written.insert(number)
        return number
    }

    package mutating func serverWentBack() { wentBack = true }

    /// Two devices have one name from now on, until they notice.
    package mutating func wasCopied(_ state: DeviceState) {
        copied.insert(state.client)
        usersWithBackup.insert(state.user)
    }

    /// A device was put back: what neither the backup nor the server has is lost with the disk.
    package mutating func deviceWentBack(
        _ lost: Simulation.Disk, to backup: Simulation.Disk, _ server: SimulatedServer.Account?
    ) {
        let user = lost.state.user
        copied.insert(backup.state.client)
        usersWithBackup.insert(user)
        let kept = Set(backup.state.outbox.map(\.operation.id))
        let mine = lost.state.outbox.map(\.operation) + lost.state.conflicts.map(\.mine)
        for operation in mine + backup.state.outbox.map(\.operation) {
            for number in Self.numbers(operation.change) { uncertainValues.insert(number) }
        }
        // Whatever was written since the backup and is not in the log.
        for operation in lost.state.outbox.map(\.operation) where !kept.contains(operation.id) {
            switch operation.change {
            case .put where operation.key.collection == "notes":
                uncertainNotes[user, default: []].insert(operation.key)
            case .count:
                uncertainSteps[user, default: [:]][operation.key, default: 0] += 1_000
            default: break
            }
        }
        let known = Set(server.map { Array($0.given.values.joined()) } ?? [])
        let copied = Set(backup.given.values.joined()).union(backup.detached)
        let onDisk = Set(lost.given.values.joined()).union(lost.detached)
        uncertainAnswers[user, default: []].formUnion(
            onDisk.subtracting(known).subtracting(copied))
    }

    /// True for a user of whom both the server and a device went back, or was copied: what only these
    /// two had is gone, and what both devices have still to send cannot be told apart any more. Then
    /// only that nothing is made up can be judged.
    private func mayHaveLost(_ user: String) -> Bool {
        wentBack && usersWithBackup.contains(user)
    }

    private static func numbers(_ change: Change) -> [Int64] {
        guard case .put(let values) = change else { return [] }
        return values.values.compactMap {
            if case .integer(let number) = $0 { number } else { nil }
        }
    }

    /// A device kept a change that its user made.
    package mutating func wrote(
        _ key: RecordKey, _ write: DeviceMachine.Write, before: DeviceState, after: DeviceState
    ) {
        let user = after.user
        let seen = before.current(key)?.values ?? [:]
        switch write {
        case .count(_, let step): steps[user, default: [:]][key, default: 0] += step
        case .delete:
            for (field, value) in seen { replace(Place(user: user, key: key, field: field), value) }
            expect(after.current(key) == nil, "a deleted record is still shown: \(key)")
        case .put(let values):
            let known = after.declarations[key.collection]?.fields
            for (field, value) in seen where known?.contains(field) == false {
                let shown = after.current(key)?.values[field]
                expect(shown == value, "a field that the app does not know is gone: \(key)")
            }
            if key.collection == "notes" { notes[user, default: []].insert(key) }
            if after.declarations[key.collection]?.policy == .fieldMerge {
                for (field, value) in seen where values[field] == nil {
                    replace(Place(user: user, key: key, field: field), value)
                }
                expectOnlyChanges(key, seen, before, after)
            }
            for (field, value) in values {
                guard case .integer(let number) = value else { continue }
                writtenBy[user, default: []].insert(number)
                if seen[field] == value { continue }
                let place = Place(user: user, key: key, field: field)
                if let old = seen[field] { replace(place, old) }
                let waiting = after.outbox.last { $0.operation.key == key }
                let time = waiting?.operation.time ?? after.clock.latest
                leaves[place, default: []].append(
                    Leaf(client: after.client, value: number, time: time))
                expect(after.current(key)?.values[field] == value, "a write is not shown: \(key)")
            }
        }
    }

    /// What the author left as it was is not sent: another device may have changed it.
    private mutating func expectOnlyChanges(
        _ key: RecordKey, _ seen: [String: FieldValue], _ before: DeviceState, _ after: DeviceState
    ) {
        guard let last = after.outbox.last(where: { $0.operation.key == key }),
            case .put(let sent) = last.operation.change
        else { return }
        var waiting: [String: FieldValue] = [:]
        for pending in before.outbox where pending.operation.key == key {
            if case .put(let fields) = pending.operation.change { waiting.merge(fields) { $1 } }
        }
        for (field, value) in sent where waiting[field] != value {
            expect(seen[field] != value, "a field is sent that nobody changed: \(key)")
        }
    }

    /// A device kept answers that its user gave.
    package mutating func answered(_ numbers: [Int64], of user: String) {
        answers[user, default: []] += numbers
    }

    /// A device kept changes that belong together.
    package mutating func wroteBatch(
        _ changes: [DeviceMachine.BatchedWrite], before: DeviceState, after: DeviceState
    ) {
        for change in changes { wrote(change.key, change.write, before: before, after: after) }
        let new = after.outbox.filter { $0.group == before.nextCounter }.map(\.operation.id)
        if new.count == changes.count { groups[after.user, default: []].append(new) }
    }

    /// The server put operations into the log.
    package mutating func committed(_ places: [OperationID: UInt64], of user: String) {
        self.places[user] = places
    }

    /// At the end of a pull, what belongs together is there together.
    package mutating func expectWholeGroups(_ device: Int, _ state: DeviceState) {
        guard !state.isRecovering, !wentBack else { return }
        for group in groups[state.user] ?? []
        where !group.contains(where: { copied.contains($0.client) }) {
            let found = group.compactMap { places[state.user]?[$0] }
            let behind = found.count { $0 <= state.cursor }
            expect(behind == 0 || behind == found.count, "device \(device) has half of a group")
        }
    }

    private mutating func replace(_ place: Place, _ value: FieldValue) {
        guard case .integer(let number) = value else { return }
        leaves[place]?.removeAll { $0.value == number }
    }

    /// A device kept how its user settled a conflict.
    ///
    /// - Parameters:
    ///   - conflict: What the user saw.
    ///   - choice: What the user decided on it.
    ///   - before: The device before that.
    package mutating func settled(
        _ conflict: DeviceState.Conflict, _ choice: DeviceMachine.Settlement, before: DeviceState
    ) {
        let key = conflict.key
        expect(key.collection == "reservations", "a conflict that no user should see: \(key)")
        switch (choice, conflict.mine.change) {
        case (.useServer, .put(let mine)):
            for (field, value) in mine {
                replace(Place(user: before.user, key: key, field: field), value)
            }
        case (.keepMine, _):
            for (field, value) in conflict.theirs.values {
                replace(Place(user: before.user, key: key, field: field), value)
            }
        default: break
        }
    }

    /// No value may be gone that nobody replaced knowingly, but where the policy says so.
    private mutating func judgeIntents(_ server: SimulatedServer) {
        let accounts = server.accounts
        for (place, leaves) in leaves where !mayHaveLost(place.user) {
            let record = accounts[place.user]?.records[place.key]
            let final = record?.values[place.field]
            let policy = server.declarations[place.key.collection]?.policy
            let field = policy == .fieldMerge ? record?.fields[place.field]?.time : nil
            let forgotten = server.purged[place.user]?[place.key]
            let time = field ?? record?.time ?? forgotten ?? .zero
            expect(
                // Each write gives `n` a value of its own; others may be written again.
                place.field != "n" || !isReplaced(final, leaves, policy),
                "\(place.key) shows what was replaced knowingly")
            for leaf in leaves
            where final != .integer(leaf.value) && !uncertainValues.contains(leaf.value) {
                switch policy {
                case .askUser:
                    expect(false, "\(place.key) lost \(leaf.value), which nobody saw")
                case .lastWriteWins, .fieldMerge:
                    // A clock that ran ahead is believed only so far.
                    let isBelieved = leaf.time <= server.latest
                    expect(
                        leaf.time <= time || !isBelieved,
                        "\(place.key) lost \(leaf.value), which is newer")
                default: break
                }
            }
        }
    }

    /// Whoever lost a favourite to a write that had not seen it is told.
    private mutating func judgeNotices(_ devices: [Simulation.Device], _ server: SimulatedServer) {
        guard !wentBack, copied.isEmpty else { return }
        var told: Set<FieldValue> = []
        for disk in devices.flatMap(\.disks.values) {
            for notice in disk.state.notices {
                if case .put(let values) = notice.mine.change, let value = values["n"] {
                    told.insert(value)
                }
            }
        }
        let accounts = server.accounts
        // Who is signed out in the end learns of it when signing in again.
        let names = Set(devices.map(\.state.client))
        for (place, leaves) in leaves where place.field == "n" {
            let collection = server.declarations[place.key.collection]
            guard collection?.policy == .lastWriteWins else { continue }
            // What deleted the record is forgotten, and with it who lost to that.
            guard server.purged[place.user]?[place.key] == nil else { continue }
            let final = accounts[place.user]?.records[place.key]?.values["n"]
            // A device that took another name does not know its earlier writes from those of a copy.
            for leaf in leaves where final != .integer(leaf.value) && names.contains(leaf.client) {
                expect(
                    told.contains(.integer(leaf.value)),
                    "nobody was told that \(place.key) lost \(leaf.value)")
            }
        }
    }

    /// True when a value is shown that somebody replaced who had seen it, and what replaced it is gone.
    private func isReplaced(_ final: FieldValue?, _ leaves: [Leaf], _ policy: Policy?) -> Bool {
        guard case .integer(let number)? = final, policy == .askUser || policy == .lastWriteWins,
            !uncertainValues.contains(number)
        else { return false }
        return !leaves.isEmpty && !leaves.contains { $0.value == number }
            && !leaves.contains { uncertainValues.contains($0.value) }
    }

    package mutating func cursorMoved(_ device: Int, from old: DeviceState, to new: DeviceState) {
        guard old.epoch == new.epoch, !new.isRecovering, !old.isRecovering else { return }
        expect(new.cursor >= old.cursor, "the cursor of device \(device) ran back")
        for (key, base) in old.bases {
            let known = new.bases[key]?.revision ?? 0
            expect(known >= base.revision, "device \(device) forgot \(key)")
        }
    }

    /// Holds the end against everything that is known.
    package mutating func judge(_ devices: [Simulation.Device], _ server: SimulatedServer) {
        judgeIntents(server)
        judgeNotices(devices, server)
        let accounts = server.accounts
        for (number, device) in devices.enumerated() {
            let state = device.state
            let account = accounts[state.user] ?? .init()
            expect(state.outbox.isEmpty, "device \(number) still has changes to send")
            expect(state.conflicts.isEmpty, "device \(number) still has conflicts")
            expect(state.rejected.isEmpty, "device \(number) has refused changes")
            let different = difference(state.bases, account.records)
            expect(different.isEmpty, "device \(number) and the server differ: \(different)")
            expect(state.isSynced, "device \(number) does not say that it is synced")
            expect(
                device.disk.given == account.given || mayHaveLost(state.user),
                "device \(number) has other answers")
            let digest = RecordDigest(account.records.values)
            expect(RecordDigest(state.bases.values) == digest, "digests differ")
        }
        for (user, account) in accounts {
            let kept = Set(account.records.keys.filter { $0.collection == "notes" })
            let expected = notes[user] ?? []
            let uncertain = uncertainNotes[user] ?? []
            expect(
                kept.isSubset(of: expected)
                    && (mayHaveLost(user) || expected.subtracting(uncertain).isSubset(of: kept)),
                "notes of \(user): \(kept.count) of \(expected.count)")
            judgeAnswers(account, user)
            for (key, count) in steps[user] ?? [:] {
                let found = account.records[key]?.values["n"] ?? .integer(0)
                guard case .integer(let number) = found else { continue }
                if mayHaveLost(user) { continue }
                let least = count - (uncertainSteps[user]?[key] ?? 0)
                expect(
                    (least...count).contains(number), "\(key) of \(user) is \(found), not \(count)")
            }
            for record in account.records.values where record.key.collection != "points" {
                for value in record.values.values {
                    guard case .integer(let number) = value else { continue }
                    expect(written.contains(number), "\(record.key) has an invented value")
                    expect(
                        writtenBy[user]?.contains(number) ?? false,
                        "\(record.key) of \(user) has another user's value")
                }
            }
        }
    }

    /// Each answer once: none lost, none doubled, none made up.
    private mutating func judgeAnswers(_ account: SimulatedServer.Account, _ user: String) {
        let given = account.given.values.flatMap { $0 }.sorted()
        let wanted = (answers[user] ?? []).sorted()
        expect(
            mayHaveLost(user) || Set(given).count == given.count,
            "answers of \(user) are doubled: \(given.count)")
        let uncertain = uncertainAnswers[user] ?? []
        expect(
            Set(given).isSubset(of: wanted)
                && (mayHaveLost(user) || Set(wanted).subtracting(uncertain).isSubset(of: given)),
            "answers of \(user): \(given.count) of \(wanted.count)")
    }

    private func difference(
        _ left: [RecordKey: UserRecord], _ right: [RecordKey: UserRecord]
    ) -> String {
        Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }
            // A server forgets deleted records; a device may remember them.
            .filter { (left[$0] ?? right[$0])?.isDeleted != true || right[$0]?.isDeleted == false }
            .sorted().prefix(3)
            .map { "\($0.collection)/\($0.id)" }.joined(separator: ", ")
    }
}
