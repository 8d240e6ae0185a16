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

    /// A value that nobody replaced who had seen it.
    private struct Leaf {
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
            for (field, value) in values {
                guard case .integer(let number) = value else { continue }
                writtenBy[user, default: []].insert(number)
                if seen[field] == value { continue }
                let place = Place(user: user, key: key, field: field)
                if let old = seen[field] { replace(place, old) }
                let waiting = after.outbox.last { $0.operation.key == key }
                let time = waiting?.operation.time ?? after.clock.latest
                leaves[place, default: []].append(Leaf(value: number, time: time))
                expect(after.current(key)?.values[field] == value, "a write is not shown: \(key)")
            }
        }
    }

    /// A device kept answers that its user gave.
    package mutating func answered(_ numbers: [Int64], of user: String) {
        answers[user, default: []] += numbers
    }

    /// A device kept changes that belong together.
    package mutating func wroteTogether(
        _ changes: [DeviceMachine.Together], before: DeviceState, after: DeviceState
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
        for group in groups[state.user] ?? [] {
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
    package mutating func settled(
        _ key: RecordKey, _ choice: DeviceMachine.Settlement, before: DeviceState
    ) {
        guard let conflict = before.conflicts.first(where: { $0.key == key }) else { return }
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
    private mutating func judgeIntents(_ server: MemoryLedger) {
        for (place, leaves) in leaves {
            let record = server.accounts[place.user]?.records[place.key]
            let final = record?.values[place.field]
            let policy = server.declarations[place.key.collection]?.policy
            let field = policy == .fieldMerge ? record?.fields[place.field]?.time : nil
            let time = field ?? record?.time ?? .zero
            for leaf in leaves where final != .integer(leaf.value) {
                switch policy {
                case .askUser:
                    // Whose history the server lost cannot be told apart; a known limit.
                    expect(wentBack, "\(place.key) lost \(leaf.value), which nobody saw")
                case .lastWriteWins, .fieldMerge:
                    expect(leaf.time <= time, "\(place.key) lost \(leaf.value), which is newer")
                default: break
                }
            }
        }
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
    package mutating func judge(_ devices: [Simulation.Device], _ server: MemoryLedger) {
        judgeIntents(server)
        for (number, device) in devices.enumerated() {
            let state = device.state
            let account = server.accounts[state.user] ?? .init()
            expect(state.outbox.isEmpty, "device \(number) still has changes to send")
            expect(state.conflicts.isEmpty, "device \(number) still has conflicts")
            expect(state.setAside.isEmpty, "device \(number) has refused changes")
            let different = difference(state.bases, account.records)
            expect(different.isEmpty, "device \(number) and the server differ: \(different)")
            expect(state.isSynced, "device \(number) does not say that it is synced")
            expect(device.disk.given == account.given, "device \(number) has other answers")
            let digest = RecordDigest(account.records.values)
            expect(RecordDigest(state.bases.values) == digest, "digests differ")
        }
        for (user, account) in server.accounts {
            let kept = Set(account.records.keys.filter { $0.collection == "notes" })
            let expected = notes[user] ?? []
            expect(kept == expected, "notes of \(user): \(kept.count) of \(expected.count)")
            let given = account.given.values.flatMap { $0 }.sorted()
            let wanted = (answers[user] ?? []).sorted()
            expect(given == wanted, "answers of \(user): \(given.count) of \(wanted.count)")
            for (key, count) in steps[user] ?? [:] {
                let found = account.records[key]?.values["n"] ?? .integer(0)
                expect(found == .integer(count), "\(key) of \(user) is \(found), not \(count)")
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

    private func difference(
        _ left: [RecordKey: Record], _ right: [RecordKey: Record]
    ) -> String {
        Set(left.keys).union(right.keys).filter { left[$0] != right[$0] }.sorted().prefix(3)
            .map { "\($0.collection)/\($0.id)" }.joined(separator: ", ")
    }
}
