import Foundation
import GRDB
import Ledger
import OfflineStorage
import ServerTestSupport
import ServiceAPI
import SyncClient
import TestSupport
import Testing
import UserData

/// The database of users goes back to a backup; every device goes on, and nothing is lost.
@Suite struct RestoreStoryTests {
    private static let notes = CollectionDeclaration("notes", .appendOnly)

    /// A device with a real store.
    private struct Device {
        let store: UserStore
        let account: Account
        let sync: UserDataSync

        init(
            _ name: String, _ folder: TemporaryFolder, _ transport: any Transport,
            serverURL: URL, clock: @escaping @Sendable () -> Date = { Date() }
        ) throws {
            store = try UserStore(
                folder: folder.url.appending(path: name), collections: [notes],
                makeID: { name })
            account = Account(
                store: store,
                secrets: try FileSecretStore(folder: folder.url.appending(path: "of-\(name)")),
                transport: transport, serverURL: serverURL)
            sync = UserDataSync(
                store: store, account: account, transport: transport, serverURL: serverURL,
                clock: clock, jitter: { 0.5 })
        }

        func write(_ id: String) throws {
            _ = try store.handle(
                .wrote(RecordKey("notes", id), .put(["n": .integer(1)])), now: Date())
        }

        func has(_ id: String) throws -> Bool {
            try store.state().current(RecordKey("notes", id)) != nil
        }
    }

    /// The folder of a server's users, and what an operator does with it.
    private struct Data {
        let folder: URL
        let backup: URL

        init(_ folder: TemporaryFolder) {
            self.folder = folder.url.appending(path: "users")
            backup = folder.url.appending(path: "backup.sqlite")
        }

        /// As `sqlite3 users.sqlite ".backup backup.sqlite"` does while the server runs.
        func makeBackup() throws {
            let source = try DatabaseQueue(path: folder.appending(path: "users.sqlite").path)
            try source.backup(to: try DatabaseQueue(path: backup.path))
        }

        func restore() throws {
            let manager = FileManager.default
            for name in ["users.sqlite", "users.sqlite-wal", "users.sqlite-shm"] {
                let file = folder.appending(path: name)
                if manager.fileExists(atPath: file.path) { try manager.removeItem(at: file) }
            }
            try manager.copyItem(at: backup, to: folder.appending(path: "users.sqlite"))
        }
    }

    /// The running program, over the network of this machine.
    @Test func everyDeviceGoesOnAfterTheServersRestore() async throws {
        let folder = try TemporaryFolder()
        let data = Data(folder)
        try folder.write(
            "name: Test\ncollections:\n  notes:\n    policy: appendOnly\n",
            to: "declared/underway.yaml")
        let server = try await Tool.Server([
            "--release", folder.path, "--data", data.folder.path, "--declared",
            folder.path + "/declared",
        ])
        defer { try? server.kill() }
        let address = try URL(address: "http://127.0.0.1:\(server.port)")
        let transport = HTTPTransport()
        defer { transport.close() }
        let phone = try Device("phone", folder, transport, serverURL: address)
        let tablet = try Device("tablet", folder, transport, serverURL: address)
        let late = try Device("late", folder, transport, serverURL: address)
        try await phone.account.upgrade(email: "ada@example.org", password: "correct horse")
        try await tablet.account.signIn(
            email: "ada@example.org", password: "correct horse", bringing: .everything)
        try phone.write("before")
        #expect(await phone.sync.sync().problem == nil)
        try data.makeBackup()
        // A server that starts marks its database anew.
        #expect(try await server.end() == 0)
        try await server.start()
        try phone.write("after")
        try late.write("late")
        for device in [phone, tablet, late] {
            let report = await device.sync.sync()
            #expect(report.problem == nil, "\(report)")
        }
        let user = late.store.user
        #expect(try await server.end() == 0)
        try data.restore()
        try await server.start()
        for _ in 0..<2 {
            for device in [phone, tablet, late] {
                let report = await device.sync.sync()
                #expect(report.problem == nil && !report.needsSignIn, "\(report)")
                #expect(try device.store.status().isSynced)
            }
        }
        #expect(late.store.user == user)
        let fresh = try Device("fresh", folder, transport, serverURL: address)
        try await fresh.account.signIn(
            email: "ada@example.org", password: "correct horse", bringing: .everything)
        #expect(await fresh.sync.sync().problem == nil)
        #expect(try fresh.has("before") && fresh.has("after"))
        let export = String(decoding: try await late.account.export(), as: UTF8.self)
        #expect(export.contains("\"late\"") && export.contains(user))
    }

