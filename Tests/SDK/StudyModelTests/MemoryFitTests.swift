import Foundation
import Synchronization
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

@MainActor @Suite struct MemoryFitTests {
    /// A learner with reviews of 29 questions, one a day for each.
    private func learner(reviews: Int) async throws -> ProgressFixture {
        let fixture = try ProgressFixture()
        let records = (0..<reviews).map { number in
            AnswerRecord(
                sessionID: "s\(number / 29)", questionID: "q\(number % 29 + 1)", domain: "odd",
                contentVersion: "1", response: ["a"], isCorrect: number % 7 != 0,
                credit: number % 7 == 0 ? 0 : 1, timeTaken: 5, exposuresBefore: number / 29,
                mode: .study, isRandomlySelected: false,
                date: fixture.now - ProgressFixture.day * Double(100 - 3 * (number / 29)))
        }
        try fixture.userData.add(records, to: ProgressFixture.bank, now: fixture.now)
        return fixture
    }

    private func record(_ fixture: ProgressFixture) throws -> MemoryRecord? {
        try fixture.userData.record(MemoryRecord.self, id: MemoryRecord.recordID)
    }

    /// Studies a session to its end, and waits for the step that follows.
    private func study(_ fixture: ProgressFixture) async throws {
        let id = try await SessionStart(fixture.services).begin(ProgressFixture.bank, .study)
        let model = SessionModel(fixture.services, id: id)
        await model.finish()
        try #require(model.isOver)
        await model.fit?.value
    }

    @Test(arguments: [(511, false), (512, true)])
    func aSessionIsFollowedByTheFirstFit(reviews: Int, isFitted: Bool) async throws {
        let fixture = try await learner(reviews: reviews)
        try await study(fixture)
        let record = try record(fixture)
        #expect((record != nil) == isFitted)
        // A candidate is not used before its trial.
        #expect(record?.reviews == (isFitted ? reviews : nil) && record?.parameters == nil)
    }

    @Test func noFitIsMadeForWhoeverSwitchedItOff() async throws {
        let fixture = try await learner(reviews: 512)
        let model = LearningModel(fixture.services)
        await model.load()
        var settings = LearningSettings()
        settings.optimises = false
        await model.save(settings)
        try await study(fixture)
        #expect(try record(fixture) == nil)

        // The learner may ask for it.
        guard case .fitted(_, .none)? = await model.optimise() else {
            Issue.record("no fit")
            return
        }
        let first = try #require(try record(fixture))
        #expect(await model.optimise() == .waiting(reviewsNeeded: 200))
        #expect(try record(fixture) == first && model.screen?.hasOwnMemory == false)
    }

    @Test func theFitOfAnotherDeviceThatArrivedMeanwhileStays() async throws {
        let fixture = try await learner(reviews: 512)
        let other = MemoryRecord(candidate: .standard, through: fixture.now, reviewCount: 900)
        var services = fixture.services
        services.userData = InterruptedData(fixture.userData) {
            try $0.put(other, id: MemoryRecord.recordID, now: fixture.now)
        }
        #expect(try await MemoryFit(services).step(isRequested: true) == nil)
        #expect(try record(fixture) == other)
    }

    @Test func aSyncBringsTheFit() async throws {
        let device = try await StudyDevice()
        let records = (0..<512).map { number in
            AnswerRecord(
                sessionID: "s\(number / 32)", questionID: "q\(number % 32)", domain: "",
                contentVersion: "1", response: ["a"], isCorrect: true, credit: 1, timeTaken: 5,
                exposuresBefore: number / 32, mode: .study, isRandomlySelected: false,
                date: device.device.clock.now - ProgressFixture.day * Double(100 - number / 32))
        }
        try device.device.userData.add(
            records, to: StudyDevice.exam, now: device.device.clock.now)
        await device.services.sync?.syncNow()
        let record = try device.device.userData.record(
            MemoryRecord.self, id: MemoryRecord.recordID)
        #expect(record?.reviews == 512)
    }
}

/// The learner's data, in which something happens after the first access.
private final class InterruptedData: StudyUserData {
    private let store: UserStore
    private let event: Mutex<(@Sendable (UserStore) throws -> Void)?>

    init(_ store: UserStore, _ event: @escaping @Sendable (UserStore) throws -> Void) {
        self.store = store
        self.event = Mutex(event)
    }

    var user: String { store.user }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (UserStore) throws -> Value
    ) async throws -> Value {
        let value = try await store.perform(body)
        let event = event.withLock { event in
            defer { event = nil }
            return event
        }
        try event?(store)
        return value
    }
}
