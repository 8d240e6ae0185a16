import ContentModel
import Foundation
import Ledger
import OfflineStorage
import QuestionEngine
import ServerApplication
import ServerTestSupport
import SyncClient
import Synchronization
import TestSupport
import Testing
import UnderwayTesting
import UserData

/// The kit's sync server against the real one: the same writes lead to the same data on the devices.
@Suite struct TestKitAgreementTests {
    private struct Note: CollectionRecord {
        static let collection = CollectionDeclaration("notes", .lastWriteWins)
        var text: String
    }

    private struct Booking: CollectionRecord {
        static let collection = CollectionDeclaration("bookings", .askUser)
        var day: Int
    }

    private struct Profile: CollectionRecord {
        static let collection = CollectionDeclaration("profile", .fieldMerge)
        var name: String?
        var city: String?
    }

    private struct Points: CollectionRecord {
        static let collection = CollectionDeclaration("points", .counter)
        var n = 0
    }

    private static let collections = [
        Note.collection, Booking.collection, Profile.collection, Points.collection,
    ]

    /// A network that loses the next reply after the server gave it.
    private final class LossyTransport: Transport {
        private let inner: any Transport
        private let losesNext = Mutex(false)

        init(_ inner: any Transport) { self.inner = inner }

        func loseNextReply() { losesNext.withLock { $0 = true } }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let response = try await inner.send(request)
            let isLost = losesNext.withLock { loses in
                defer { loses = false }
                return loses
            }
            if isLost { throw TransportError(.offline, "The reply was lost.") }
            return response
        }
    }

    /// Two devices of one account, guests with accounts of their own, and the clock that they share.
    private struct World {
        private static let (email, password) = ("anne@example.org", "correct horse")

        let clock: TestClock
        let folder: TemporaryFolder
        let stores: [UserStore]
        let syncs: [UserDataSync]
        private let accounts: [Account]
        private let transport: LossyTransport

        init(
            _ inner: any Transport, clock: TestClock = TestClock(), guests: Int = 0
        ) async throws {
            let folder = try TemporaryFolder()
            let transport = LossyTransport(inner)
            (self.folder, self.clock, self.transport) = (folder, clock, transport)
            stores = try (0..<2 + guests).map { index in
                try UserStore(
                    folder: folder.url.appending(path: "\(index)"),
                    collections: TestKitAgreementTests.collections,
                    makeID: Self.names("device-\(index)"))
            }
            accounts = stores.map {
                Account(
                    store: $0, secrets: MemorySecretStore(), transport: transport,
                    serverURL: TestDevice.serverAddress)
            }
            syncs = zip(stores, accounts).map { store, account in
                UserDataSync(
                    store: store, account: account, transport: transport,
                    serverURL: TestDevice.serverAddress, clock: { clock.now },
                    jitter: { 0.5 })
            }
            try await accounts[0].upgrade(email: Self.email, password: Self.password)
            try await accounts[1].signIn(
                email: Self.email, password: Self.password, bringing: .nothing)
        }

        /// Returns a source of names, of which the first is the plain one.
        private static func names(_ name: String) -> @Sendable () -> String {
            let count = Counter()
            return {
                let number = count.next()
                return number == 0 ? name : "\(name)-\(number)"
            }
        }

        private final class Counter: Sendable {
            private let count = Mutex(0)

            func next() -> Int {
                count.withLock { count in
                    defer { count += 1 }
                    return count
                }
            }
        }

        /// Guests enter the account with all that they have.
        func takeGuestsIn() async throws {
            for account in accounts.dropFirst(2) {
                clock.advance(by: .seconds(60))
                do {
                    try await account.signIn(
                        email: Self.email, password: Self.password, bringing: .everything)
                } catch is ServiceError {
                    // A reply was lost: the second time goes on from there.
                    try await account.signIn(
                        email: Self.email, password: Self.password, bringing: .everything)
                }
            }
        }

        /// Carries out a random step.
        func step(using random: inout SeededGenerator) async throws {
            clock.advance(by: .seconds(Int.random(in: 1...20, using: &random)))
            let index = Int.random(in: 0..<stores.count, using: &random)
            let (store, now) = (stores[index], clock.now)
            let value = Int.random(in: 0...3, using: &random)
            let id = "r\(Int.random(in: 0...1, using: &random))"
            switch Int.random(in: 0...9, using: &random) {
            case 0: try store.put(Note(text: "\(value)"), id: id, now: now)
            case 1: try store.delete(Note.self, id: id, now: now)
            case 2: try store.put(Booking(day: value), id: id, now: now)
            case 3: try store.put(Profile(name: "\(value)", city: nil), id: id, now: now)
            case 4:
                let known = try store.record(Profile.self, id: id)
                try store.put(Profile(name: known?.name, city: "\(value)"), id: id, now: now)
            case 5: try store.increment(Points.self, id: id, field: "n", by: Int64(value), now: now)
            case 6:
                try store.add([Self.answer(value, now)], to: .placement(language: "en"), now: now)
            case 7:
                transport.loseNextReply()
                _ = await syncs[index].sync()
            default: _ = await syncs[index].sync()
            }
        }

        private static func answer(_ value: Int, _ now: Date) -> AnswerRecord {
            AnswerRecord(
                sessionID: "s", questionID: "q\(value)", contentVersion: "1", response: ["a"],
                isCorrect: true, credit: 1, timeTaken: 2, exposuresBefore: 0, mode: .study,
                isRandomlySelected: false, date: now)
        }

        /// Syncs until nothing moves, and describes what both devices show.
        func ending() async throws -> [String] {
            for _ in 0..<2 {
                for sync in syncs {
                    clock.advance(by: .seconds(3600))
                    #expect(await sync.sync().problem == nil)
                }
            }
            return try stores.map { store in
                let notes = try store.records(Note.self).map { "\($0.id) \($0.value.text)" }
                let bookings = try store.records(Booking.self).map { "\($0.id) \($0.value.day)" }
                let profiles = try store.records(Profile.self).map { "\($0.id) \($0.value)" }
                let points = try store.records(Points.self).map { "\($0.id) \($0.value.n)" }
                let answers = try store.answers(of: .placement(language: "en"))
                    .map(\.questionID).sorted()
                let counts = try [store.conflicts().count, store.notices().count]
                return
                    "\(notes) \(bookings) \(profiles) \(points) \(answers) \(counts)"
                    + " synced: \(try store.status().isSynced)"
            }
        }
    }

    /// `UNDERWAY_STORY_SEEDS` plays more of them.
    @Test(arguments: 0..<TestRun.count("UNDERWAY_STORY_SEEDS", orElse: UInt64(6)), [0, 2])
    func devicesEndTheSame(seed: UInt64, guests: Int) async throws {
        let (folder, clock) = (try TemporaryFolder(), TestClock())
        let users = try await UserBackend(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"),
                collections: Self.collections.map { CollectionRules($0) },
                passwordRounds: 1 << 10), clock: { clock.now })
        let router = InProcessRouter(release: folder.path + "/none", users: users)
        let real = try await World(InProcessTransport(router), clock: clock, guests: guests)
        let kit = try await World(TestSyncServer(collections: Self.collections), guests: guests)
        for world in [real, kit] {
            var random = SeededGenerator(seed: seed)
            for _ in 0..<40 { try await world.step(using: &random) }
            try await world.takeGuestsIn()
            for _ in 0..<10 { try await world.step(using: &random) }
        }
        let (expected, found) = (try await real.ending(), try await kit.ending())
        #expect(found == expected, "seed \(seed)")
    }
}
