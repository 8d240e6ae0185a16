import Foundation
import Ledger
import OfflineStorage
import ServerApplication
import ServerTestSupport
import SyncClient
import Synchronization
import TestSupport
import Testing
import UserData

/// Where a story takes place: the server's routes in this process, or over the loopback.
enum World: CaseIterable {
    case inProcess
    case loopback
}

/// Two devices of one user with real stores, and a real server, told as stories.
actor Story {
    private struct Device {
        let store: UserStore
        let account: Account
        let sync: UserDataSync
    }

    private static let collections = [
        CollectionDeclaration("exams", .askUser), CollectionDeclaration("stars", .lastWriteWins),
        CollectionDeclaration("profile", .fieldMerge), CollectionDeclaration("notes", .appendOnly),
        CollectionDeclaration("points", .counter),
    ]

    private let clock: StoryClock
    private var devices: [String: Device] = [:]
    private var skew: [String: TimeInterval] = [:]
    private let folder: TemporaryFolder
    private let users: UserBackend

    init(folder: TemporaryFolder, clock: StoryClock, users: UserBackend) {
        self.folder = folder
        self.clock = clock
        self.users = users
    }

    static func users(_ folder: TemporaryFolder, _ clock: StoryClock) async throws -> UserBackend {
        try await UserBackend(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"),
                collections: collections.map { CollectionRules($0) }, passwordRounds: 1 << 10),
            clock: { clock.now })
    }

    /// The phone makes the account; the tablet signs in to it.
    func begin(transport: any Transport, serverURL: URL) async throws {
        for name in ["phone", "tablet"] {
            let store = try UserStore(
                folder: folder.url.appending(path: name), collections: Self.collections,
                makeID: Self.names(name))
            let account = Account(
                store: store,
                secrets: try FileSecretStore(
                    folder: folder.url.appending(path: "secrets-\(name)")),
                transport: transport, serverURL: serverURL)
            let clock = clock
            devices[name] = Device(
                store: store, account: account,
                sync: UserDataSync(
                    store: store, account: account, transport: transport, serverURL: serverURL,
                    clock: { clock.now }, jitter: { 0.5 }))
            if name == "phone" {
                try await account.upgrade(email: "ada@example.org", password: "correct horse")
            } else {
                try await signIn(name)
            }
        }
    }

    func signIn(_ name: String) async throws {
        try await device(name).account.signIn(
            email: "ada@example.org", password: "correct horse", bringing: .everything)
    }

    /// The server forgets what was deleted long ago.
    func purge() async throws -> Int { try await users.purge() }

    /// How many records the device remembers, deleted ones too.
    func remembered(_ name: String) throws -> Int { try device(name).store.state().bases.count }

    func days(_ count: Double) { clock.advance(count * 86_400) }

    func setSkew(_ device: String, _ milliseconds: Double) { skew[device] = milliseconds / 1000 }

    private func device(_ name: String) throws -> Device { try #require(devices[name]) }

    private func time(_ device: String) -> Date { clock.now + (skew[device] ?? 0) }

    /// Offline: nothing is sent before `sync`.
    func write(_ name: String, _ key: RecordKey, _ write: DeviceMachine.Write) throws {
        clock.advance(1)
        _ = try device(name).store.handle(.wrote(key, write), now: time(name))
    }

    func settle(_ name: String, _ key: RecordKey, _ how: RecordResolution) throws {
        clock.advance(1)
        let shown = try #require(try conflict(name, key)).tag
        try device(name).store.resolve(key, how, shown: shown, now: time(name))
    }

    func sync(_ names: String...) async throws {
        for name in names {
            clock.advance(1)
            let report = await (try device(name)).sync.sync()
            #expect(report.problem == nil, "\(name)")
        }
    }

    /// Syncs over a network that may fail; true when all went well.
    @discardableResult
    func tryToSync(_ name: String) async -> Bool {
        clock.advance(3600)
        return await devices[name]?.sync.sync().problem == nil
    }

    func shows(_ name: String, _ key: RecordKey) throws -> [String: FieldValue]? {
        try device(name).store.state().current(key)?.values
    }

    func conflict(_ name: String, _ key: RecordKey) throws -> RecordConflict? {
        try device(name).store.conflicts().first { $0.key == key }
    }

    /// The device's name, then others, should it need one more.
    private static func names(_ name: String) -> @Sendable () -> String {
        let count = Mutex(0)
        return {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? name : "\(name)-\(number)"
        }
    }

    func dismissRefused(_ name: String) throws {
        for refused in try rejected(name) {
            try device(name).store.dismiss(refused.operation.id, now: time(name))
        }
    }

    func rejected(_ name: String) throws -> [RejectedChange] {
        try device(name).store.rejected()
    }
}

/// A clock that only a test moves.
final class StoryClock: Sendable {
    private let time: Mutex<Date>

    init(_ start: Date = Date(timeIntervalSince1970: 1_800_000_000)) { time = Mutex(start) }

    var now: Date { time.withLock { $0 } }

    func advance(_ seconds: TimeInterval) { time.withLock { $0 += seconds } }
}

/// Tells a story in a world that is made for it.
func withStory(_ world: World, _ body: @Sendable @escaping (Story) async throws -> Void)
    async throws
{
    let folder = try TemporaryFolder()
    let clock = StoryClock()
    let users = try await Story.users(folder, clock)
    let story = Story(folder: folder, clock: clock, users: users)
    switch world {
    case .inProcess:
        let router = InProcessRouter(release: folder.path + "/none", users: users)
        try await story.begin(
            transport: InProcessTransport(router), serverURL: "http://server")
        try await body(story)
    case .loopback:
        try await withServer(folder.path + "/none", users: users) { baseURL in
            let transport = HTTPTransport()
            defer { transport.close() }
            let end = baseURL.range(of: "/api")?.lowerBound ?? baseURL.endIndex
            try await story.begin(
                transport: transport, serverURL: try URL(address: String(baseURL[..<end])))
            try await body(story)
        }
    }
}
