import Foundation
import QuestionEngine
import ServiceAPI
import UserData

/// Devices without an account, which enter one later with what they have.
///
/// All choices come from a generator of their own, so that other runs are as they were.
extension Simulation {
    static let localUser = DeviceState.localUser

    /// Lets devices begin without an account, and others sign out for a while, in one run of three.
    ///
    /// - Returns: True in such a run.
    mutating func planAccounts() -> Bool {
        guard Int.random(in: 0..<3, using: &accountRandom) == 0 else { return false }
        for device in devices.indices {
            if Bool.random(using: &accountRandom) {
                beginLocally(device)
                planEntry(device, 20_000...115_000)
                if Int.random(in: 0..<3, using: &accountRandom) == 0 {
                    add(
                        .image(device),
                        after: Int64.random(in: 5_000...80_000, using: &accountRandom))
                }
            } else if Bool.random(using: &accountRandom) {
                add(
                    .signOut(device), after: Int64.random(in: 5_000...60_000, using: &accountRandom)
                )
                planEntry(device, 60_000...115_000)
            }
            if Bool.random(using: &accountRandom) {
                // A kill and another start: the process has another name then.
                let delay = Int64.random(in: 5_000...60_000, using: &accountRandom)
                add(.restart(Place(device: device)), after: delay)
            }
        }
        return true
    }

    private mutating func planEntry(_ device: Int, _ time: ClosedRange<Int64>) {
        let user = Int.random(in: 0..<4, using: &accountRandom) == 0 ? "other" : "user"
        add(.enter(device, user), after: Int64.random(in: time, using: &accountRandom))
        // Some sign out again, and come back with what they wrote meanwhile.
        if Bool.random(using: &accountRandom) {
            add(.signOut(device), after: Int64.random(in: time, using: &accountRandom))
        }
    }

    private mutating func beginLocally(_ device: Int) {
        let state = newLocalState(device)
        devices[device].user = Self.localUser
        devices[device].disks = [Self.localUser: Disk(state: state)]
        for process in devices[device].processes.indices {
            devices[device].processes[process].machine = DeviceMachine(state)
        }
    }

    /// Lets the copy of a store without an account enter one as well.
    mutating func planEntryOfCopy(_ device: Int) {
        guard devices[device].user == Self.localUser else { return }
        planEntry(device, 1_000...60_000)
    }

    // MARK: Names

    mutating func newName(_ letter: String) -> ClientID {
        nameCount += 1
        return ClientID("\(letter)\(nameCount)")
    }

    /// Creates the state of a store in which nobody has signed in.
    mutating func newLocalState(_ device: Int) -> DeviceState {
        DeviceState(
            user: Self.localUser,
            client: newName(mistake == .nameBeforeAccount ? "d" : "w"),
            declarations: devices[device].isOld ? Self.oldCollections : Self.collections)
    }

    /// Lets an answer or a step be under a name of its process while nobody is signed in.
    mutating func nameWriter(_ place: Place, for event: DeviceMachine.Event) {
        guard devices[place.device].user == Self.localUser, mistake != .nameBeforeAccount else {
            return
        }
        switch event {
        case .answered, .wrote(_, .count): break
        default: return
        }
        let process = devices[place.device].processes[place.process]
        let writer = process.writer ?? newName("w")
        devices[place.device].processes[place.process].writer = writer
        _ = devices[place.device].processes[place.process].machine.handle(
            .wroteAs(writer), now: now + devices[place.device].skew)
    }

    /// Returns whether a device can do this: without an account it sends nothing.
    func isPossible(_ event: DeviceMachine.Event, _ place: Place) -> Bool {
        guard devices[place.device].user == Self.localUser else { return true }
        switch event {
        case .started, .syncWanted, .timeCame, .authorized: return false
        default: return true
        }
    }

    // MARK: Signing in and out

    mutating func signOut(_ device: Int) {
        // Nobody would sign in again after the calm has begun.
        guard devices[device].user != Self.localUser, !isCalm else { return }
        let isBusy = Bool.random(using: &accountRandom)
        if isBusy { book(device) }
        change(device, to: Self.localUser)
        if isBusy { book(device) }
    }

    /// Changes one reservation, the same on each device: before and after signing out neither change knows the other.
    private mutating func book(_ device: Int) {
        let (place, key) = (Place(device: device), RecordKey("reservations", "r0"))
        let number = FieldValue.integer(oracle.nextNumber())
        handle(place, .wrote(key, .put(fields(place, key, number))))
    }

