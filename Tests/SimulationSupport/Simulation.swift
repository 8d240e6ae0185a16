import Foundation
import QuestionEngine
import ServiceAPI
package import UserData

/// Devices, a server and an unreliable network in virtual time; equal seeds give equal runs.
package struct Simulation {
    /// The collections as version 2 of the app declares them.
    package static let collections = collections(fields: ["n", "extra"], version: 2)
    /// The collections as version 1 declares them, which does not know `extra`.
    package static let oldCollections = collections(fields: ["n"], version: 1)

    private static func collections(fields: Set<String>, version: Int) -> [CollectionDeclaration] {
        [
            CollectionDeclaration("notes", .appendOnly, schemaVersion: version),
            CollectionDeclaration(
                "favourites", .lastWriteWins, schemaVersion: version, fields: fields),
            CollectionDeclaration(
                "reservations", .askUser, schemaVersion: version, fields: fields),
            CollectionDeclaration("settings", .serverWins, schemaVersion: version),
            CollectionDeclaration("profile", .fieldMerge, schemaVersion: version),
            CollectionDeclaration("points", .counter, schemaVersion: version),
        ]
    }

    /// A process of a device.
    package struct Place {
        var device: Int
        var process = 0
    }

    /// A request with the token and the answers that the runner adds.
    struct Posted {
        var request: ExchangeRequest
        var given: [[Int64]]
        /// The user whose token came with it.
        var token: String
    }

    enum Event {
        case machine(Place, DeviceMachine.Event, given: [[Int64]], life: Int)
        case request(Place, Posted, life: Int)
        case userActs(Int)
        case restart(Place)
        case upgrade(Int)
        case switchUser(Int)
        case serverRestores
        case serverPurges
        case backup(Int)
        case putBack(Int)
        case copy(Int)
        case image(Int)
        case signOut(Int)
        case enter(Int, String)
        case moves(Int)
        case moveEnds
        case follows(Int)
        case deletes(String)
        case forgets(Int, String)
        case decides(Place, RecordConflict, RecordResolution)
    }

    /// The disk content of one user on a device.
    package struct Disk {
        var state: DeviceState
        var given: [ClientID: [Int64]] = [:]
        /// Answers that lost their sequence numbers, by the name and with the number that they had.
        var detached: [ClientID: [(number: UInt64, value: Int64)]] = [:]
        /// The values of these answers.
        var detachedValues: [Int64] { detached.values.flatMap { $0.map(\.value) } }
        var version = 0
        /// What the oracle knows of a store without an account.
        var facts = Oracle.Facts()
    }

    /// A process on a device; two may share one disk.
    package struct Process {
        var machine: DeviceMachine
        /// The version of the disk that the machine has read.
        var version = 0
        /// The number of restarts: messages of an earlier life are lost.
        var life = 0
        var isRunning = true
        /// The name under which it writes while nobody is signed in; `nil` until it does.
        var writer: ClientID?
    }

    package struct Device {
        var disks: [String: Disk]
        var user: String
        var processes: [Process]
        var skew: Int64
        var isOld: Bool
        /// A backup of the disk, of its user at that time.
        var backup: Disk?
        /// The number of identities that it had.
        var identities = 0

        var disk: Disk { disks[user] ?? Disk(state: processes[0].machine.state) }
        var state: DeviceState { disk.state }
    }

    package let seed: UInt64
    package let mistake: Mistake?
    private var random: SeededRandom
    /// The chance behind everything that accounts do.
    var accountRandom: SeededRandom
    /// The chance behind moves and deletions.
    var moveRandom: SeededRandom
    /// The chance behind everything that takes answers back.
    private var retractionRandom: SeededRandom
    /// True in a run with accounts that move.
    var hasMoves = false
    /// The number of processes that were started again or copied.
    private var saltCount: UInt16 = 0
    /// The number of names that stores and processes without an account have made.
    var nameCount = 0
    private var queue: [(time: Int64, order: Int, event: Event)] = []
    private var order = 0
    private(set) var now: Int64 = 1_800_000_000_000
    private(set) var isCalm = false
    /// The conflict as displayed to the user who resolves it now.
    private var decided: RecordConflict?
    package internal(set) var devices: [Device] = []
    package internal(set) var server: SimulatedServer
    private var backup: SimulatedServer?
    package internal(set) var oracle = Oracle()
    /// A fingerprint of all events.
    package private(set) var trace: UInt64 = 0xCBF2_9CE4_8422_2325

    package init(seed: UInt64, mistake: Mistake? = nil) {
        self.seed = seed
        self.mistake = mistake
        random = SeededRandom(seed: seed)
        accountRandom = SeededRandom(seed: ~seed &+ 2)
        moveRandom = SeededRandom(seed: ~seed &+ 4)
        retractionRandom = SeededRandom(seed: ~seed &+ 8)
        server = SimulatedServer(
            declarations: Dictionary(uniqueKeysWithValues: Self.collections.map { ($0.name, $0) }),
            mistake: mistake)
        for number in 0..<Int.random(in: 2...4, using: &random) { addDevice(number) }
    }

    private mutating func addDevice(_ number: Int) {
        let user = number == 3 ? "other" : "user"
        let isOld = Int.random(in: 0..<4, using: &random) == 0
        let state = Self.state(user, number, isOld: isOld)
        let years = Int.random(in: 0..<6, using: &random) == 0 ? Int64(315_000_000_000) : 0
        let skew = Int64.random(in: -120_000...120_000, using: &random)
        let count = Int.random(in: 0..<5, using: &random) == 0 ? 2 : 1
        devices.append(
            Device(
                disks: [user: Disk(state: state)], user: user,
                processes: (0..<count).map { _ in Process(machine: DeviceMachine(state)) },
                skew: skew + years * (Bool.random(using: &random) ? 1 : -1), isOld: isOld))
    }

    private static func state(_ user: String, _ device: Int, isOld: Bool) -> DeviceState {
        DeviceState(
            user: user, client: ClientID("d\(device)-\(user)"),
            declarations: isOld ? oldCollections : collections)
    }

    // MARK: Running

    /// Runs a seed to its end and judges it.
    ///
    /// - Returns: The violations; none when all is well.
    package static func failures(seed: UInt64, mistake: Mistake? = nil) -> [String] {
        var simulation = Simulation(seed: seed, mistake: mistake)
        simulation.run()
        var oracle = simulation.oracle
        oracle.judge(simulation.devices, simulation.server)
        return oracle.failures
    }

    /// Runs a phase of faults, then a calm one until no event is left.
    package mutating func run() {
        if !planAccounts() { planMoves() }
        for device in devices.indices {
            for process in devices[device].processes.indices {
                add(machine: Place(device: device, process: process), .started, after: 0)
            }
            for _ in 0..<Int.random(in: 3...14, using: &random) {
                add(.userActs(device), after: Int64.random(in: 0...120_000, using: &random))
            }
            if devices[device].isOld {
                add(.upgrade(device), after: Int64.random(in: 0...120_000, using: &random))
            }
            if Int.random(in: 0..<6, using: &random) == 0 {
                add(.switchUser(device), after: Int64.random(in: 0...60_000, using: &random))
                add(.switchUser(device), after: Int64.random(in: 60_000...119_000, using: &random))
            }
        }
        plan(Event.backup, Event.putBack)
        plan(Event.backup, Event.copy)
        planImage()
        if Int.random(in: 0..<3, using: &random) == 0 {
            add(.serverRestores, after: Int64.random(in: 40_000...110_000, using: &random))
        } else {
            forgetful()
        }
        drain(until: now + 125_000)
        isCalm = true
        enterEverywhere()
        moveEverywhere()
        for place in places where !process(place).isRunning { restart(place) }
        // No sync is requested from here on: pending work must wake up by itself.
        drain(until: now + 4 * 3_600_000)
        for (number, device) in devices.enumerated() {
            let waiting = device.state.outbox.count
            oracle.expect(waiting == 0, "device \(number) let \(waiting) changes lie")
            let held = device.state.answers.beyond(device.state.answersOnServer).count
            oracle.expect(held == 0, "device \(number) let answers lie")
        }
        settleConflicts()
        for _ in 0..<2 {
            for place in places { handle(place, .syncWanted) }
            drain(until: now + 3_600_000)
        }
        otherUsersSync()
    }

    /// Lets the server drop marks and tombstones in a run without a restore.
    private mutating func forgetful() {
        // A generator of its own leaves all other events unchanged.
        var random = SeededRandom(seed: ~seed)
        if Bool.random(using: &random) { server.rememberLittle() }
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            add(.serverPurges, after: Int64.random(in: 20_000...120_000, using: &random))
        }
    }

    /// Backs up a device in one run of eight, and uses the backup later.
    private mutating func plan(_ first: (Int) -> Event, _ second: (Int) -> Event) {
        guard Int.random(in: 0..<8, using: &random) == 0 else { return }
        let device = Int.random(in: devices.indices, using: &random)
        add(first(device), after: Int64.random(in: 0...60_000, using: &random))
        add(second(device), after: Int64.random(in: 60_000...115_000, using: &random))
    }

    /// Puts one device's store on two more in one run of eight.
    private mutating func planImage() {
        // A generator of its own leaves all other events unchanged.
        var random = SeededRandom(seed: ~seed &+ 1)
        guard Int.random(in: 0..<8, using: &random) == 0 else { return }
        let device = Int.random(in: devices.indices, using: &random)
        add(.image(device), after: Int64.random(in: 20_000...110_000, using: &random))
    }

    /// Signs earlier users in again, so that data which they left on a device is sent.
    private mutating func otherUsersSync() {
        let others = devices.map { device in
            device.disks.keys.filter { $0 != device.user }.sorted()
        }
        for round in 0..<max(1, others.map(\.count).max() ?? 0) {
            for device in others.indices where round < others[device].count {
                change(device, to: others[device][round])
            }
            syncAll()
        }
    }

    private mutating func syncAll() {
        for _ in 0..<3 {
            drain(until: now + 3_600_000)
            settleConflicts()
            for place in places { handle(place, .syncWanted) }
            drain(until: now + 3_600_000)
        }
    }

    private var places: [Place] {
        devices.indices.flatMap { device in
            devices[device].processes.indices.map { Place(device: device, process: $0) }
        }
    }

    private func process(_ place: Place) -> Process {
        devices[place.device].processes[place.process]
    }

    mutating func add(_ event: Event, after delay: Int64) {
        order += 1
        queue.append((now + delay, order, event))
    }

    private mutating func add(
        machine place: Place, _ event: DeviceMachine.Event, given: [[Int64]] = [], after: Int64
    ) {
        add(.machine(place, event, given: given, life: process(place).life), after: after)
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
        case .machine(let place, let event, let given, let life):
            let process = process(place)
            if process.life == life, process.isRunning { handle(place, event, given: given) }
        case .request(let place, let posted, let life): arrive(place, posted, life)
        case .userActs(let device): act(device)
        case .restart(let place): restart(place)
        case .upgrade(let device): upgrade(device)
        case .switchUser(let device):
            change(device, to: devices[device].user == "user" ? "other" : "user")
        case .serverRestores: restoreServer()
        case .serverPurges: server.purge()
        case .backup(let device): devices[device].backup = devices[device].disk
        case .putBack(let device): putBack(device)
        case .copy(let device): copy(device)
        case .image(let device): image(device)
        case .signOut(let device): signOut(device)
        case .enter(let device, let user): enter(device, as: user)
        case .moves(let device): move(device)
        case .moveEnds: endMove()
        case .follows(let device): follow(device)
        case .deletes(let user): deleteAccount(user)
        case .forgets(let device, let user): forget(device, user)
        case .decides(let place, let shown, let choice): decide(place, shown, choice)
        }
    }

    /// Adds an event to the trace, by properties independent of a dictionary's order.
    private mutating func note(_ event: Event) {
        var text = "\(now)"
        switch event {
        case .machine(let place, .replied(let response), _, _):
            let keys = response.changes.map { "\($0.key.id)@\($0.revision)" }.joined()
            text += "reply \(place) \(response.number) \(response.cursor) \(keys)"
        case .machine(let place, _, _, let life): text += "event \(place) \(life)"
        case .request(let place, let posted, _):
            let counters = posted.request.operations.map { "\($0.id.counter)" }
            text += "request \(place) \(posted.request.number) \(posted.request.cursor)"
            text += counters.joined(separator: ",") + "\(posted.given)"
        case .userActs(let device): text += "acts \(device)"
        case .restart(let place): text += "restart \(place)"
        case .upgrade(let device): text += "upgrade \(device)"
        case .switchUser(let device): text += "switch \(device)"
        case .serverRestores: text += "restores"
        case .serverPurges: text += "purges"
        case .backup(let device): text += "backup \(device)"
        case .putBack(let device): text += "putBack \(device)"
        case .copy(let device): text += "copy \(device)"
        case .image(let device): text += "image \(device)"
        case .signOut(let device): text += "signOut \(device)"
        case .enter(let device, let user): text += "enter \(device) \(user)"
        case .moves(let device): text += "moves \(device)"
        case .moveEnds: text += "moveEnds"
        case .follows(let device): text += "follows \(device)"
        case .deletes(let user): text += "deletes \(user)"
        case .forgets(let device, let user): text += "forgets \(device) \(user)"
        case .decides(let place, let shown, _): text += "decides \(place) \(shown.tag)"
        }
        if Self.isTraced { print(text) }
        for byte in text.utf8 { trace = (trace ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// True when every event is printed, to examine a failing seed.
    private static let isTraced =
        ProcessInfo.processInfo.environment["UNDERWAY_TRACE"] != nil

    // MARK: The network and the server

    private mutating func arrive(_ place: Place, _ posted: Posted, _ life: Int) {
        let request = posted.request
        func fail(_ failure: ExchangeFailure) -> DeviceMachine.Event {
            .failed(number: request.number, failure, jitter: 0.5)
        }
        if request.user != posted.token, mistake != .anotherUsersQueuePushed {
            oracle.expect(false, "data of \(request.user) came with the token of \(posted.token)")
            return
        }
        if let state = server.closed[request.user] { return refuse(place, request, state, life) }
        if !isCalm, Int.random(in: 0..<12, using: &random) == 0 {
            let failure: ExchangeFailure =
                Bool.random(using: &random) ? .unauthorized : .server(retryAfterMilliseconds: 2_000)
            return add(.machine(place, fail(failure), given: [], life: life), after: 50)
        }
        if backup == nil, !isCalm, Int.random(in: 0..<6, using: &random) == 0 { backup = server }
        server.now = now
        var (response, given) = server.exchange(request, given: posted.given)
        if Self.isTraced {
            print(
                "  \(request.client.text) #\(request.number) ops \(request.operations.map { "\($0.id.counter):\($0.key.collection)/\($0.key.id) \($0.change)" }) held \(request.knownAnswers.lasts.map { "\($0.key.text):\($0.value)" }) -> stale \(response.isDeviceStale) \(response.results.map { "\($0.key.counter) \($0.value)".prefix(60) }) held \(response.knownAnswers.lasts.map { "\($0.key.text):\($0.value)" }) epoch \(response.epoch)"
            )
        }
        oracle.committed(server.places[request.user] ?? [:], of: request.user)
        spoil(&response, request)
        if isLost() { return }
        let copies = !isCalm && Int.random(in: 0..<6, using: &random) == 0 ? 2 : 1
        for _ in 0..<copies {
            add(
                .machine(place, .replied(response), given: given, life: life),
                after: Int64.random(in: 10...(isCalm ? 100 : 20_000), using: &random))
        }
    }

    private mutating func spoil(_ response: inout ExchangeResponse, _ request: ExchangeRequest) {
        guard mistake == .rowDroppedOnTransientError, !isCalm,
            Int.random(in: 0..<4, using: &random) == 0, let first = request.operations.first
        else { return }
        response.results[first.id] = .refused(.quota)
        server.drop(first.key, of: request.user)
    }

    private mutating func isLost() -> Bool {
        !isCalm && Int.random(in: 0..<6, using: &random) == 0
    }

    private mutating func restoreServer() {
        guard let backup, !hasMoves else { return }
        let lost = server
        server = backup
        server.markCount = lost.markCount
        server.targets = lost.targets
        // An operator who declares a restore starts a generation; one who does not is found out.
        let isSaid = Bool.random(using: &random)
        if isSaid, mistake != .serverBackInTimeUnnoticed { server.startGeneration() }
        oracle.serverWentBack()
    }

    // MARK: A device

    private mutating func restart(_ place: Place) {
        let device = devices[place.device]
        devices[place.device].processes[place.process].life += 1
        devices[place.device].processes[place.process].isRunning = true
        if mistake != .writerKeptOverUsers {
            devices[place.device].processes[place.process].writer = nil
        }
        devices[place.device].processes[place.process].machine = DeviceMachine(
            device.disk.state, salt: newSalt())
        devices[place.device].processes[place.process].version = device.disk.version
        handle(place, .started)
    }

    /// Returns a number that no other process has.
    private mutating func newSalt() -> UInt16 {
        saltCount += 1
        // Far apart, as random ones are.
        return saltCount &* 40_503
    }

    private mutating func crash(_ place: Place) {
        devices[place.device].processes[place.process].isRunning = false
        add(.restart(place), after: Int64.random(in: 100...20_000, using: &random))
    }

    /// Starts the app's new version with the data of the old one.
    private mutating func upgrade(_ number: Int) {
        devices[number].isOld = false
        for user in devices[number].disks.keys.sorted() {
            devices[number].disks[user]?.state.declarations = Dictionary(
                uniqueKeysWithValues: Self.collections.map { ($0.name, $0) })
        }
        for process in devices[number].processes.indices {
            restart(Place(device: number, process: process))
        }
    }

    /// Restores a device from its backup: what was only on it since then is lost.
    private mutating func putBack(_ number: Int) {
        guard var backup = devices[number].backup,
            backup.state.user == devices[number].user, !backup.state.isLocal
        else { return }
        let lost = devices[number].disk
        let known = server.accounts[backup.state.user]
        oracle.deviceWentBack(lost, to: backup, known)
        declare(&backup, number)
        // Processes of this simulation identify a disk by its version, which must not be reused.
        backup.version = lost.version + 1
        devices[number].disks[backup.state.user] = backup
        for process in devices[number].processes.indices {
            restart(Place(device: number, process: process))
        }
    }

    /// Declares the collections of the app's present version, whatever is on the disk.
    private func declare(_ disk: inout Disk, _ number: Int) {
        disk.state.declarations = Dictionary(
            uniqueKeysWithValues: (devices[number].isOld ? Self.oldCollections : Self.collections)
                .map { ($0.name, $0) })
    }

    /// Starts a second device with the backup of the first; both continue.
    private mutating func copy(_ number: Int) {
        guard devices.count < 5, var backup = devices[number].backup else { return }
        declare(&backup, number)
        oracle.wasCopied(backup.state)
        var device = devices[number]
        device.user = backup.state.user
        device.disks = [backup.state.user: backup]
        device.processes = [Process(machine: DeviceMachine(backup.state, salt: newSalt()))]
        device.processes[0].version = backup.version
        device.identities += 100
        devices.append(device)
        let place = Place(device: devices.count - 1)
        if Bool.random(using: &random) { handle(place, .copyFound) }
        handle(place, .started)
        for _ in 0..<Int.random(in: 1...5, using: &random) {
            let delay = Int64.random(in: 0...20_000, using: &random)
            add(.userActs(place.device), after: delay)
        }
        planEntryOfCopy(place.device)
    }

    /// Starts two devices with the store of another as it is now; all three go on.
    private mutating func image(_ number: Int) {
        devices[number].backup = devices[number].disk
        for _ in 0..<2 { copy(number) }
    }

    mutating func change(_ number: Int, to user: String) {
        let device = devices[number]
        devices[number].user = user
        if devices[number].disks[user] == nil {
            devices[number].disks[user] = Disk(
                state: user == Self.localUser
                    ? newLocalState(number) : Self.state(user, number, isOld: device.isOld))
        }
        if mistake == .anotherUsersQueuePushed {
            devices[number].disks[user]?.state.outbox += device.state.outbox
        }
        for process in devices[number].processes.indices {
            restart(Place(device: number, process: process))
        }
    }

    /// Handles an event, stores the state, carries out the effects; may crash in between, and the
    /// disk may be full.
    mutating func handle(
        _ place: Place, _ event: DeviceMachine.Event, given: [[Int64]] = []
    ) {
        guard process(place).isRunning, isPossible(event, place) else { return }
        let disk = devices[place.device].disk
        if process(place).version != disk.version {
            devices[place.device].processes[place.process].machine.reload(disk.state)
            devices[place.device].processes[place.process].version = disk.version
        }
        let before = process(place).machine
        nameWriter(place, for: event)
        let time = now + devices[place.device].skew
        var effects = devices[place.device].processes[place.process].machine.handle(
            event, now: time)
        if case .answered = event { addDigest(place, Array(given.joined())) }
        var kept = disk
        effects = follow(place, event, given, effects, &kept)
        blunder(place, event, before.state, &effects)
        if !isCalm, Int.random(in: 0..<60, using: &random) == 0 {
            return diskIsFull(place, event, before)
        }
        let crashes = !isCalm && Int.random(in: 0..<25, using: &random) == 0
        let isEarly = Bool.random(using: &random)
        if mistake == .stateSavedAfterEffect {
            carryOut(place, effects)
            if crashes { return crash(place) }
            keep(place, event, given, effects, kept)
            return
        }
        if crashes, isEarly { return crash(place) }
        keep(place, event, given, effects, kept)
        if crashes { return crash(place) }
        carryOut(place, effects)
    }

    /// Rolls back: the machine is as before, and a reply counts as lost.
    private mutating func diskIsFull(
        _ place: Place, _ event: DeviceMachine.Event, _ before: DeviceMachine
    ) {
        devices[place.device].processes[place.process].machine = before
        switch event {
        case .replied(let response):
            add(
                machine: place,
                .failed(
                    number: response.number, .server(retryAfterMilliseconds: nil), jitter: 0.5),
                after: 1)
        case .wrote, .wroteBatch, .resolved, .answered: break
        default: add(machine: place, .started, after: 1_000)
        }
    }

    private mutating func keep(
        _ place: Place, _ event: DeviceMachine.Event, _ given: [[Int64]],
        _ effects: [DeviceMachine.Effect], _ kept: Disk
    ) {
        let state = process(place).machine.state
        var disk = kept
        if state.isLocal { oracle.resume(disk.facts) }
        oracle.cursorMoved(place.device, from: disk.state, to: state)
        switch event {
        case .wrote(let key, let write):
            oracle.wrote(key, write, before: disk.state, after: state)
        case .wroteBatch(let changes):
            oracle.wroteBatch(changes, before: disk.state, after: state)
        case .resolved(let key, let choice, _):
            let isDone = !state.conflicts.contains { $0.key == key }
            if isDone, let decided { oracle.resolved(decided, choice, before: disk.state) }
        case .answered:
            disk.given[state.client, default: []] += given.joined()
            oracle.answered(Array(given.joined()), of: state.user)
        case .replied(let response):
            if !response.hasMore, state.cursor == response.cursor {
                oracle.expectWholeGroups(place.device, state)
            }
        default: break
        }
        for (client, last) in state.answers.lasts {
            let kept = UInt64(disk.given[client]?.count ?? 0)
            oracle.expect(last == kept, "device \(place.device) has \(kept) answers, not \(last)")
        }
        disk.state = state
        disk.version += 1
        if state.isLocal { disk.facts = oracle.takeFacts() }
        if case .replied = event { oracle.expectTruth(place.device, disk, server) }
        devices[place.device].disks[state.user] = disk
        devices[place.device].processes[place.process].version = disk.version
    }

    private mutating func carryOut(_ place: Place, _ effects: [DeviceMachine.Effect]) {
        let life = process(place).life
        for effect in effects {
            switch effect {
            case .send(let request): send(place, request, life)
            case .wake(let time):
                if mistake == .retryOnlyOnNextWrite { continue }
                let wall = now + devices[place.device].skew
                add(machine: place, .timeCame, after: max(0, time - wall))
            case .renewToken: add(machine: place, .authorized, after: 500)
            case .prepare: add(machine: place, .started, after: 0)
            case .changed, .storeAnswers, .renewIdentity, .nameBranch, .detachAnswers,
                .numberAnswers:
                break
            }
        }
    }

    private mutating func send(_ place: Place, _ request: ExchangeRequest, _ life: Int) {
        let device = devices[place.device]
        let given = request.answers.map { span in
            Array(
                (device.disk.given[span.client] ?? []).dropFirst(Int(span.first) - 1)
                    .prefix(span.count))
        }
        let posted = Posted(request: request, given: given, token: device.user)
        if !isLost() {
            let copies = !isCalm && Int.random(in: 0..<8, using: &random) == 0 ? 2 : 1
            for _ in 0..<copies {
                let delay = Int64.random(in: 10...(isCalm ? 100 : 15_000), using: &random)
                add(.request(place, posted, life: life), after: delay)
            }
        }
        let jitter = Double.random(in: 0...1, using: &random)
        add(
            machine: place, .failed(number: request.number, .offline, jitter: jitter),
            after: 30_000)
    }

    /// Carries out the effects of a store's transaction: stores answers, detaches and numbers them,
    /// and creates identities.
    private mutating func follow(
        _ place: Place, _ event: DeviceMachine.Event, _ given: [[Int64]],
        _ effects: [DeviceMachine.Effect], _ disk: inout Disk
    ) -> [DeviceMachine.Effect] {
        var outside: [DeviceMachine.Effect] = []
        for effect in effects {
            switch effect {
            case .renewIdentity:
                devices[place.device].identities += 1
                let number = devices[place.device].identities
                let name = ClientID("d\(place.device)-\(disk.state.user)-\(number)")
                let next = step(place, .identified(name))
                outside += follow(place, .started, [], next, &disk)
            case .nameBranch(let operation):
                var name = BranchName.ofOperations(from: operation)
                if mistake == .randomStepBranches { name = newName("b") }
                let next = step(place, .branched(name))
                outside += follow(place, .started, [], next, &disk)
            case .detachAnswers(let span):
                let values = Array(disk.given[span.client]?.suffix(span.count) ?? [])
                disk.given[span.client]?.removeLast(span.count)
                if disk.given[span.client]?.isEmpty == true { disk.given[span.client] = nil }
                for (index, value) in values.enumerated() {
                    disk.detached[span.client, default: []].append(
                        (span.first + UInt64(index), value))
                }
                devices[place.device].processes[place.process].machine.detached(
                    server.columns(span, values).digest, of: span.client)
            case .storeAnswers(let spans):
                if case .replied(let response) = event {
                    take(spans, response, given, &disk)
                }
            case .numberAnswers:
                outside += step(place, .numbered(number(&disk, place)))
            default: outside.append(effect)
            }
        }
        return outside
    }

    /// Adds the digest of answers that were given now.
    private mutating func addDigest(_ place: Place, _ values: [Int64]) {
        let state = process(place).machine.state
        guard !values.isEmpty else { return }
        let first = state.answers[state.client] - UInt64(values.count) + 1
        let span = AnswerSpan(client: state.client, first: first, count: values.count)
        devices[place.device].processes[place.process].machine.stored(
            server.columns(span, values).digest, of: state.client)
    }

    /// Drops the detached answers that are there with a number, and names the others by their content.
    private mutating func number(
        _ disk: inout Disk, _ place: Place
    ) -> [DeviceMachine.NumberedAnswers] {
        var runs: [DeviceMachine.NumberedAnswers] = []
        for (former, answers) in disk.detached.sorted(by: { $0.key < $1.key }) {
            let known = Set(disk.given.values.joined())
            let rest =
                mistake == .copiedAnswersDoubled
                ? answers : answers.filter { !known.contains($0.value) }
            guard let first = rest.first else { continue }
            let row = server.columns(
                AnswerSpan(client: former, first: first.number, count: 1), [first.value])
            let last = UInt64(disk.given[former]?.count ?? 0)
            var name = BranchName.ofRest(
                of: former, first: first.number, contentHash: row.encoded.contentHashes[0],
                after: AnswerVector([former: last]))
            if mistake == .restOfAnswersAlwaysBranches {
                name = BranchName.ofAnswers(
                    of: former, first: first.number, contentHash: row.encoded.contentHashes[0])
            }
            if mistake == .randomBranchNames {
                name = ClientID("b\(place.device)-\(disk.state.user)-\(first.value)")
            }
            let span = AnswerSpan(
                client: name, first: UInt64(disk.given[name]?.count ?? 0) + 1, count: rest.count)
            disk.given[name, default: []] += rest.map(\.value)
            runs.append(
                .init(
                    span: span,
                    digest: server.columns(span, rest.map(\.value)).digest))
        }
        disk.detached = [:]
        return runs
    }

    private func take(
        _ spans: [AnswerSpan], _ response: ExchangeResponse, _ given: [[Int64]], _ disk: inout Disk
    ) {
        for span in spans {
            guard
                let index = response.answers.firstIndex(where: {
                    $0.client == span.client && $0.last == span.last
                })
            else { continue }
            disk.given[span.client, default: []] += given[index].suffix(span.count)
        }
    }

    private mutating func step(
        _ place: Place, _ event: DeviceMachine.Event
    ) -> [DeviceMachine.Effect] {
        devices[place.device].processes[place.process].machine.handle(
            event, now: now + devices[place.device].skew)
    }

    // MARK: Users

    private mutating func act(_ number: Int) {
        let process = Int.random(in: devices[number].processes.indices, using: &random)
        let place = Place(device: number, process: process)
        guard devices[number].processes[process].isRunning else { return }
        let state = devices[number].state
        if let conflict = state.conflicts.first, Bool.random(using: &random) {
            // Users look, think, and decide on the version that they saw.
            return add(
                .decides(place, conflict, choice()),
                after: Int64.random(in: 0...60_000, using: &random))
        }
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            let count = Int.random(in: 1...3, using: &random)
            let numbers = (0..<count).map { _ in oracle.nextNumber() }
            retract(by: numbers, on: number)
            handle(place, .answered(count: count), given: [numbers])
        case 1: writeTogether(place)
        default: write(place, state)
        }
    }

    /// Makes some answers retractions of others, which a device of the user has or had.
    private mutating func retract(by numbers: [Int64], on device: Int) {
        let user = devices[device].user
        for number in numbers where Int.random(in: 0..<3, using: &retractionRandom) == 0 {
            let given =
                Bool.random(using: &retractionRandom)
                ? [devices[device].disk.given] : devices.compactMap { $0.disks[user]?.given }
            let answers = given.flatMap { answers in
                answers.sorted { $0.key < $1.key }.flatMap { client, values in
                    values.indices.map { AnswerID(client: client, number: UInt64($0) + 1) }
                }
            }
            server.targets[number] = answers.randomElement(using: &retractionRandom)
        }
    }

    private mutating func write(_ place: Place, _ state: DeviceState) {
        // More often reservations, which ask the user, and profiles, which are merged by field.
        let number = Int.random(in: -4..<Self.collections.count, using: &random)
        let collection = Self.collections[number < -2 ? 2 : number < 0 ? 4 : number]
        let id = "r\(Int.random(in: 0..<3, using: &random))"
        let key = RecordKey(collection.name, id)
        let value = FieldValue.integer(oracle.nextNumber())
        switch collection.policy {
        case .appendOnly:
            handle(place, .wrote(RecordKey(collection.name, "a\(value)"), .put(["n": value])))
        case .counter: handle(place, .wrote(key, .count(field: "n", by: 1)))
        case .fieldMerge:
            handle(place, .wrote(key, .put(profile(state, key, value))))
        default:
            let isDelete = state.current(key) != nil && Int.random(in: 0..<4, using: &random) == 0
            handle(place, .wrote(key, isDelete ? .delete : .put(fields(place, key, value))))
            if isDelete, Bool.random(using: &random) {
                let next = FieldValue.integer(oracle.nextNumber())
                handle(place, .wrote(key, .put(fields(place, key, next))))
            }
        }
    }

    /// Returns the whole record as an app writes it: one field is new, another may be gone.
    private mutating func profile(
        _ state: DeviceState, _ key: RecordKey, _ number: FieldValue
    ) -> [String: FieldValue] {
        var values = (state.current(key)?.values ?? [:]).filter { $0.value != .null }
        let (field, other) = Bool.random(using: &random) ? ("x", "y") : ("y", "x")
        values[field] = number
        if Int.random(in: 0..<6, using: &random) == 0 { values[other] = nil }
        return values
    }

    /// Returns the fields that the app's version writes: the newer one keeps `extra`, or sets it.
    mutating func fields(
        _ place: Place, _ key: RecordKey, _ number: FieldValue
    ) -> [String: FieldValue] {
        guard !devices[place.device].isOld, key.collection != "settings" else {
            return ["n": number]
        }
        let known = devices[place.device].state.current(key)?.values["extra"]
        let extra =
            Int.random(in: 0..<3, using: &random) == 0
            ? .integer(oracle.nextNumber()) : known
        return ["n": number].merging(extra.map { ["extra": $0] } ?? [:]) { $1 }
    }

    private mutating func writeTogether(_ place: Place) {
        let collections = ["favourites", "profile"]
        var changes: [DeviceMachine.BatchedWrite] = []
        for collection in collections {
            let key = RecordKey(collection, "r\(Int.random(in: 0..<3, using: &random))")
            let number = FieldValue.integer(oracle.nextNumber())
            changes.append(
                .init(
                    key,
                    .put(
                        collection == "profile"
                            ? profile(devices[place.device].state, key, number)
                            : fields(place, key, number))))
        }
        handle(place, .wroteBatch(changes))
    }

    private mutating func choice() -> RecordResolution {
        Bool.random(using: &random) ? .keepMine : .useServer
    }

    private mutating func decide(
        _ place: Place, _ shown: RecordConflict, _ choice: RecordResolution
    ) {
        guard process(place).isRunning,
            let now = devices[place.device].state.conflicts.first(where: { $0.key == shown.key })
        else { return }
        decided = shown
        let tag = mistake == .unseenOverwrittenBySettling ? now.tag : shown.tag
        handle(place, .resolved(shown.key, choice, shown: tag))
    }

    private mutating func settleConflicts() {
        for _ in 0..<6 {
            for device in devices.indices {
                let place = Place(device: device)
                while let conflict = devices[device].state.conflicts.first {
                    decide(place, conflict, choice())
                }
                handle(place, .syncWanted)
                drain(until: now + 600_000)
            }
        }
    }

    // MARK: Mistakes of a device

    private mutating func blunder(
        _ place: Place, _ event: DeviceMachine.Event, _ before: DeviceState,
        _ effects: inout [DeviceMachine.Effect]
    ) {
        var state = process(place).machine.state
        switch (mistake, event) {
        case (.dirtyFlagClearedInFlight, .replied(let response)) where state != before:
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
        case (.partialRowFromUnknownColumn, .wrote(let key, .put(let values))):
            // The older version writes the columns that it knows, and no others.
            if let index = state.outbox.lastIndex(where: { $0.operation.key == key }),
                devices[place.device].isOld, key.collection != "profile"
            {
                state.outbox[index].operation.change = .put(values)
            }
        case (.unchangedFieldsSent, .wrote(let key, .put(let values))):
            if let index = state.outbox.lastIndex(where: { $0.operation.key == key }),
                key.collection == "profile"
            {
                state.outbox[index].operation.change = .put(values)
            }
        case (.unrelatedChangesFolded, .replied(let response)):
            Self.foldUnrelated(response, before, &state)
        case (.seenRevisionTakenAtPush, _):
            for index in effects.indices {
                guard case .send(var request) = effects[index] else { continue }
                for number in request.operations.indices {
                    let key = request.operations[number].key
                    request.operations[number].seenRevision = state.bases[key]?.revision ?? 0
                }
                effects[index] = .send(request)
            }
        case (.cursorKeptThoughRolledBack, .replied)
        where Int.random(in: 0..<3, using: &random) == 0:
            if state.cursor > before.cursor {
                state.bases = before.bases
                // Nothing is compared, as in an engine without digests.
            }
        case (.remoteDeleteEatsLocalEdit, .replied(let response)):
            let deleted = Set(response.changes.filter(\.isDeleted).map(\.key))
            state.outbox.removeAll { deleted.contains($0.operation.key) }
            state.conflicts.removeAll { deleted.contains($0.key) }
        default: return
        }
        devices[place.device].processes[place.process].machine.state = state
    }
}