    /// With tokens that ran out meanwhile, and with what must not come back.
    @Test func sessionsProveThemselvesAndEndedOnesStayEnded() async throws {
        let folder = try TemporaryFolder()
        let (data, clock) = (Data(folder), StoryClock())
        func transport(_ users: UserBackend) -> InProcessTransport {
            InProcessTransport(InProcessRouter(release: folder.path + "/none", users: users))
        }
        func devices(_ users: UserBackend, _ names: [String]) throws -> [Device] {
            try names.map {
                try Device(
                    $0, folder, transport(users), serverURL: "http://server",
                    clock: { clock.now })
            }
        }
        let names = ["phone", "late", "leaver", "lost"]
        do {
            let users = try await Story.users(folder, clock)
            let all = try devices(users, names)
            for device in [all[0], all[2], all[3]] {
                try device.write("early")
                #expect(await device.sync.sync().problem == nil)
            }
            try data.makeBackup()
            for _ in 0..<3 {
                // Each round all access tokens have run out, and each device renews them.
                clock.advance(Double(ServiceLimits.accessTokenSeconds + 1))
                for device in all.prefix(2) {
                    try device.write("w\(clock.now.timeIntervalSince1970)")
                    #expect(await device.sync.sync().problem == nil)
                }
            }
            _ = try await users.delete(all[2].store.user)
            try await users.revokeAll(of: all[3].store.user)
        }
        try data.restore()
        clock.advance(Double(ServiceLimits.accessTokenSeconds + 1))
        let users = try await Story.users(folder, clock)
        let all = try devices(users, names)
        for device in all.prefix(2) {
            let before = try device.store.state().bases.count
            let report = await device.sync.sync()
            #expect(report.problem == nil)
            #expect(try device.store.status().isSynced)
            var (export, bytes) = (users.export(device.store.user), [UInt8]())
            while let piece = try await export.next() { bytes += piece }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.split(separator: "\"revision\"").count - 1 >= before, "\(text)")
        }
        for (device, problem) in [
            (all[2], "deleted on another device"), (all[3], "cannot reach its account"),
        ] {
            let report = await device.sync.sync()
            #expect(report.needsSignIn && report.problem?.contains(problem) == true)
            #expect(try device.store.status().needsSignIn)
            #expect(try !device.store.status().isSynced)
        }
    }

    /// A status that was good yesterday says nothing while nothing is sent.
    @Test func aDeviceThatMustSignInIsNeverSynced() async throws {
        let folder = try TemporaryFolder()
        let users = try await Story.users(folder, StoryClock())
        let device = try Device(
            "phone", folder,
            InProcessTransport(InProcessRouter(release: folder.path + "/none", users: users)),
            serverURL: "http://server")
        try device.write("a")
        #expect(await device.sync.sync().problem == nil)
        #expect(try device.store.status().isSynced)
        try await users.revokeAll(of: device.store.user)
        #expect(await device.sync.sync().needsSignIn)
        #expect(try !device.store.status().isSynced)
        // Also after the app was started again.
        let again = try UserStore(
            folder: folder.url.appending(path: "phone"), collections: [Self.notes])
        #expect(try again.status().needsSignIn && !again.status().isSynced)
    }
}
