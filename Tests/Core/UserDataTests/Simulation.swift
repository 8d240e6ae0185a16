import TestSupport

@testable import UserData

/// Devices, a server and a bad network in virtual time; the same seed gives the same run.
struct Simulation {
    static let collections = [
        CollectionDeclaration("answers", .appendOnly),
        CollectionDeclaration("favourites", .lastWriteWins),
        CollectionDeclaration("reservations", .askUser),
        CollectionDeclaration("settings", .serverWins),
        CollectionDeclaration("profile", .fieldMerge),
        CollectionDeclaration("points", .counter),
    ]

    private enum Event {
        case device(Int, DeviceMachine.Event, life: Int)
        case request(Int, ExchangeRequest, life: Int)
        case userActs(Int)
        case restart(Int)
        case serverRestores
    }

    struct Device {
        var machine: DeviceMachine
        /// What is on the disk.
        var kept: DeviceState
        /// Grows with each restart: messages of an earlier life are lost.
        var life = 0
        var isRunning = true
        var skew: Int64
    }

    let seed: UInt64
    let mistake: Mistake?
    private var random: SeededGenerator
    private var queue: [(time: Int64, order: Int, event: Event)] = []
    private var order = 0
    private var now: Int64 = 1_800_000_000_000
    private var isCalm = false
    private(set) var devices: [Device] = []
    private(set) var server: MemoryLedger
    private var backup: MemoryLedger?
    private(set) var oracle = Oracle()
    /// A fingerprint of everything that happened.
    private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325

    init(seed: UInt64, mistake: Mistake? = nil) {
        self.seed = seed
        self.mistake = mistake
        random = SeededGenerator(seed: seed)
        server = MemoryLedger(
            epoch: "e1",
            declarations: Dictionary(uniqueKeysWithValues: Self.collections.map { ($0.name, $0) }))
        if let mistake { server.mistakes = [mistake] }
        for number in 0..<Int.random(in: 2...4, using: &random) {
            let user = number == 3 ? "other" : "user"
            let state = DeviceState(
                user: user, client: ClientID("d\(number)"), declarations: Self.collections)
            let years = Int.random(in: 0..<6, using: &random) == 0 ? Int64(315_000_000_000) : 0
            let skew = Int64.random(in: -120_000...120_000, using: &random)
            devices.append(
                Device(
                    machine: DeviceMachine(state), kept: state,
                    skew: skew + years * (Bool.random(using: &random) ? 1 : -1)))
        }
    }

    // MARK: Running

    /// Bad times, then calm ones until nothing happens any more.
    mutating func run() {
        for device in devices.indices {
            add(.device(device, .started, life: 0), after: 0)
            for _ in 0..<Int.random(in: 3...14, using: &random) {
                add(.userActs(device), after: Int64.random(in: 0...120_000, using: &random))
            }
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            add(.serverRestores, after: Int64.random(in: 40_000...110_000, using: &random))
        }
        drain(until: now + 125_000)
        isCalm = true
        for device in devices.indices where !devices[device].isRunning { restart(device) }
        // No sync is asked for from here on: what waits has to wake up by itself.
        drain(until: now + 4 * 3_600_000)
        for (number, device) in devices.enumerated() {
            let waiting = device.machine.state.outbox.count
            oracle.expect(waiting == 0, "device \(number) let \(waiting) changes lie")
        }
        settleConflicts()
        for device in devices.indices { handle(device, .syncWanted) }
        drain(until: now + 3_600_000)
        for device in devices.indices { handle(device, .syncWanted) }
        drain(until: now + 3_600_000)
    }

    private mutating func add(_ event: Event, after delay: Int64) {
        order += 1
        queue.append((now + delay, order, event))
    }

    private mutating func drain(until end: Int64) {
        var steps = 0
        while let next = queue.indices.min(by: {
            (queue[$0].time, queue[$0].order) < (queue[$1].time, queue[$1].order)
        }), queue[next].time <= end, steps < 20_000 {
            let (time, _, event) = queue.remove(at: next)
            now = max(now, time)
            steps += 1
            happen(event)
        }
        now = end
        oracle.expect(steps < 20_000, "the devices never come to rest")
    }

    private mutating func happen(_ event: Event) {
        note(event)
        switch event {
        case .device(let device, let event, let life):
            if devices[device].life == life, devices[device].isRunning { handle(device, event) }
        case .request(let device, let request, let life): arrive(device, request, life)
        case .userActs(let device): act(device)
        case .restart(let device): restart(device)
        case .serverRestores: restoreServer()
        }
    }

