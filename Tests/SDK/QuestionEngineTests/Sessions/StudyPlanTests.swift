import ContentModel
import Foundation
import QuestionEngine
import TestSupport
import Testing

@Suite struct StudyPlanTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let day = 86_400.0
    private let blueprint: Blueprint
    private let scheduler: ReviewScheduler

    init() throws {
        let questions = (0..<6).map { number in
            var question = makeQuestion(.singleChoice, [0], id: "q\(number)")
            question.domain = number < 3 ? "x" : "y"
            question.tags = number == 4 ? ["rare"] : []
            question.isRetired = number == 5
            return question
        }
        blueprint = Blueprint(
            kind: .exam, id: "int/demo", title: "Demo", version: "1.0.0",
            domains: [
                Domain(id: "x", title: "X", weight: 1), Domain(id: "y", title: "Y", weight: 1),
            ], questions: questions)
        scheduler = try ReviewScheduler(.rightOrWrong)
    }

    private func plan(_ request: StudyPlan.Request, seed: UInt64 = 1) -> StudyPlan {
        var random = SeededGenerator(seed: seed)
        return StudyPlan(blueprint, request, scheduler: scheduler, now: now, using: &random)
    }

    private func answer(_ question: String, daysAgo: Double, isRight: Bool) -> AnswerRecord {
        AnswerRecord(
            sessionID: "s", questionID: question, contentVersion: "v",
            response: [isRight ? "a" : "b"], isCorrect: isRight, credit: isRight ? 1 : 0,
            timeTaken: 3, exposuresBefore: 0, mode: .study, isRandomlySelected: false,
            date: now.addingTimeInterval(-daysAgo * day))
    }

    private func ids(_ plan: StudyPlan) -> [String] { plan.entries.map(\.question.id) }

    @Test func aRetiredQuestionIsNeitherAskedNorDue() {
        let cards = ["q3", "q5"].map { id in
            let days = id == "q5" ? 90.0 : 0.1
            return (
                id,
                StudyPlan.Card(
                    answers: [answer(id, daysAgo: days, isRight: true)], scheduler: scheduler,
                    now: now)
            )
        }
        let plan = plan(
            .init(
                mode: .study, cards: Dictionary(uniqueKeysWithValues: cards),
                dailyLimits: .init(newCards: 0)))
        #expect(plan.entries.isEmpty)
        #expect(plan.nextDue == cards[0].1.schedule.nextDay)
    }

    @Test func studyingAsksReviewsBeforeNewQuestionsWithinTheDay() {
        let cards = [
            "q2": StudyPlan.Card(
                answers: [answer("q2", daysAgo: 90, isRight: true)], scheduler: scheduler, now: now),
            "q3": StudyPlan.Card(
                answers: [answer("q3", daysAgo: 0.1, isRight: true)], scheduler: scheduler, now: now
            ),
        ]
        var request = StudyPlan.Request(
            mode: .study, cards: cards, dailyLimits: .init(newCards: 2), used: .init(newCards: 1))
        let plan = plan(request)
        // q3 is due another day, q5 is retired, and one new question of two was begun today.
        #expect(ids(plan) == ["q2", "q0"])
        #expect(plan.entries.map(\.exposuresBefore) == [1, 0])
        #expect(plan.nextDue == cards["q2"]?.schedule.nextDay)
        #expect(plan.forecast == nil)
        request.questionsMax = 1
        #expect(ids(self.plan(request)) == ["q2"])
    }

    @Test func criteriaHoldWhereTheyCan() {
        var criteria = QuestionCriteria()
        criteria.tags = ["rare"]
        #expect(ids(plan(.init(mode: .study, criteria: criteria))) == ["q4"])
        #expect(ids(plan(.init(mode: .exam, criteria: criteria))) == ["q4"])
        #expect(
            ids(plan(.init(mode: .placement, criteria: criteria))) == [
                "q0", "q1", "q2", "q3", "q4",
            ])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func anExamFollowsTheWeightsAndRepeatsWithItsChance(seed: UInt64) {
        let request = StudyPlan.Request(mode: .exam, questionsMax: 4)
        let first = plan(request, seed: seed)
        #expect(first.entries.count { $0.question.domain == "x" } == 2)
        #expect(Set(ids(first)).isDisjoint(with: ["q5"]))
        #expect(ids(first) == ids(plan(request, seed: seed)))
    }

    @Test func aDeadlineGivesAForecast() throws {
        var request = StudyPlan.Request(
            mode: .study, questionsMax: 2, deadline: LearningClock().day(of: now) + 3)
        let plan = plan(request)
        let forecast = try #require(plan.forecast)
        #expect(plan.entries.count == 2)
        #expect(forecast.daysLeft == 3 && forecast.questionCount == 5)
        #expect(forecast.reviewsPerDay == 50)
        #expect(forecast.expectedMarks > forecast.expectedMarksWithoutReviews)
        request.deadline = LearningClock().day(of: now) + -1
        let past = self.plan(request)
        #expect(past.entries.isEmpty && past.forecast?.daysLeft == 0)
    }

    @Test func aSecondSessionBeforeAnExamContinuesThePlanOfTheDay() {
        let deadline = LearningClock().day(of: now) + 3
        var request = StudyPlan.Request(mode: .study, deadline: deadline, examPerDay: 3)
        let first = ids(plan(request))
        #expect(first.count == 3)
        for id in first {
            request.cards[id] = StudyPlan.Card(
                answers: [answer(id, daysAgo: 0, isRight: true)], scheduler: scheduler, now: now)
        }
        request.used = .init(newCards: 3)
        #expect(plan(request).entries.isEmpty)
        request.used = .init(newCards: 1)
        let second = ids(plan(request))
        #expect(second.count == 2 && Set(second).isDisjoint(with: first))
    }

    @Test func studyOmitsQuestionsThatWereSetAside() throws {
        var request = StudyPlan.Request(mode: .study)
        request.setAside = ["q1", "q2"]
        #expect(ids(plan(request)) == ["q0", "q3", "q4"])
        #expect(plan(request).newCount == 3)
        request.deadline = LearningClock().day(of: now) + 3
        let planned = plan(request)
        #expect(Set(ids(planned)).isDisjoint(with: request.setAside))
        #expect(planned.forecast?.questionCount == 5)
        request.mode = .exam
        request.deadline = nil
        #expect(Set(ids(plan(request))).isSuperset(of: request.setAside))
    }

    @Test func aSessionTakesOneOfAFamilyUntilTheLastDayBeforeAnExam() {
        var siblings = blueprint
        for index in 0..<3 { siblings.questions[index].tags = ["family:tides"] }
        siblings.questions[3].tags = ["family:tides", "family:wind"]
        siblings.questions[4].tags = ["family:wind"]
        func ids(_ request: StudyPlan.Request) -> [String] {
            var random = SeededGenerator(seed: 1)
            return StudyPlan(siblings, request, scheduler: scheduler, now: now, using: &random)
                .entries.map(\.question.id)
        }
        var request = StudyPlan.Request(mode: .study)
        #expect(ids(request) == ["q0", "q4"])
        request.studiedToday = ["q2"]
        #expect(ids(request) == ["q4"])
        let today = LearningClock().day(of: now)
        request.deadline = today + 2
        #expect(ids(request) == ["q4"])
        request.deadline = today + 1
        #expect(ids(request).count == 5)
    }

    @Test func aBacklogIsTheReasonForNothingNew() {
        let card = StudyPlan.Card(
            answers: [answer("q0", daysAgo: 9, isRight: true)], scheduler: scheduler, now: now)
        var request = StudyPlan.Request(
            mode: .study, cards: ["q0": card, "q1": card],
            dailyLimits: .init(newCards: 20, reviews: 1))
        #expect(ids(plan(request)).count == 1)
        #expect(plan(request).backlog == .init(due: 2, limit: 1))
        request.dailyLimits.newDespiteBacklog = true
        #expect(ids(plan(request)).count == 4 && plan(request).backlog == nil)
    }

    @Test func aSessionIsCurrentUntilAQuestionChanges() {
        var random = SeededGenerator(seed: 3)
        let session = StudySession(
            id: "s", mode: .study, entries: plan(.init(mode: .study)).entries, now: now,
            using: &random)
        #expect(session.isCurrent(with: blueprint))
        var changed = blueprint
        changed.questions[0].stem = "another"
        #expect(!session.isCurrent(with: changed))
        changed.questions.removeFirst()
        #expect(!session.isCurrent(with: changed))
    }

    @Test func aBankHasAUsualMode() {
        #expect(blueprint.usualMode == .study)
        var test = blueprint
        test.kind = .placement
        #expect(test.usualMode == .placement)
    }
}
