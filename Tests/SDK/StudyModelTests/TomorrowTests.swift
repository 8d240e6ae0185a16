import Foundation
import StudyModel
import Testing
import Underway
import UnderwayTesting

/// What Today says of tomorrow is what it says tomorrow.
@Suite struct TomorrowTests {
    private static func settings(
        _ fixture: ProgressFixture, _ change: (inout LearningFields) -> Void
    ) throws {
        var fields = LearningFields()
        fields.spreads = false
        change(&fields)
        try fixture.userData.put(fields, id: LearningFields.allBanks)
    }

    private func screen(_ services: StudyServices) async throws -> TodayScreen {
        let model = await TodayModel(services)
        await model.load()
        if let problem = await model.problem { throw problem }
        return try #require(await model.screen)
    }

    /// Two weeks of evenings with limits, new questions, wrong answers, repeats and offers, until nothing is due.
    @Test(arguments: 0..<3)
    func theNumberOfTomorrowComesTrue(seed: UInt64) async throws {
        let learner = try EveningLearner(questions: 150)
        var random = SeededRandom(seed: seed)
        let reviews = [3, 10, 200][Int(seed % 3)]
        try Self.settings(learner.fixture) { ($0.newPerDay, $0.reviewsPerDay) = (7, reviews) }
        var said: Int?
        for number in 0..<14 {
            let (date, zone) = Evenings.sameMinute.moment(number)
            learner.come(at: date)
            let services = learner.services(in: zone)
            if let said {
                #expect(try await screen(services).dueCount == said, "evening \(number)")
            }
            let isRight = Int.random(in: 0..<3, using: &random) > 0
            _ = try await learner.session(services, isRight: isRight)
            var wishes = SessionWishes()
            while try await !learner.session(services, isRight: true, wishes: wishes).isEmpty {
                let offers = try await screen(services).offers
                let isMore = Int.random(in: 0..<5, using: &random) == 0
                wishes.offer = isMore ? offers.randomElement(using: &random)?.kind : nil
            }
            let evening = try await screen(services)
            #expect(evening.dueCount == 0)
            said = evening.dueTomorrow
            let progress = await ProgressModel(services)
            await progress.load()
            #expect(await progress.screen?.dueDays[1].cards == said)
        }
    }

    @Test func newQuestionsOfTomorrowCount() async throws {
        let learner = try EveningLearner(questions: 41)
        let (date, zone) = Evenings.sameMinute.moment(0)
        learner.come(at: date)
        let services = learner.services(in: zone)
        _ = try await learner.session(services, isRight: true)
        let done = try await screen(services)
        #expect(done.dueCount == 0 && done.dueTomorrow == 20)
    }
}
