package import UserData

/// The expected final state, tracked beside the machines by simpler means.
package struct Oracle {
    package private(set) var failures: [String] = []
    private var number: Int64 = 0
    /// The stored notes of each user: none may ever be lost.
    var notes: [String: Set<RecordKey>] = [:]
    /// The stored answers of each user: none may ever be lost or duplicated.
    var answers: [String: [Int64]] = [:]
    /// The values that each user wrote: they may not appear in another user's data.
    var writtenBy: [String: Set<Int64>] = [:]
    /// The operations of each batch.
    var groups: [String: [[OperationID]]] = [:]
    /// The log position of each operation.
    private var places: [String: [OperationID: UInt64]] = [:]
    /// The steps of each counter, each with a number of its own.
    var steps: [String: [RecordKey: Set<Int64>]] = [:]
    /// The users whose account a store entered with what it had without one.
    var entered: Set<String> = []
    /// The accounts into which others moved, by the id of the moved one.
    var homes: [String: String] = [:]
    /// The accounts that were deleted.
    var gone: Set<String> = []
    private var stepCount: Int64 = 0
    /// All values that somebody wrote.
    private var written: Set<Int64> = []
    private(set) var wentBack = false
    /// The users of whom a device was restored from a backup.
    var usersWithBackup: Set<String> = []
    /// The devices of which two had the same identity for a while.
    private var copied: Set<ClientID> = []
    /// The notes that were only on a restored device: they may appear or not.
    var uncertainNotes: [String: Set<RecordKey>] = [:]
    var uncertainAnswers: [String: Set<Int64>] = [:]
    var uncertainSteps: [String: [RecordKey: Int64]] = [:]
    /// The records that were deleted only on a restored device: they may be back.
    var lostDeletions: [String: Set<RecordKey>] = [:]
    /// The values that may be lost with such a device, or come back with it.
    private var uncertainValues: Set<Int64> = []

    /// A value that no author who had seen it has replaced.
    struct Leaf {
        let client: ClientID
        var value: Int64
        var time: HybridTime
    }

    struct Place: Hashable {
        var user: String
        var key: RecordKey
        var field: String
    }

    var leaves: [Place: [Leaf]] = [:]
    /// The values that an author who had seen them replaced.
    var replaced: [Place: Set<Int64>] = [:]

    package mutating func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { failures.append(message()) }
    }

    package mutating func nextNumber() -> Int64 {
        number += 1
        written.insert(number)
        return number
    }

    package mutating func serverWentBack() { wentBack = true }

    /// Records that two devices have one identity from now on, until they notice.
    package mutating func wasCopied(_ state: DeviceState) {
        copied.insert(state.client)
        usersWithBackup.insert(home(state.user))
    }

    /// Records that a device was restored: what neither the backup nor the server has is lost with
    /// the disk.
    package mutating func deviceWentBack(
        _ lost: Simulation.Disk, to backup: Simulation.Disk, _ server: SimulatedServer.Account?
    ) {
        let user = home(lost.state.user)
        copied.insert(backup.state.client)
        usersWithBackup.insert(user)
        let kept = Set(backup.state.outbox.map(\.operation.id))
        let mine =
            lost.state.outbox.map(\.operation) + lost.state.conflicts.map(\.mine)
            + lost.state.notices.map(\.mine)
        for operation in mine + backup.state.outbox.map(\.operation) {
            for number in Self.numbers(operation.change) { uncertainValues.insert(number) }
        }
        // Written since the backup and not in the log.
        for operation in lost.state.outbox.map(\.operation) where !kept.contains(operation.id) {
            switch operation.change {
            case .put where operation.key.collection == "notes":
                uncertainNotes[user, default: []].insert(operation.key)
            case .count, .restore:
                uncertainSteps[user, default: [:]][operation.key, default: 0] += 1_000
            case .delete: lostDeletions[user, default: []].insert(operation.key)
            default: break
            }
        }
        let known = Set(server.map { Array($0.given.values.joined()) } ?? [])
        let copied = Set(backup.given.values.joined()).union(backup.detachedValues)
        let onDisk = Set(lost.given.values.joined()).union(lost.detachedValues)
        uncertainAnswers[user, default: []].formUnion(
            onDisk.subtracting(known).subtracting(copied))
    }

    /// Returns whether a user's data may be lost, because both the server and a device of the user
    /// were restored, or a device was copied.
    ///
    /// Data that only these two had is lost, and what both devices have yet to send cannot be told
    /// apart. Then the oracle only judges that nothing was made up.
    private func mayHaveLost(_ user: String) -> Bool {
        wentBack && usersWithBackup.contains(user)
    }

    static func numbers(_ change: Change) -> [Int64] {
        let values: [String: FieldValue] =
            switch change {
            case .put(let values): values
            case .restore(let record): record.values
            default: [:]
            }
        return numbers(values)
    }

    static func numbers(_ values: [String: FieldValue]) -> [Int64] {
        values.values.compactMap {
            if case .integer(let number) = $0 { number } else { nil }
        }
    }

    /// Records that a device stored a change of its user.
    package mutating func wrote(
        _ key: RecordKey, _ write: DeviceMachine.Write, before: DeviceState, after: DeviceState
    ) {
        let user = home(after.user)
        let seen = before.current(key)?.values ?? [:]
        switch write {
        case .count(_, let step):
            expect(step == 1, "a step of the simulation is 1")
            stepCount += 1
            steps[user, default: [:]][key, default: []].insert(stepCount)
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

    /// Expects that fields which the author left unchanged are not sent: another device may have
    /// changed them.
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

    /// Records that a device stored answers of its user.
    package mutating func answered(_ numbers: [Int64], of user: String) {
        answers[home(user), default: []] += numbers
    }

    /// Records that a device stored a batch.
    package mutating func wroteBatch(
        _ changes: [DeviceMachine.BatchedWrite], before: DeviceState, after: DeviceState
    ) {
        for change in changes { wrote(change.key, change.write, before: before, after: after) }
        let new = after.outbox.filter { $0.group == before.nextCounter }.map(\.operation.id)
        if new.count == changes.count { groups[after.user, default: []].append(new) }
    }

    /// Records that the server wrote operations into the log.
    package mutating func committed(_ places: [OperationID: UInt64], of user: String) {
        self.places[user] = places
    }

    /// Expects at the end of a pull that each batch is there as a whole.
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
        replaced[place, default: []].insert(number)
    }

    /// Records that a device stored its user's resolution of a conflict.
    ///
    /// - Parameters:
    ///   - conflict: The conflict as the user saw it.
    ///   - choice: The user's resolution.
    ///   - before: The device before it.
    package mutating func resolved(
        _ conflict: RecordConflict, _ choice: RecordResolution,
        before: DeviceState
    ) {
        let key = conflict.key
        expect(key.collection == "reservations", "a conflict that no user should see: \(key)")
        switch (choice, conflict.mine.change) {
        case (.useServer, .put(let mine)):
            for (field, value) in mine {
                replace(Place(user: home(before.user), key: key, field: field), value)
            }
        case (.keepMine, _):
            for (field, value) in conflict.theirs.values {
                replace(Place(user: home(before.user), key: key, field: field), value)
            }
        default: break
        }
    }

    /// Expects that no value is lost which nobody replaced knowingly, except where the policy says
    /// so.
    private mutating func judgeIntents(
        _ devices: [Simulation.Device], _ server: SimulatedServer
    ) {
        let accounts = server.accounts
        let told = Self.valuesInNotices(devices).union(Self.valuesInDifferences(server))
        for (place, leaves) in leaves
        where !mayHaveLost(place.user) && !gone.contains(place.user) {
            let record = accounts[place.user]?.records[place.key]
            let final = record?.values[place.field]
            let policy = server.declarations[place.key.collection]?.policy
            let field = policy == .fieldMerge ? record?.fields[place.field]?.time : nil
            let forgotten = server.purged[place.user]?[place.key]
            // A record that was made anew after its tombstone was purged knows nothing of the times before.
            let time = field ?? max(record?.time ?? .zero, forgotten ?? .zero)
            // Of two changes of one device's two selves a notice has the earlier one, which asks for no decision. So it
            // is when a copy brings what the original replaced, and the clock of both runs ahead.
            let isTold = entered.contains(place.user)
            let open = leaves.filter {
                !isTold || !told.contains($0.value) || final == .integer($0.value)
            }
            // Then the server counts both as five minutes ahead, and the one that comes last is the later one.
            let isAhead =
                (isTold || usersWithBackup.contains(place.user))
                && devices.contains { $0.skew > HybridClock.aheadMillisecondsMax }
            expect(
                // Each write gives `n` a value of its own; others may be written again.
                place.field != "n" || !isReplaced(final, open, policy) || isAhead
                    || lostDeletions[place.user]?.contains(place.key) ?? false,
                "\(place.key) shows what was replaced knowingly")
            for leaf in policy == .askUser ? open : leaves
            where final != .integer(leaf.value) && !uncertainValues.contains(leaf.value) {
                switch policy {
                case .askUser:
                    expect(false, "\(place.key) lost \(leaf.value), which nobody saw")
                case .lastWriteWins, .fieldMerge:
                    // A clock that ran ahead is accepted only up to a bound.
                    let isBelieved = leaf.time <= server.latest
                    expect(
                        leaf.time <= time || !isBelieved,
                        "\(place.key) lost \(leaf.value), which is newer")
                default: break
                }
            }
        }
    }

    /// Expects a notice on each device whose favourite, or field of a profile, was overwritten by a write that
    /// had not seen it.
    private mutating func judgeNotices(_ devices: [Simulation.Device], _ server: SimulatedServer) {
        guard !wentBack, copied.isEmpty else { return }
        var told: Set<FieldValue> = []
        for disk in devices.flatMap(\.disks.values) {
            for notice in disk.state.notices {
                if case .put(let values) = notice.mine.change { told.formUnion(values.values) }
            }
        }
        for value in Self.valuesInDifferences(server) { told.insert(.integer(value)) }
        let accounts = server.accounts
        // A user who is signed out in the end learns of it at the next sign-in.
        let names = Set(devices.map(\.state.client))
        for (place, leaves) in leaves {
            // A favourite is replaced as a whole; `n` is in each.
            switch server.declarations[place.key.collection]?.policy {
            case .lastWriteWins where place.field == "n", .fieldMerge: break
            default: continue
            }
            // The deletion is forgotten, and with it the list of overwritten writes.
            guard server.purged[place.user]?[place.key] == nil, !gone.contains(place.user) else {
                continue
            }
            let final = accounts[place.user]?.records[place.key]?.values[place.field]
            // A device with a new identity cannot tell its earlier writes from those of a copy.
            for leaf in leaves where final != .integer(leaf.value) && names.contains(leaf.client) {
                expect(
                    told.contains(.integer(leaf.value)),
                    "nobody was told that \(place.key) lost \(leaf.value)")
            }
        }
    }

    /// Returns whether a value is shown that an author replaced knowingly, and the replacement is
    /// gone.
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

    /// Compares the final state with everything that was recorded.
    package mutating func judge(_ devices: [Simulation.Device], _ server: SimulatedServer) {
        judgeIntents(devices, server)
        judgeNotices(devices, server)
        judgeClosed(server)
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
                device.disk.given == account.given
                    || mayHaveLost(state.user) && !state.isSynced,
                "device \(number) has other answers")
            let digest = RecordDigest(account.records.values)
            expect(RecordDigest(state.bases.values) == digest, "digests differ")
        }
        judgeRetractions(devices, server)
        for (user, account) in accounts where homes[user] == nil {
            let kept = Set(account.records.keys.filter { $0.collection == "notes" })
            let expected = notes[user] ?? []
            let uncertain = uncertainNotes[user] ?? []
            expect(
                kept.isSubset(of: expected)
                    && (mayHaveLost(user) || expected.subtracting(uncertain).isSubset(of: kept)),
                "notes of \(user): \(kept.count) of \(expected.count)")
            judgeAnswers(account, user)
            for (key, made) in steps[user] ?? [:] {
                let count = Int64(made.count)
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

    /// Expects each answer once: none lost, none duplicated, none made up.
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
            // A server purges tombstones; a device may still have them.
            .filter { (left[$0] ?? right[$0])?.isDeleted != true || right[$0]?.isDeleted == false }
            .sorted().prefix(3)
            .map { "\($0.collection)/\($0.id)" }.joined(separator: ", ")
    }
}
