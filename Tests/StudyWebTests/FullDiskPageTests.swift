import Foundation
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
        #expect(try browser.userData.openSessions().isEmpty)
    }
}

/// A learner's data that saves no session while the disk is full.
private final class FullDisk: StudyUserData {
    let isFull = Mutex(false)
    private let store: UserStore

    init(_ store: UserStore) { self.store = store }

    var user: String { store.user }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (UserStore) throws -> Value
    ) async throws -> Value { try await store.perform(body) }

    func saveSession(
        _ session: StudySession, of bank: QuestionFilter.Bank, now: Date
    ) async throws {
        guard !isFull.withLock({ $0 }) else { throw StoreError(.storage, "The disk is full.") }
        try await store.saveSession(session, of: bank, now: now)
    }
}
