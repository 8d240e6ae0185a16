import Foundation
import Testing
import Underway

@testable import StudyModel

@MainActor @Suite struct RetentionPriceTests {
    /// A learner of two banks, with right and wrong answers of different days.
    private func learner() async throws -> ProgressFixture {
        let fixture = try ProgressFixture(blueprints: [.rules(), .rules(id: "int/signs")])
        for number in 1...29 {
            for (bank, shift) in [(ProgressFixture.bank, 0.0), (Self.signs, 2.0)] {
                for days in number % 2 == 0 ? [Double(number)] : [200, 190, 4 * Double(number)] {
                    try await fixture.answer(
                        number, isCorrect: number % 5 != 0, daysAgo: days + shift, bank: bank)
                }
            }
        }
        return fixture
    }

    private static let signs = QuestionFilter.Bank.exam(region: "int", exam: "signs")

    /// Returns the number of reviews that the first screen counts, of a bank or of both.
    private func due(_ fixture: ProgressFixture, _ bank: QuestionFilter.Bank?) async throws -> Int {
        let today = TodayModel(fixture.services)
        await today.load()
        return try #require(today.screen).due.filter { bank == nil || $0.subject.bank == bank }
            .reduce(0) { $0 + $1.count - $1.newCount }
    }

    @Test(arguments: [0.7, 0.85, 0.95, 0.97], [nil, ProgressFixture.bank])
    func whatThePriceSaysIsDueAfterwards(
        retention: Double, bank: QuestionFilter.Bank?
    ) async throws {
        let fixture = try await learner()
        let model = LearningModel(fixture.services, bank: bank)
        await model.load()
        var settings = try #require(model.screen?.settings)
        settings.retention = retention
        let before = try await due(fixture, bank)
        let price = try #require(await model.price(of: settings))
        #expect(price.presentCount == before && price.retention == retention)
        await model.save(settings)
        #expect(try await due(fixture, bank) == price.dueCount)
        #expect((price.dueCount > before) == (retention > 0.9))
        #expect(await model.price(of: settings) == nil)
    }

    @Test func aSubjectWithAnAimOfItsOwnDoesNotFollow() async throws {
        let fixture = try await learner()
        let one = LearningModel(fixture.services, bank: Self.signs)
        await one.load()
        var settings = LearningSettings()
        settings.retention = 0.8
        await one.save(settings)
        let all = LearningModel(fixture.services)
        await all.load()
        settings.retention = 0.97
        let price = try #require(await all.price(of: settings))
        await all.save(settings)
        #expect(try await due(fixture, nil) == price.dueCount)
    }

    @Test func aWrongAnswerOfThisMinuteIsNotCounted() async throws {
        let fixture = try await learner()
        for number in [2, 4] {
            try await fixture.answer(number, isCorrect: false, daysAgo: 0)
        }
        let model = LearningModel(fixture.services)
        await model.load()
        var settings = try #require(model.screen?.settings)
        settings.retention = 0.97
        let price = try #require(await model.price(of: settings))
        #expect(try await due(fixture, nil) == price.presentCount)
    }
}
