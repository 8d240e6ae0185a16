import Foundation
import Testing
import Underway

@testable import StudyModel

/// The topics that need most work, and sessions of one.
@Suite struct WeakTopicTests {
    private let fixture: ProgressFixture
    private let model: SubjectModel

    init() async throws {
        fixture = try ProgressFixture()
        model = await SubjectModel(fixture.services, bank: ProgressFixture.bank)
    }

    private func topics() async throws -> [WeakTopic] {
        await model.load()
        if let problem = await model.problem { throw problem }
        return try #require(await model.screen).weakTopics
    }

    /// A bank whose question `n` has the tag or domain `n`.
    private static func bank(_ count: Int, usesDomains: Bool) -> Blueprint {
        let ids = (1...count).map(String.init)
        return Blueprint(
            kind: .exam, id: "int/rules", title: "Rules", version: "1",
            domains: usesDomains ? ids.map { Domain(id: $0, title: "D\($0)", weight: 1) } : [],
            questions: ids.map { id in
                Question(
                    id: "q\(id)", type: .singleChoice, domain: usesDomains ? id : nil,
                    difficulty: 1, stem: id,
                    options: [
                        QuestionOption(id: "a", text: "a"), QuestionOption(id: "b", text: "b"),
                    ], correct: [0], tags: ["t\(id)", "t\(id)"])
            })
    }

    private static func found(
        _ results: [(correct: Int, answers: Int)], usesDomains: Bool = true
    ) -> [WeakTopic] {
        let results = results.enumerated().map { index, result in
            QuestionResults(
                id: "q\(index + 1)", answerCount: result.answers, correctCount: result.correct)
        }
        return WeakTopic.all(in: bank(results.count, usesDomains: usesDomains), results)
    }

    @Test func theSurestWeaknessIsFirstAndFewAnswersSayNothing() {
        let found = Self.found([(0, 4), (4, 11), (40, 60), (3, 5), (8, 10)])
        #expect(found.map(\.title) == ["D2", "D3", "D4"])
        #expect(found.first?.correctCount == 4 && found.first?.answerCount == 11)
    }

    @Test func aListHasAtMostFiveTopics() {
        let found = Self.found(Array(repeating: (1, 9), count: 8))
        #expect(found.map(\.id) == (1...5).map { "domain:\($0)" })
    }

    @Test func aBankWithoutDomainsHasItsTagsAsTopics() {
        let found = Self.found([(1, 6)], usesDomains: false)
        // The tag that a question has twice counts once.
        #expect(found.map(\.topic) == [.tag("t1")] && found.first?.answerCount == 6)
    }

    @Test func aNameIsReadAsItsTopicAndNothingElseIs() {
        for topic in [QuestionTopic.domain("a:b"), .tag("x y"), .domain("ü")] {
            #expect(QuestionTopic(name: topic.name) == topic)
        }
        for name in ["", "domain", "level:1", ":a"] { #expect(QuestionTopic(name: name) == nil) }
    }

    @Test func answersOfTheLastThirtyDaysCount() async throws {
        for number in [1, 3, 5, 7, 9] {
            try await fixture.answer(number, isCorrect: false, daysAgo: 31)
        }
        #expect(try await topics().isEmpty)
        for number in [1, 3, 5, 7, 9] {
            try await fixture.answer(number, isCorrect: number == 1, daysAgo: 29)
        }

        let odd = try #require(try await topics().first)

        #expect((odd.topic, odd.correctCount, odd.answerCount) == (.domain("odd"), 1, 5))
        let formats = await fixture.services.formats(language: "en")
        #expect(odd.sentence(formats) == "Odd: 1 of 5, last 30 days")
    }

    @Test func aSessionOfATopicAsksItAloneAndContinues() async throws {
        for number in [2, 4] { try await fixture.answer(number, daysAgo: 3) }
        let first = try #require(await model.begin(.domain("even")))

        let session = try #require(try fixture.userData.session(id: first)).session

        #expect(session.mode == .study && session.items.count == 14)
        #expect(
            session.items.allSatisfy { Int($0.questionID.dropFirst()).map { $0 % 2 == 0 } ?? false }
        )
        #expect(await model.begin(.domain("even")) == first)
        let other = await model.begin(.domain("odd"))
        #expect(other != nil && other != first)
    }

    @Test func aTopicWithoutQuestionsBeginsNothing() async throws {
        #expect(await model.begin(.tag("none")) == nil)
        #expect(await model.problem?.code == .nothingToAsk)
        #expect(try fixture.userData.openSessions().isEmpty)
    }
}
