import Foundation
import StudyModel
import Synchronization
import Underway
import UnderwayTesting

/// A learner with content in memory, whose answers a test gives.
struct ProgressFixture {
    let content: OfflineStore
    let userData: UserStore
    let clock = TestClock()
    let services: StudyServices

    static let bank = QuestionFilter.Bank.exam(region: "int", exam: "rules")
    static let day = 86_400.0

    init(blueprints: [Blueprint] = [.rules()]) throws {
        content = try OfflineStore.inMemory(blueprints: blueprints, appVersion: "1")
        userData = try UserStore.inMemory()
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.firstWeekday = 2
        services = StudyServices(
            content: content, userData: userData, clock: { [clock] in clock.now },
            calendar: calendar)
    }

    var now: Date { clock.now }

    /// Answers a question of a bank some days ago.
    func answer(
        _ number: Int, isCorrect: Bool = true, daysAgo: Double = 0, bank: QuestionFilter.Bank = bank
    ) async throws {
        let record = AnswerRecord(
            sessionID: "s-\(daysAgo)", questionID: "q\(number)",
            domain: number % 2 == 0 ? "even" : "odd", contentVersion: "1",
            response: [isCorrect ? "a" : "b"], isCorrect: isCorrect, credit: isCorrect ? 1 : 0,
            timeTaken: 5, exposuresBefore: 0, mode: .study, isRandomlySelected: false,
            date: now - daysAgo * Self.day)
        try userData.add([record], to: bank, now: now)
    }

    /// Loads the first page.
    func today() async throws -> TodayScreen? {
        let model = await TodayModel(services)
        await model.load()
        if let problem = await model.problem { throw problem }
        return await model.screen
    }

    /// Loads the page.
    func screen(of subject: String? = nil) async throws -> ProgressScreen? {
        let model = await ProgressModel(services)
        await model.load(subject: subject)
        if let problem = await model.problem { throw problem }
        return await model.screen
    }
}

extension Blueprint {
    /// An exam with numbered questions, whose last one is retired.
    static func rules(id: String = "int/rules", questions count: Int = 30) -> Blueprint {
        let questions = (1...count).map { number in
            Question(
                id: "q\(number)", type: .singleChoice, domain: number % 2 == 0 ? "even" : "odd",
                difficulty: 1, stem: "Question \(number)?",
                options: [
                    QuestionOption(id: "a", text: "Yes"), QuestionOption(id: "b", text: "No"),
                ],
                correct: [0], isRetired: number == count)
        }
        return Blueprint(
            kind: .exam, id: id, title: "Rules of \(id)", version: "1",
            domains: [
                Domain(id: "odd", title: "Odd", weight: 1),
                Domain(id: "even", title: "Even", weight: 1),
            ], scoring: Scoring(passFraction: 0.8), questions: questions)
    }
}

/// The learner's data on a disk that fails on demand.
final class SwitchableData: StudyUserData {
    let fails = Mutex(false)
    private let store: UserStore

    init(_ store: UserStore) { self.store = store }

    var user: String { store.user }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (UserStore) throws -> Value
    ) async throws -> Value {
        if fails.withLock({ $0 }) { throw StoreError(.storage, "The disk does not answer.") }
        return try await store.perform(body)
    }
}
