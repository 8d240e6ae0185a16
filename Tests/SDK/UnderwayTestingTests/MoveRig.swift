import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import SyncClient
import Testing
import UnderwayTesting
import UserData

/// A server of the kit and devices whose processes can end at any step.
final class MoveRig {
    struct Goal: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("goals", .askUser)
        var text: String
    }

    struct Note: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("notes", .lastWriteWins)
        var text: String
    }

    struct Points: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("points", .counter)
        var n = 0
    }

    /// A process of a device.
    struct Device {
        let folder: URL
        let secrets: MemorySecretStore
        let store: UserStore
        let account: Account
        let sync: UserDataSync
    }

    static let email = "ada@example.org"
    static let password = "correct horse"
    static let bank = QuestionFilter.Bank.exam(region: "int", exam: "harbour")
    static let collections = [Goal.collection, Note.collection, Points.collection]

    let clock = TestClock()
    let server: TestSyncServer
    let network: TestNetwork
    let ada: String
    private let root = FileManager.default.temporaryDirectory.appending(
        path: "underway-moves-\(UUID().uuidString)", directoryHint: .isDirectory)

    init() throws {
        server = TestSyncServer(collections: Self.collections, clock: clock)
        network = TestNetwork(server)
        ada = try #require(server.addAccount(email: Self.email, password: Self.password))
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Starts a process on a device's folder; `device` is one that ended.
    func open(_ name: String, after device: Device? = nil) throws -> Device {
        let folder = root.appending(path: name, directoryHint: .isDirectory)
        let secrets = device?.secrets ?? MemorySecretStore()
        let store = try UserStore(folder: folder, collections: Self.collections)
        let account = Account(
            store: store, secrets: secrets, transport: network,
            serverURL: TestDevice.serverAddress)
        let clock = clock
        return Device(
            folder: folder, secrets: secrets, store: store, account: account,
            sync: UserDataSync(
                store: store, account: account, transport: network,
                serverURL: TestDevice.serverAddress, clock: { clock.now }, jitter: { 0.5 }))
    }

    func answer(_ questions: [String], on device: Device) throws {
        clock.advance(by: .seconds(1))
        let records = questions.map { question in
            AnswerRecord(
                sessionID: "s", questionID: question, contentVersion: "1", response: ["a"],
                isCorrect: true, credit: 1, timeTaken: 2, exposuresBefore: 0, mode: .study,
                isRandomlySelected: false, date: clock.now)
        }
        try device.store.add(records, to: Self.bank, now: clock.now)
    }

    func put(goal text: String, on device: Device) throws {
        clock.advance(by: .seconds(1))
        try device.store.put(Goal(text: text), id: "g", now: clock.now)
    }

    func put(note text: String, on device: Device) throws {
        clock.advance(by: .seconds(1))
        try device.store.put(Note(text: text), id: "n", now: clock.now)
    }

    func step(_ count: Int64, on device: Device) throws {
        clock.advance(by: .seconds(1))
        try device.store.increment(Points.self, id: "p", field: "n", by: count, now: clock.now)
    }

    @discardableResult
    func sync(_ device: Device) async -> UserDataReport {
        clock.advance(by: .seconds(60))
        return await device.sync.sync()
    }

    func signIn(_ device: Device, _ bringing: BroughtData = .everything) async throws {
        try await device.account.signIn(
            email: Self.email, password: Self.password, bringing: bringing)
    }

    /// A phone with an account of its own, of which all is on the server but one answer and one step.
    func phone() async throws -> Device {
        let phone = try open("phone")
        try answer(["q1", "q2"], on: phone)
        try put(note: "phone", on: phone)
        try step(3, on: phone)
        #expect(await sync(phone).problem == nil)
        try answer(["q3"], on: phone)
        try step(4, on: phone)
        return phone
    }

    /// The questions that a device shows as answered.
    func questions(_ device: Device) throws -> [String] {
        try device.store.answers(of: Self.bank).map(\.questionID).sorted()
    }

    /// The questions that the server has as answered in Ada's account.
    var served: [String] { server.answers(of: ada).map(\.question).sorted() }

    /// Checks that all of the phone's is in Ada's account once, and that nothing else is left.
    func expectJoined(_ device: Device, _ comment: Comment? = nil) throws {
        #expect(device.store.user == ada, comment)
        #expect(server.users == [ada], comment)
        #expect(served == ["q1", "q2", "q3"], comment)
        #expect(try questions(device) == ["q1", "q2", "q3"], comment)
        #expect(server.records(Points.self, of: ada).map(\.value.n) == [7], comment)
        #expect(try device.store.record(Note.self, id: "n")?.text == "phone", comment)
        #expect(try device.store.otherUsers().isEmpty, comment)
        #expect(try device.store.intendedMoves().isEmpty, comment)
        let status = try device.store.status()
        #expect(status.isSynced, "\(comment ?? "") \(status)")
    }
}
