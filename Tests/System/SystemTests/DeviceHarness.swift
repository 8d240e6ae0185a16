import Foundation
import Ledger
import OfflineStorage
import ServerApplication
import ServerTestSupport
import SyncClient
import TestSupport
import UserData

/// Two devices with everything that ships, the real server in this process, and a time that only the
/// harness moves: a seed chooses writes, faults and kills, and gives the same run each time.
struct DeviceHarness {
    /// Mistakes of the code around the machine; each can be planted to see that the harness finds it.
    enum Mistake: CaseIterable {
        case replyAppliedTwice
        case sentBeforeCommit
        case backoffIgnored
        case waitsNeverEnd
        case failureSwallowed
    }

    private struct Device {
        var folder: String
        var store: UserStore
        var sync: UserDataSync
        var client: ClientID?
        var sleepers: [Date] = []
    }

    private typealias Points = DeviceWorld.Points
    private typealias Note = DeviceWorld.Note

    private let folder: TemporaryFolder
    private let clock: StoryClock
    private let line: FaultyLine
    private let mistake: Mistake?
    private let secrets: [MemorySecrets] = [MemorySecrets(), MemorySecrets()]
    private var random: SeededGenerator
    private var devices: [Device] = []
    private var points: Int64 = 0
    private var notes: Set<String> = []
    private var kills = 0
    private(set) var failures: [String] = []

    /// Runs a seed to its end.
    ///
    /// - Returns: What is not as it must be.
    static func failures(seed: UInt64, mistake: Mistake? = nil) async throws -> [String] {
        var harness = try await DeviceHarness(seed: seed, mistake)
        try await harness.run()
        return harness.failures
    }

