import QuestionEngine
import ServiceAPI
import UserData

/// Accounts that move into others, and accounts that are deleted, with each that moved into them.
///
/// All choices come from a generator of their own, so that other runs are as they were. In these runs the server is not
/// restored: what it lost is not offered once the account has moved, which is a known limit.
extension Simulation {
    /// The account that moves, and the one that it moves into.
    static let (guest, joint) = ("guest", "joint")

    /// Lets devices begin in these accounts, in one run of four without stores that have no account.
    mutating func planMoves() {
        guard Int.random(in: 0..<4, using: &moveRandom) == 0 else { return }
        hasMoves = true
        for device in devices.indices {
            switch Int.random(in: 0..<3, using: &moveRandom) {
            case 0:
                begin(device, in: Self.guest)
                let delay = Int64.random(in: 30_000...110_000, using: &moveRandom)
                add(.moves(device), after: delay)
            case 1: begin(device, in: Self.joint)
            default: break
            }
        }
        if Int.random(in: 0..<3, using: &moveRandom) == 0 {
            let delay = Int64.random(in: 60_000...120_000, using: &moveRandom)
            add(.deletes(Self.joint), after: delay)
        }
    }

    private mutating func begin(_ device: Int, in user: String) {
        let state = newState(user, device)
        devices[device].user = user
        devices[device].disks = [user: Disk(state: state)]
        for process in devices[device].processes.indices {
            devices[device].processes[process].machine = DeviceMachine(state)
        }
    }

    private mutating func newState(_ user: String, _ device: Int) -> DeviceState {
        DeviceState(
            user: user, client: newName("d"),
            declarations: devices[device].isOld ? Self.oldCollections : Self.collections)
    }

    // MARK: The server's replies

    /// Tells a device that no request finds its account.
    mutating func refuse(
        _ place: Place, _ request: ExchangeRequest, _ state: SimulatedServer.Closed, _ life: Int
    ) {
        switch state {
        case .moving:
            let failure = ExchangeFailure.server(retryAfterMilliseconds: 2_000)
            let event = DeviceMachine.Event.failed(
                number: request.number, failure, jitter: 0.5)
            add(.machine(place, event, given: [], life: life), after: 50)
        case .moved: add(.follows(place.device), after: 50)
        case .deleted: add(.forgets(place.device, request.user), after: 50)
        }
    }

    // MARK: Moving

    /// Asks the server to move the account of a device, again and again until it is moved.
    mutating func move(_ device: Int) {
        guard devices[device].user == Self.guest else { return }
        let isLost = !isCalm && Int.random(in: 0..<6, using: &moveRandom) == 0
        switch server.closed[Self.guest] {
        case .moved where !isLost: return follow(device)
        case .deleted: return forget(device, Self.guest)
        case nil where !isLost || Bool.random(using: &moveRandom):
            // The request arrived, whether or not the reply did.
            server.now = now
            guard server.beginMove(of: Self.guest, into: Self.joint) else { return }
            oracle.moved(Self.guest, into: Self.joint)
            add(.moveEnds, after: Int64.random(in: 0...20_000, using: &moveRandom))
        default: break
        }
        add(.moves(device), after: 2_000)
    }

    mutating func endMove() {
        server.now = now
        server.endMove(of: Self.guest)
    }

    /// Signs in to the account that moves on all devices that have it, and lets them ask.
    mutating func moveEverywhere() {
        for device in devices.indices where devices[device].disks[Self.guest] != nil {
            if devices[device].user != Self.guest { change(device, to: Self.guest) }
            move(device)
        }
    }

    /// Makes what a device has of the moved account the other one's, in one transaction.
    mutating func follow(_ device: Int) {
        guard case .moved = server.closed[Self.guest],
            let source = devices[device].disks[Self.guest]
        else { return }
        var leaving = DeviceMachine(source.state)
        leaving.leave(results: settledOperations(of: source.state), now: wall(device))
        let (left, span) = leaving.state.detachedForImport()
        let known = devices[device].disks[Self.joint]
        var disk = known ?? Disk(state: newState(Self.joint, device))
        var machine = DeviceMachine(disk.state)
        _ = machine.handle(.joined(left), now: wall(device))
        Self.join(source, without: span, to: &disk)
        for (client, values) in disk.given where machine.state.answerDigests[client] == nil {
            let all = AnswerSpan(client: client, first: 1, count: values.count)
            machine.stored(server.columns(all, values).digest, of: client)
        }
        disk.state = machine.state
        disk.version += 1
        devices[device].disks[Self.guest] = nil
        devices[device].disks[Self.joint] = disk
        if devices[device].user == Self.guest { change(device, to: Self.joint) }
    }

    private func wall(_ device: Int) -> Int64 { now + devices[device].skew }

    /// Settles in the other account what waits, as the account would itself.
    private mutating func settledOperations(
        of state: DeviceState
    ) -> [OperationID: OperationResult] {
        server.now = now
        var machine = DeviceMachine(state)
        var effects = machine.settleMoved()
        while let effect = effects.first {
            switch effect {
            case .send(var request):
                request.user = Self.joint
                effects = machine.handle(.replied(server.exchange(request).response), now: now)
            case .nameBranch(let operation):
                let name = BranchName.ofOperations(from: operation)
                effects = machine.handle(.branched(name), now: now)
            default: return machine.settled
            }
        }
        return machine.settled
    }

    /// Adds the answers of one disk to another one; those of `span` lose their numbers.
    private static func join(_ source: Disk, without span: AnswerSpan?, to disk: inout Disk) {
        var given = source.given
        for (client, answers) in source.detached { disk.detached[client, default: []] += answers }
        if let span, let values = given[span.client]?.suffix(span.count) {
            disk.detached[span.client, default: []] += values.enumerated().map {
                (span.first + UInt64($0.offset), $0.element)
            }
            given[span.client]?.removeLast(span.count)
            if given[span.client]?.isEmpty == true { given[span.client] = nil }
        }
        for (client, values) in given {
            // What both have under a number is the same.
            let count = disk.given[client]?.count ?? 0
            disk.given[client, default: []] += values.dropFirst(count)
        }
    }

    // MARK: Deletion

    mutating func deleteAccount(_ user: String) {
        server.delete(user)
        oracle.deleted(user)
    }

    /// Removes what a device has of a deleted account; it goes on in another one.
    mutating func forget(_ device: Int, _ user: String) {
        guard server.closed[user] == .deleted else { return }
        devices[device].disks[user] = nil
        if devices[device].user == user { change(device, to: "user") }
    }
}
