import ContentModel
import Foundation
import GRDB
import QuestionEngine
import TestSupport
import Testing
import UserData

@testable import OfflineStorage

/// Whatever is wrong with a database, an app sees `StoreError` alone.
@Suite struct ErrorBoundaryTests {
    /// A way in which a database fails under an open store.
    enum Failure: CaseIterable {
        case withoutTables
        case unreadableRows
        case readOnly
    }

    private typealias Call = (name: String, body: () throws -> Void)

    private let bank = QuestionFilter.Bank.placement(language: "es")
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let question = Question(
        id: "q", type: .singleChoice, difficulty: 1, stem: "?",
        options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0])

    private func session() throws -> StudySession {
        var random = SeededGenerator(seed: 1)
        var session = StudySession(
            id: "s", mode: .study,
            entries: [.init(question, contentVersion: "v", exposuresBefore: 0)], now: now,
            using: &random)
        try session.answer(["a"], to: question, now: now)
        return session
    }

    /// Every public function of `UserStore` that reads or writes.
    private func calls(_ store: UserStore) throws -> [Call] {
        let session = try session()
        let id = OperationID(client: ClientID("c"), counter: 1)
        let scheduler = try ReviewScheduler(.rightOrWrong)
        return [
            ("put", { try store.put(Favourite(bank: "es"), id: "q") }),
            ("delete", { try store.delete(Favourite.self, id: "q") }),
            ("increment", { try store.increment(Favourite.self, id: "q", field: "n", by: 1) }),
            ("write", { try store.write { try $0.put(Favourite(bank: "es"), id: "r") } }),
            ("record", { _ = try store.record(Favourite.self, id: "q") }),
            ("records", { _ = try store.records(Favourite.self) }),
            ("status", { _ = try store.status() }),
            ("outbox", { _ = try store.outbox() }),
            ("conflicts", { _ = try store.conflicts() }),
            ("conflicts(of:)", { _ = try store.conflicts(of: Reservation.self) }),
            ("resolve", { try store.resolve(RecordKey("a", "b"), .keepMine, shown: "") }),
            ("rejected", { _ = try store.rejected() }),
            ("retry", { try store.retry(id) }),
            ("notices", { _ = try store.notices() }),
            ("dismiss", { try store.dismiss(id) }),
            ("save", { try store.save(session, of: bank) }),
            ("add", { try store.add(session.records, to: bank) }),
            ("answers", { _ = try store.answers(of: bank) }),
            ("openSession", { _ = try store.openSession(of: bank, mode: .study) }),
            ("dropSessions", { try store.dropSessions(of: bank, mode: .study) }),
            ("schedules", { _ = try store.schedules(of: bank, by: scheduler) }),
            ("usage", { _ = try store.usage(on: LearningClock().day(of: now), in: bank) }),
            ("progressByDay", { _ = try store.progressByDay() }),
            ("progressByDomain", { _ = try store.progressByDomain() }),
            ("otherUsers", { _ = try store.otherUsers() }),
            ("hasData", { _ = try store.hasData() }),
            ("export", { _ = try store.export(user: UserStore.localUser) }),
            ("bring", { try store.bring(from: "other") }),
            ("erase", { try store.erase(user: "other") }),
            ("signOut", { try store.signOut(erasing: true, lossIsAccepted: true) }),
        ]
    }

    /// Every public function of `OfflineStore` that reads or writes.
    private func calls(_ store: OfflineStore, _ bundle: ContentBundle) -> [Call] {
        let checksum = Checksum(of: Array("file".utf8))
        return [
            ("freshness", { _ = try store.freshness() }),
            ("currentGeneration", { _ = try store.currentGeneration() }),
            ("manifest", { _ = try store.manifest() }),
            ("questions", { _ = try store.questions(QuestionFilter(bank)) }),
            ("blueprint", { _ = try store.blueprint(bank) }),
            ("localization", { _ = try store.localization(language: "es") }),
            ("asset", { _ = try store.asset("rules.json") }),
            ("announcements", { _ = try store.announcements() }),
            ("refusedDocuments", { _ = try store.refusedDocuments() }),
            ("refusedDocumentCount", { _ = try store.refusedDocumentCount() }),
            ("partialDocuments", { _ = try store.partialDocuments() }),
            ("lazyFile", { _ = try store.lazyFile(checksum) }),
            ("cleanUpLazyFiles", { try store.cleanUpLazyFiles(quotaBytes: 0) }),
            ("beginStart", { _ = try store.beginStart() }),
            ("willShowFirstScreen", { try store.willShowFirstScreen() }),
            ("confirmStart", { try store.confirmStart() }),
            ("liftBans", { try store.liftBans() }),
            ("installBundle", { try store.installBundle(bundle) }),
        ]
    }

    /// Runs calls; whatever one throws must be a `StoreError` with a message for the user.
    private func failures(of calls: [Call], _ failure: Failure) -> [String] {
        calls.compactMap { call in
            do {
                try call.body()
                return nil
            } catch let error as StoreError {
                #expect(!error.message.lowercased().contains("sqlite error"), "\(call.name)")
                // The remedy is a sentence of its own, or stands behind a colon.
                let parts = error.message.split { ".:;".contains($0) }
                #expect(parts.count > 1, "\(call.name): \(error.message)")
                return call.name
            } catch {
                Issue.record("\(failure): \(call.name) throws \(type(of: error)): \(error)")
                return call.name
            }
        }
    }

    private func fail(_ queue: DatabaseQueue, _ failure: Failure) throws {
        switch failure {
        case .readOnly: break
        case .withoutTables:
            try queue.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA foreign_keys = OFF")
                let tables = try String.fetchAll(
                    database,
                    sql: """
                        SELECT name FROM sqlite_master WHERE type = 'table'
                            AND name NOT LIKE 'sqlite_%'
                        """)
                for table in tables { try database.execute(sql: "DROP TABLE \(table)") }
            }
        case .unreadableRows:
            try queue.writeWithoutTransaction { database in
                for table in ["person", "session", "pending"] where try database.tableExists(table)
                {
                    let empty = table == "pending" ? "'{'" : "x'7b'"
                    try database.execute(sql: "UPDATE \(table) SET json = \(empty)")
                }
                if try database.tableExists("person") {
                    // Another process wrote: what is in memory is out of date.
                    try database.execute(sql: "UPDATE person SET version = version + 100")
                }
                if try database.tableExists("blob") {
                    try database.execute(sql: "UPDATE blob SET bytes = x'7b'")
                    try database.execute(sql: "UPDATE generation SET manifest = x'7b'")
                }
            }
        }
    }

    @Test(arguments: Failure.allCases)
    func userDataFailsWithStoreErrorsAlone(failure: Failure) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/user.sqlite"
        var queue = try DatabaseQueue(path: path)
        var store = try UserStore(queue, collections: [], makeID: { "me" })
        try store.put(Favourite(bank: "es"), id: "q")
        try store.save(session(), of: bank)
        if failure == .readOnly {
            var configuration = Configuration()
            configuration.readonly = true
            queue = try DatabaseQueue(path: path, configuration: configuration)
            store = try UserStore(queue, collections: [], makeID: { "me" })
        }
        try fail(queue, failure)
        let failed = failures(of: try calls(store), failure)
        #expect(failed.contains("put") && failed.contains("save"), "\(failed)")
        if failure != .readOnly { #expect(failed.contains("records"), "\(failed)") }
    }

    @Test(arguments: [Failure.withoutTables, .unreadableRows])
    func contentFailsWithStoreErrorsAlone(failure: Failure) throws {
        let fixture = try StoreFixture()
        let bundle = try fixture.writeBundle(release: 2, StoreFixture.blueprint())
        let damaged = try fixture.writeBundle(release: 3, StoreFixture.blueprint())
        try fixture.folder.write([UInt8]("{".utf8), to: "bundle3/manifest.json")
        for bundle in [bundle, damaged] {
            let queue = try DatabaseQueue()
            try Schema.migrator.migrate(queue)
            let store = try OfflineStore(
                queue, temporary: TemporaryStoreFolder(), appVersion: "1")
            let bytes = StoreFixture.blueprint().json.canonicalBytes
            let checksum = Checksum(of: bytes)
            try store.stage(bytes, as: checksum)
            let manifest = Manifest(
                release: 1,
                languages: [
                    "es": LanguageEntry(
                        blueprint: ContentReference(checksum: checksum, size: bytes.count))
                ])
            try store.install(verifying: manifest.canonicalBytes, now: now)
            try fail(queue, failure)
            let failed = failures(of: calls(store, bundle), failure)
            if failure == .withoutTables {
                #expect(failed.contains("questions") && failed.contains("liftBans"), "\(failed)")
            }
            // Content that is right and of no use to this version is an error of the store, too.
            #expect(failed.contains("asset"))
        }
    }

    @Test func aFullDiskFailsWithStoreErrorsAlone() async {
        await #expect(processExitsWith: .success) {
            let tests = ErrorBoundaryTests()
            let folder = try TemporaryFolder()
            let fixture = try StoreFixture()
            let bundle = try fixture.writeBundle(release: 1, StoreFixture.blueprint())
            FullDiskTests.fillDisk(upTo: 0)
            let content = try OfflineStore(folder: folder.url.appending(path: "new"))
            _ = tests.failures(of: tests.calls(content, bundle), .readOnly)
            let failed = tests.failures(
                of: try tests.calls(UserStore(folder: folder.url)), .readOnly)
            #expect(failed.contains("put") && failed.contains("save"))
        }
    }

    @Test func aSuspendedAppFailsWithStoreErrorsAlone() async {
        await #expect(processExitsWith: .success) {
            let tests = ErrorBoundaryTests()
            let fixture = try StoreFixture()
            let bundle = try fixture.writeBundle(release: 1, StoreFixture.blueprint())
            let userData = try UserStore(folder: fixture.folder.url)
            StoreSuspension.begin()
            _ = tests.failures(of: tests.calls(fixture.store, bundle), .readOnly)
            let failed = tests.failures(of: try tests.calls(userData), .readOnly)
            #expect(failed.contains("put") && failed.contains("save"))
            StoreSuspension.end()
            try userData.put(Favourite(bank: "es"), id: "q")
        }
    }

    @Test func aCodeIsOpenAndAMessageIsForTheUser() {
        let later = StoreError(StoreError.Code(rawValue: "later"), "Do this.")
        #expect(later.localizedDescription == "Do this.")
        #expect("\(StoreError.Code.storage)" == "storage")
        let cause = CocoaError(.fileWriteOutOfSpace)
        let error = StoreError(.storage, "The disk is full. Make room.", cause: cause)
        #expect(error.cause is CocoaError)
        // The cause says nothing about equality.
        #expect(error == StoreError(.storage, "The disk is full. Make room."))
    }
}