    private init(seed: UInt64, _ mistake: Mistake?) async throws {
        let (folder, clock) = (try TemporaryFolder(), StoryClock())
        let users = try await UserBackend(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"),
                collections: DeviceWorld.collections.map { CollectionRules($0) },
                passwordRounds: 1 << 10),
            clock: { clock.now })
        (self.folder, self.clock, self.mistake) = (folder, clock, mistake)
        random = SeededGenerator(seed: seed)
        line = FaultyLine(
            InProcessTransport(InProcessRouter(release: folder.path + "/none", users: users)),
            clock, seed: seed)
        for number in 0..<2 { devices.append(try open(number, "device-\(number)")) }
    }

    private func account(_ number: Int, _ store: UserStore) -> Account {
        Account(
            store: store, secrets: secrets[number], transport: line, serverURL: "http://server")
    }

    private func open(_ number: Int, _ name: String) throws -> Device {
        let url = folder.url.appending(path: name)
        let store = try UserStore(folder: url, collections: DeviceWorld.collections)
        let (mistake, clock) = (mistake, clock)
        let sync = UserDataSync(
            store: store, account: account(number, store), transport: line,
            serverURL: "http://server", deadline: .seconds(60), clock: { clock.now },
            jitter: { 0.5 },
            commit: { event, now, extras in
                try Self.commit(event, now, extras, store, mistake)
            })
        return Device(folder: name, store: store, sync: sync)
    }

    // MARK: Mistakes

    private static func commit(
        _ event: DeviceMachine.Event, _ now: Date, _ extras: UserStore.Extras,
        _ store: UserStore, _ mistake: Mistake?
    ) throws -> [DeviceMachine.Effect] {
        switch (mistake, event) {
        case (.replyAppliedTwice, .replied):
            _ = try store.handle(event, now: now, extras: extras)
            return try store.handle(event, now: now, extras: extras)
        case (.backoffIgnored, .failed):
            _ = try store.handle(event, now: now)
            return try store.handle(.syncWanted, now: now)
        case (.waitsNeverEnd, .timeCame), (.failureSwallowed, .failed): return []
        default: return try store.handle(event, now: now, extras: extras)
        }
    }

    // MARK: Running

    private mutating func run() async throws {
        let first = account(0, devices[0].store)
        try await first.upgrade(email: "a@example.org", password: "correct horse battery")
        try await account(1, devices[1].store).signIn(
            email: "a@example.org", password: "correct horse battery", bringing: .everything)
        for number in 0..<2 {
            await devices[number].sync.begin(pullInterval: .seconds(900))
            await follow(.wanted, number)
            devices[number].client = try devices[number].store.state().client
        }
        line.isBad = true
        for _ in 0..<25 { try await act() }
        line.isBad = false
        for _ in 0..<60 where failures.isEmpty { await wake() }
        try judge()
    }

    private mutating func act() async throws {
        let number = Int.random(in: 0..<2, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0...3:
            if Bool.random(using: &random) {
                let (store, clock) = (devices[number].store, clock)
                points += 1
                line.whileInFlight {
                    try? store.increment(Points.self, id: "p", field: "n", by: 1, now: clock.now)
                }
            }
            try write(number)
            // As `run` does with the effects of the app.
            if devices[number].store.requestInFlight != nil { await follow(.changed, number) }
            if let write = line.takeUnused() { write() }
            if devices[number].store.requestInFlight != nil { await follow(.changed, number) }
        case 4:
            line.wished()
            await follow(.wanted, number)
        case 5: try await kill(number)
        default: await wake()
        }
    }

    private mutating func write(_ number: Int) throws {
        clock.advance(1)
        try copyBefore(number)
        let id = "n\(notes.count)"
        notes.insert(id)
        points += 2
        try devices[number].store.write(now: clock.now) { writes in
            try writes.put(Note(text: id), id: id)
            try writes.increment(Points.self, id: "p", field: "n", by: 2)
        }
    }

    /// Copies what a kill would leave of a write whose request goes out before its commit.
    private func copyBefore(_ number: Int) throws {
        guard mistake == .sentBeforeCommit else { return }
        let source = folder.path + "/\(devices[number].folder)"
        // There is none before the first write.
        try? FileManager.default.removeItem(atPath: source + "-before")
        try FileManager.default.copyItem(atPath: source, toPath: source + "-before")
    }

    /// Moves the time to the next sleeper's.
    private mutating func wake() async {
        guard let next = devices.flatMap(\.sleepers).min() else { return }
        clock.advance(max(0, next.timeIntervalSince(clock.now)) + 0.001)
        for number in devices.indices {
            let count = devices[number].sleepers.count
            devices[number].sleepers.removeAll { $0 <= clock.now }
            if devices[number].sleepers.count < count { await follow(.woken, number) }
        }
    }

    private mutating func follow(_ signal: UserDataSync.Signal, _ number: Int) async {
        if let wait = await devices[number].sync.follow(signal) {
            devices[number].sleepers.append(clock.now.addingTimeInterval(wait))
        }
        failures += line.takeViolations()
        if devices[number].store.requestInFlight != nil {
            failures.append("device \(number) waits for a reply that nobody reads")
        }
    }

    /// Kills the program and starts it again.
    private mutating func kill(_ number: Int) async throws {
        kills += 1
        let before = folder.path + "/\(devices[number].folder)-before"
        let isEarly = mistake == .sentBeforeCommit && FileManager.default.fileExists(atPath: before)
        let source = isEarly ? before : folder.path + "/\(devices[number].folder)"
        let name = "device-\(number)-\(kills)"
        try FileManager.default.copyItem(atPath: source, toPath: folder.path + "/\(name)")
        let client = devices[number].client
        devices[number] = try open(number, name)
        devices[number].client = client
        await devices[number].sync.begin(pullInterval: .seconds(900))
        line.wished()
        await follow(.wanted, number)
    }

    private mutating func judge() throws {
        for (number, device) in devices.enumerated() {
            let state = try device.store.state()
            if state.client != device.client {
                failures.append("the server took device \(number) for a copy")
            }
            if state.waitingCount > 0 { failures.append("device \(number) let changes lie") }
            let shown = Set(try device.store.records(Note.self).map(\.id))
            if shown != notes {
                failures.append("device \(number) shows \(shown.count) of \(notes.count) notes")
            }
            let sum = try device.store.record(Points.self, id: "p")?.n ?? 0
            if sum != Int(points) {
                failures.append("device \(number) counts \(sum), not \(points)")
            }
        }
    }
}
