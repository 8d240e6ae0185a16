import Foundation
import TestSupport
import Testing
import Underway

/// The study session of the page for app developers, with a learner who has a history.
@Suite struct StudySessionDaysTests {
    private let folder: TemporaryFolder
    private let bank = QuestionFilter.Bank.exam(region: "int", exam: "demo")
    private let now = Date()
    private let day = 86_400.0

    init() throws { folder = try TemporaryFolder() }

    /// Forty questions, of which q5 is retired.
    private let blueprint = Blueprint(
        kind: .exam, id: "int/demo", title: "Demo", version: "1.0.0",
        questions: (0..<40).map { number in
            Question(
                id: "q\(number)", type: .singleChoice, difficulty: 1, stem: "?",
                options: [.init(id: "a", text: "A"), .init(id: "b", text: "B")], correct: [0],
                isRetired: number == 5)
        })

    private func answer(
        _ question: String, daysAgo: Double, isRight: Bool = true, exposuresBefore: Int = 0
    ) -> AnswerRecord {
        AnswerRecord(
            sessionID: "s\(daysAgo)", questionID: question, contentVersion: "v",
            response: [isRight ? "a" : "b"], isCorrect: isRight, credit: isRight ? 1 : 0,
            timeTaken: 3, exposuresBefore: exposuresBefore, mode: .study,
            isRandomlySelected: false, date: now.addingTimeInterval(-daysAgo * day))
    }

    /// The code of the page.
    private func study() async throws -> StudySession {
        let folder = folder.url
        let userData = try await UserStore.open(at: folder)
        // study session: start
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let studied = try await userData.perform { try $0.schedules(of: bank, by: scheduler) }
        let cards = studied.mapValues {
            StudyPlan.Card(schedule: $0.schedule, answerCount: $0.answerCount)
        }
        let today = LearningClock().day(of: Date())
        let used = try await userData.perform { try $0.usage(on: today, in: bank) }
        var chance = SystemRandomNumberGenerator()
        let plan = StudyPlan(
            blueprint, StudyPlan.Request(mode: .study, cards: cards, used: used),
            scheduler: scheduler, now: Date(), using: &chance)
        var session = StudySession(
            id: UUID().uuidString, mode: .study, entries: plan.entries, now: Date(),
            using: &chance)
        func find(_ id: String) -> Question? { blueprint.questions.first { $0.id == id } }
        while let item = session.current, let question = find(item.questionID) {
            let grade = try session.answer(["a"], to: question, now: Date())
            try await userData.perform { [session] in try $0.save(session, of: bank) }
            print(grade.credit, grade.isCorrect, grade.explanation ?? "")
        }
        session.finish(now: Date())
        try await userData.perform { [session] in try $0.save(session, of: bank) }
        // study session: end
        return session
    }

    @Test func thePageShowsTheseLines() throws {
        try DocumentedExample.expect("study session", linesMax: 28)
    }

    @Test func dayTwoAsksWhatIsDueByUrgencyAndThenWhatIsNew() async throws {
        let history = [
            // Known for weeks and due long ago, due for a day, not due, forgotten, retired and due.
            answer("q3", daysAgo: 80), answer("q3", daysAgo: 60, exposuresBefore: 1),
            answer("q7", daysAgo: 3.5),
            answer("q1", daysAgo: 0.5),
            answer("q9", daysAgo: 30, isRight: false),
            answer("q5", daysAgo: 50),
        ]
        try await UserStore.open(at: folder.url).add(history, to: bank, now: now)
        let scheduler = try ReviewScheduler(.rightOrWrong)
        let recall = ["q3", "q7", "q9"].map { id in
            let reviews = history.filter { $0.questionID == id }.map(\.review)
            return (
                id: id,
                recall: scheduler.retrievability(
                    of: scheduler.replay(reviews, now: now), on: LearningClock().day(of: now))
            )
        }.sorted { $0.recall < $1.recall }

        let session = try await study()
        let asked = session.records.map(\.questionID)
        #expect(Array(asked.prefix(3)) == recall.map(\.id))
        #expect(asked.prefix(3).first == "q9")
        #expect(!asked.contains("q1") && !asked.contains("q5"))
        let new = blueprint.questions.map(\.id).filter {
            !["q1", "q3", "q5", "q7", "q9"].contains($0)
        }
        #expect(new.starts(with: asked.dropFirst(3)))
        #expect((19...20).contains(asked.count - 3))
        #expect(session.state == .finished)
        let seen = Dictionary(
            uniqueKeysWithValues: session.records.map { ($0.questionID, $0.exposuresBefore) })
        #expect(seen["q3"] == 2 && seen["q7"] == 1 && seen["q9"] == 1)
        #expect(asked.dropFirst(3).allSatisfy { seen[$0] == 0 })
    }

    @Test func aSecondSessionOfADayAsksNothingAgain() async throws {
        let first = try await study()
        #expect(first.records.count == 20)
        let second = try await study()
        #expect(second.records.isEmpty)
        #expect(second.state == .finished)
    }
}