    /// Signs in with everything that the device has without an account.
    mutating func enter(_ device: Int, as user: String) {
        guard let local = devices[device].disks[Self.localUser] else { return }
        devices[device].disks[Self.localUser] = nil
        devices[device].disks[user] =
            devices[device].disks[user].map { imported(local, into: $0, device) }
            ?? entered(local, user, device)
        if let client = devices[device].disks[user]?.state.client {
            oracle.entered(local.facts, user, as: client)
        }
        change(device, to: user)
    }

    /// Signs in on all devices, each with what it has without an account.
    mutating func enterEverywhere() {
        for device in devices.indices {
            let user = devices[device].user
            enter(device, as: user == Self.localUser ? "user" : user)
        }
    }

    /// Makes a store that of an account, in which it gets a name.
    private mutating func entered(_ local: Disk, _ user: String, _ device: Int) -> Disk {
        var disk = local
        let name = mistake == .nameBeforeAccount ? local.state.client : newName("d")
        disk.state = Self.renamed(local.state, to: user)
        disk.facts = Oracle.Facts()
        if mistake == .numberedAnewOnEntering { numberAnew(&disk, name) }
        if mistake == .stepsCountedAnewOnEntering { Self.countAnew(&disk.state, name) }
        var machine = DeviceMachine(disk.state)
        _ = machine.handle(.entered(name), now: now + devices[device].skew)
        disk.state = machine.state
        disk.version += 1
        return disk
    }

    /// Takes a store without an account into that of an account which the device has already.
    private func imported(_ local: Disk, into known: Disk, _ device: Int) -> Disk {
        var disk = known
        var machine = DeviceMachine(known.state)
        _ = machine.handle(
            .imported(local.state.detachedForImport().state), now: now + devices[device].skew)
        for (client, values) in local.given {
            // What both have under a number is the same.
            let count = disk.given[client]?.count ?? 0
            disk.given[client, default: []] += values.dropFirst(count)
        }
        for (client, values) in disk.given where machine.state.answerDigests[client] == nil {
            let span = AnswerSpan(client: client, first: 1, count: values.count)
            machine.stored(server.columns(span, values).digest, of: client)
        }
        disk.state = machine.state
        disk.version += 1
        return disk
    }

    /// Returns a state under another user's name, as a store renames the person's row.
    private static func renamed(_ state: DeviceState, to user: String) -> DeviceState {
        do {
            let text = String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
                .replacingOccurrences(of: #""user":"local""#, with: #""user":"\#(user)""#)
            return try JSONDecoder().decode(DeviceState.self, from: Data(text.utf8))
        } catch {
            preconditionFailure("A state cannot be stored: \(error)")
        }
    }

    // MARK: Mistakes

    private func numberAnew(_ disk: inout Disk, _ name: ClientID) {
        let values = disk.given.sorted { $0.key < $1.key }.flatMap(\.value)
        guard !values.isEmpty else { return }
        let span = AnswerSpan(client: name, first: 1, count: values.count)
        disk.given = [name: values]
        disk.state.answers = AnswerVector([name: span.last])
        disk.state.answerDigests = [name: server.columns(span, values).digest]
    }

    private static func countAnew(_ state: inout DeviceState, _ name: ClientID) {
        for index in state.outbox.indices {
            guard case .restore(var offer) = state.outbox[index].operation.change else { continue }
            for (field, totals) in offer.counterTotals {
                var sum = CounterTotals()
                for one in totals.values {
                    sum.added += one.added
                    sum.removed += one.removed
                }
                offer.counterTotals[field] = [name: sum]
            }
            state.outbox[index].operation.change = .restore(offer)
        }
    }

    /// Folds every waiting change of a record into its conflict, as an engine does that knows one
    /// change of a record: nobody hears of the others.
    static func foldUnrelated(
        _ response: ExchangeResponse, _ before: DeviceState, _ state: inout DeviceState
    ) {
        for index in state.conflicts.indices {
            let key = state.conflicts[index].key
            let isNew = response.results.values.contains {
                if case .conflict(let theirs) = $0 { theirs.key == key } else { false }
            }
            let last = before.outbox.last { $0.operation.key == key && !$0.isOffer }
            guard isNew, let last else { continue }
            state.conflicts[index].mine.change = last.operation.change
            state.outbox.removeAll { $0.operation.key == key }
            state.notices.removeAll { notice in
                notice.key == key && !before.notices.contains { $0.id == notice.id }
            }
        }
    }
}