    /// Takes an event into the trace, by what does not depend on the order of a dictionary.
    private mutating func note(_ event: Event) {
        var text = "\(now)"
        switch event {
        case .device(let device, .answered(let response), _):
            let keys = response.changes.map { "\($0.key.id)@\($0.revision)" }.joined()
            text += "answer \(device) \(response.number) \(response.cursor) \(keys)"
        case .device(let device, _, let life): text += "event \(device) \(life)"
        case .request(let device, let request, _):
            let counters = request.operations.map { "\($0.id.counter)" }.joined(separator: ",")
            text += "request \(device) \(request.number) \(request.cursor) \(counters)"
        case .userActs(let device): text += "acts \(device)"
        case .restart(let device): text += "restart \(device)"
        case .serverRestores: text += "restores"
        }
        for byte in text.utf8 { trace = (trace ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    // MARK: The network and the server

    private mutating func arrive(_ device: Int, _ request: ExchangeRequest, _ life: Int) {
        if !isCalm, Int.random(in: 0..<12, using: &random) == 0 {
            let failure = ExchangeFailure.server(retryAfterMilliseconds: 2_000)
            return add(
                .device(device, .failed(number: request.number, failure, jitter: 0.5), life: life),
                after: 50)
        }
        if backup == nil, !isCalm, Int.random(in: 0..<6, using: &random) == 0 { backup = server }
        var response = server.exchange(request)
        if !isCalm, Int.random(in: 0..<10, using: &random) == 0 {
            for operation in request.operations.prefix(1) {
                // Busy for one row: nothing of it was kept.
                guard server.accounts[request.user]?.answers[operation.id] == nil else { continue }
                response.results[operation.id] = .retryLater
            }
        }
        if mistake == .rowDroppedOnTransientError, !isCalm,
            Int.random(in: 0..<4, using: &random) == 0, let first = request.operations.first
        {
            response.results[first.id] = .refused(.quota)
            server.accounts[request.user]?.records[first.key] = nil
        }
        if isLost() { return }
        let copies = !isCalm && Int.random(in: 0..<6, using: &random) == 0 ? 2 : 1
        for _ in 0..<copies {
            add(
                .device(device, .answered(response), life: life),
                after: Int64.random(in: 10...(isCalm ? 100 : 20_000), using: &random))
        }
    }

    private mutating func isLost() -> Bool {
        !isCalm && Int.random(in: 0..<6, using: &random) == 0
    }

    private mutating func restoreServer() {
        guard let backup else { return }
        let epoch = server.epoch
        server = backup
        server.epoch = mistake == .serverBackInTimeUnnoticed ? epoch : epoch + "'"
        oracle.serverWentBack()
    }

    // MARK: A device

    private mutating func restart(_ device: Int) {
        devices[device].life += 1
        devices[device].isRunning = true
        devices[device].machine = DeviceMachine(devices[device].kept)
        handle(device, .started)
    }

    private mutating func crash(_ device: Int) {
        devices[device].isRunning = false
        add(.restart(device), after: Int64.random(in: 100...20_000, using: &random))
    }

    /// Takes an event, keeps the state, carries out the effects; may crash in between.
    private mutating func handle(_ device: Int, _ event: DeviceMachine.Event) {
        let before = devices[device].machine.state
        var effects = devices[device].machine.handle(event, now: now + devices[device].skew)
        blunder(device, event, before, &effects)
        let crashes = !isCalm && Int.random(in: 0..<25, using: &random) == 0
        let isEarly = Bool.random(using: &random)
        if mistake == .stateSavedAfterEffect {
            carryOut(device, effects)
            if crashes { return crash(device) }
            keep(device, event)
            return
        }
        if crashes, isEarly { return crash(device) }
        keep(device, event)
        if crashes { return crash(device) }
        carryOut(device, effects)
    }

    private mutating func keep(_ device: Int, _ event: DeviceMachine.Event) {
        let state = devices[device].machine.state
        let before = devices[device].kept
        oracle.cursorMoved(device, from: before, to: state)
        devices[device].kept = state
        switch event {
        case .wrote(let key, let write): oracle.wrote(key, write, before: before, after: state)
        case .settled(let key, let choice): oracle.settled(key, choice, before: before)
        default: break
        }
    }

    private mutating func carryOut(_ device: Int, _ effects: [DeviceMachine.Effect]) {
        let life = devices[device].life
        for effect in effects {
            switch effect {
            case .send(let request):
                let number = request.number
                if !isLost() {
                    let copies = !isCalm && Int.random(in: 0..<8, using: &random) == 0 ? 2 : 1
                    for _ in 0..<copies {
                        let delay = Int64.random(in: 10...(isCalm ? 100 : 15_000), using: &random)
                        add(.request(device, request, life: life), after: delay)
                    }
                }
                let jitter = Double.random(in: 0...1, using: &random)
                add(
                    .device(device, .failed(number: number, .offline, jitter: jitter), life: life),
                    after: 30_000)
            case .wake(let time):
                if mistake == .retryOnlyOnNextWrite { continue }
                let wall = now + devices[device].skew
                add(.device(device, .timeCame, life: life), after: max(0, time - wall))
            case .renewToken: add(.device(device, .authorized, life: life), after: 500)
            case .changed: break
            }
        }
    }

    // MARK: Users

    private mutating func act(_ device: Int) {
        guard devices[device].isRunning else { return }
        let state = devices[device].machine.state
        if let conflict = state.conflicts.first, Bool.random(using: &random) {
            return settle(device, conflict.key)
        }
        let collection = Self.collections[
            Int.random(in: 0..<Self.collections.count, using: &random)]
        let id = "r\(Int.random(in: 0..<3, using: &random))"
        let number = oracle.nextNumber()
        switch collection.policy {
        case .appendOnly:
            let key = RecordKey(collection.name, "a\(number)")
            handle(device, .wrote(key, .put(["n": .integer(number)])))
        case .counter:
            handle(device, .wrote(RecordKey(collection.name, id), .count(field: "n", by: 1)))
        case .fieldMerge:
            let field = ["x", "y"].randomElement(using: &random) ?? "x"
            handle(device, .wrote(RecordKey(collection.name, id), .put([field: .integer(number)])))
        default:
            let key = RecordKey(collection.name, id)
            let isDelete = state.current(key) != nil && Int.random(in: 0..<4, using: &random) == 0
            handle(device, .wrote(key, isDelete ? .delete : .put(["n": .integer(number)])))
            if isDelete, Bool.random(using: &random), devices[device].isRunning {
                handle(device, .wrote(key, .put(["n": .integer(oracle.nextNumber())])))
            }
        }
    }

    private mutating func settle(_ device: Int, _ key: RecordKey) {
        let choice: DeviceMachine.Settlement = Bool.random(using: &random) ? .keepMine : .useServer
        handle(device, .settled(key, choice))
    }

    private mutating func settleConflicts() {
        for _ in 0..<6 {
            for device in devices.indices {
                while let conflict = devices[device].machine.state.conflicts.first {
                    settle(device, conflict.key)
                }
                handle(device, .syncWanted)
                drain(until: now + 600_000)
            }
        }
    }

    // MARK: Mistakes of a device

    private mutating func blunder(
        _ device: Int, _ event: DeviceMachine.Event, _ before: DeviceState,
        _ effects: inout [DeviceMachine.Effect]
    ) {
        var state = devices[device].machine.state
        switch (mistake, event) {
        case (.dirtyFlagClearedInFlight, .answered(let response)) where state != before:
            let accepted = before.outbox.filter {
                if case .accepted = response.results[$0.operation.id] { true } else { false }
            }.map(\.operation.key)
            state.outbox.removeAll { accepted.contains($0.operation.key) }
        case (.deleteAndInsertBecomeDelete, .wrote(let key, .put)):
            if let previous = before.outbox.last(where: { $0.operation.key == key }),
                previous.operation.change == .delete
            {
                state.outbox.removeAll {
                    $0.operation.id > previous.operation.id && $0.operation.key == key
                }
            }
        case (.seenRevisionTakenAtPush, _):
            for index in effects.indices {
                guard case .send(var request) = effects[index] else { continue }
                for number in request.operations.indices {
                    let key = request.operations[number].key
                    request.operations[number].seenRevision = state.bases[key]?.revision ?? 0
                }
                effects[index] = .send(request)
            }
        case (.cursorKeptThoughRolledBack, .answered)
        where Int.random(in: 0..<3, using: &random) == 0:
            if state.cursor > before.cursor {
                state.bases = before.bases
                // Nothing compares, as in an engine without digests.
            }
        case (.remoteDeleteEatsLocalEdit, .answered(let response)):
            let deleted = Set(response.changes.filter(\.isDeleted).map(\.key))
            state.outbox.removeAll { deleted.contains($0.operation.key) }
            state.conflicts.removeAll { deleted.contains($0.key) }
        default: return
        }
        devices[device].machine.state = state
    }
}
