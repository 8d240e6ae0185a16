import Foundation
import PageRendering
import Synchronization
import TestSupport
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// Sessions on a disk that takes nothing more.
@Suite struct FullDiskPageTests {
    private let browser: StudyBrowser
    private let data: FullDisk

    init() throws {
        let content = try OfflineStore.inMemory(blueprints: [StudyPagesTests.exam()])
        let store = try UserStore.inMemory()
        data = FullDisk(store)
        browser = try StudyBrowser(
            StudyServices(content: content, userData: data), content, store)
    }

    @Test func theChoiceStaysAndTheFootSaysThatItIsNotKept() async throws {
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", "study")])
        let session = try #require(begun.location)
        data.isFull.withLock { $0 = true }
        let reading = try await browser.get("\(session)/1")
        #expect(reading.status == 200)
        let refused = try await browser.post("\(session)/1", [("option", "b")])
        #expect(refused.status == 422)
        #expect(refused.body.contains("Your answer could not be kept. It is still chosen here."))
        #expect(refused.body.contains("value=\"b\" checked"))
        #expect(!refused.body.contains("foot wrong"))
        data.isFull.withLock { $0 = false }
        #expect(
            try await browser.post("\(session)/1", [("option", "b")]).location == "\(session)/1")
        #expect(try await browser.get("\(session)/1").body.contains("foot wrong"))
    }

    @Test func anAnswerToADeviceWhoseFileIsGoneIsNotCalledKept() async throws {
        let folder = try TemporaryFolder()
        let store = try UserStore(folder: folder.url)
        let content = try OfflineStore.inMemory(blueprints: [StudyPagesTests.exam()])
        let browser = try StudyBrowser(content: content, userData: store)
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", "study")])
        let session = try #require(begun.location)
        _ = try await browser.get("\(session)/1")
        try FileManager.default.removeItem(atPath: folder.path + "/user.sqlite")
        let refused = try await browser.post("\(session)/1", [("option", "b")])
        #expect(refused.status == 422)
        #expect(refused.body.contains("Your answer could not be kept. It is still chosen here."))
    }

    @Test func noSessionBeginsThatCannotBeKept() async throws {
        data.isFull.withLock { $0 = true }
        let reply = try await browser.post("/session", [("bank", "int/sums"), ("mode", "study")])
        #expect(reply.status == 409)
        #expect(reply.body.contains("This could not be saved."))
        #expect(try await browser.userData.openSessions().isEmpty)
    }
}

/// A learner's data that saves no session while the disk is full.
private final class FullDisk: StudyUserData {
    let isFull = Mutex(false)
    private let store: UserStore

    init(_ store: UserStore) { self.store = store }

    var user: String { store.user }

    func save(_ session: StudySession, of bank: QuestionFilter.Bank, now: Date) async throws {
        guard !isFull.withLock({ $0 }) else { throw StoreError(.storage, "The disk is full.") }
        try await store.save(session, of: bank, now: now)
    }

    func openSessions() async throws -> [SavedSession] { try await store.openSessions() }
    func finishedSessions(limit: Int) async throws -> [SavedSession] {
        try await store.finishedSessions(limit: limit)
    }
    func correctedSessions() async throws -> [SavedSession] {
        try await store.correctedSessions()
    }
    func session(id: String) async throws -> SavedSession? { try await store.session(id: id) }
    func answers(of bank: QuestionFilter.Bank) async throws -> [AnswerRecord] {
        try await store.answers(of: bank)
    }
    func applyCorrections(of bank: Blueprint, now: Date) async throws -> [CorrectedResult] {
        try await store.applyCorrections(of: bank, now: now)
    }
    func schedules(
        of bank: QuestionFilter.Bank, by scheduler: ReviewScheduler, now: Date
    ) async throws -> [String: StudiedQuestion] {
        try await store.schedules(of: bank, by: scheduler, now: now)
    }
    func usage(
        on day: LearningDay, in bank: QuestionFilter.Bank, now: Date?
    ) async throws -> DueQueue.Usage {
        try await store.usage(on: day, in: bank, now: now)
    }
    func progressByDay(limit: Int) async throws -> [UserStore.Progress] {
        try await store.progressByDay(limit: limit)
    }
    func progressByDomain() async throws -> [UserStore.Progress] {
        try await store.progressByDomain()
    }
    func record<Value: CollectionRecord>(_ type: Value.Type, id: String) async throws -> Value? {
        try await store.record(type, id: id)
    }
    func records<Value: CollectionRecord>(
        _ type: Value.Type
    ) async throws -> [IdentifiedRecord<Value>] { try await store.records(type) }
    func put<Value: CollectionRecord>(_ value: Value, id: String, now: Date) async throws {
        try await store.put(value, id: id, now: now)
    }
    func delete<Value: CollectionRecord>(_ type: Value.Type, id: String, now: Date) async throws {
        try await store.delete(type, id: id, now: now)
    }
    func status() async throws -> UserDataStatus { try await store.status() }
    func conflicts() async throws -> [RecordConflict] { try await store.conflicts() }
    func resolve(
        _ key: RecordKey, _ decision: RecordResolution, shown: String, now: Date
    ) async throws { try await store.resolve(key, decision, shown: shown, now: now) }
    func rejected() async throws -> [RejectedChange] { try await store.rejected() }
    func retry(_ id: OperationID, now: Date) async throws { try await store.retry(id, now: now) }
    func notices() async throws -> [ReplacementNotice] { try await store.notices() }
    func dismiss(_ id: OperationID, now: Date) async throws {
        try await store.dismiss(id, now: now)
    }
}
