import ContentModel
import Foundation
import Ledger
import OfflineStorage
import QuestionEngine
import ServerApplication
import ServerTestSupport
import SyncClient
import TestSupport
import Testing
import UserData

/// A server in this process, and devices in folders that can be copied and put back.
struct DeviceWorld {
    /// A note that a user writes; many together are more than one request may have.
    struct Note: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("notes", .lastWriteWins)
        var text: String
    }

    struct Profile: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("profile", .fieldMerge)
        var name: String?
        var city: String?
    }

    struct Points: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("points", .counter)
        var n = 0
    }

    static let collections = [Note.collection, Profile.collection, Points.collection]

    /// A device that is switched on.
    struct Device {
        let store: UserStore
        let account: Account
        let sync: UserDataSync
    }

    let folder: TemporaryFolder
    let users: UserBackend
    let clock: StoryClock
    private let transport: any Transport
    let bank = QuestionFilter.Bank.placement(language: "es")

    init(serving collections: [CollectionDeclaration] = Self.collections) async throws {
        let (folder, clock) = (try TemporaryFolder(), StoryClock())
        let users = try await UserBackend(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"),
                collections: collections.map { CollectionRules($0) }, passwordRounds: 1 << 10),
            clock: { clock.now })
        (self.folder, self.clock, self.users) = (folder, clock, users)
        transport = InProcessTransport(
            InProcessRouter(release: folder.path + "/none", users: users))
    }

    /// Switches a device on, as its folder is now.
    func open(_ name: String) throws -> Device {
        let store = try UserStore(
            folder: folder.url.appending(path: name), collections: Self.collections)
        let account = Account(
            store: store,
            secrets: try FileSecretStore(folder: folder.url.appending(path: "secrets-\(name)")),
            transport: transport, serverURL: "http://127.0.0.1")
        let clock = clock
        return Device(
            store: store, account: account,
            sync: UserDataSync(
                store: store, account: account, transport: transport,
                serverURL: "http://127.0.0.1", clock: { clock.now }, jitter: { 0.5 }))
    }

    /// Copies the folder of a device that is off to another's; its secrets go along, or not.
    func copy(_ name: String, to other: String, withSecrets: Bool) throws {
        let manager = FileManager.default
        for prefix in withSecrets ? ["", "secrets-"] : [""] {
            let target = folder.url.appending(path: prefix + other)
            if manager.fileExists(atPath: target.path) { try manager.removeItem(at: target) }
            try manager.copyItem(at: folder.url.appending(path: prefix + name), to: target)
        }
    }

    /// Answers questions on a device, offline.
    func answer(_ questions: [String], on device: Device) throws {
        clock.advance(1)
        let records = questions.map { question in
            AnswerRecord(
                sessionID: "s", questionID: question, contentVersion: "1", response: ["a"],
                isCorrect: true, credit: 1, timeTaken: 2, exposuresBefore: 0, mode: .study,
                isRandomlySelected: false, date: clock.now)
        }
        try device.store.add(records, to: bank, now: clock.now)
    }

    func questions(_ device: Device) throws -> [String] {
        try device.store.answers(of: bank).map(\.questionID).sorted()
    }

    func put(_ text: String, _ id: String, on device: Device) throws {
        clock.advance(1)
        try device.store.put(Note(text: text), id: id, now: clock.now)
    }

    func step(_ count: Int64, on device: Device) throws {
        clock.advance(1)
        try device.store.increment(Points.self, id: "p", field: "n", by: count, now: clock.now)
    }

    /// Syncs; the problem, if there is one.
    @discardableResult
    func sync(_ device: Device) async -> UserDataReport {
        clock.advance(60)
        return await device.sync.sync()
    }

    /// What a device shows of everything.
    func shown(_ device: Device) throws -> Shown {
        Shown(
            notes: Dictionary(
                try device.store.records(Note.self).map { ($0.id, $0.value.text) },
                uniquingKeysWith: { $1 }),
            points: try device.store.record(Points.self, id: "p")?.n ?? 0,
            questions: try questions(device))
    }

    struct Shown: Equatable {
        var notes: [String: String] = [:]
        var points = 0
        var questions: [String] = []
    }
}
