import Foundation
import StudyModel
import Testing
import Underway
import UnderwayTesting

/// Limits of the learner's settings, and what Today offers when nothing is due.
@Suite struct StudyOfferTests {
    private func offers(_ screen: TodayScreen?) -> [String] {
        (screen?.offers ?? []).map { "\($0.kind.rawValue) \($0.count)" }
    }

    private func settings(
        of fixture: ProgressFixture, _ change: (inout LearningFields) -> Void
    ) throws {
        var fields = LearningFields()
        change(&fields)
        try fixture.userData.put(fields, id: LearningFields.allBanks)
    }

    @Test func limitsAreThoseOfTheSettings() async throws {
        let fixture = try ProgressFixture()
        try await fixture.answer(1, daysAgo: 9)
        try await fixture.answer(2, daysAgo: 9)
        #expect(try await fixture.today()?.due.first?.newCount == 20)
        try settings(of: fixture) { $0.newPerDay = 3 }
        #expect(try await fixture.today()?.due.first?.newCount == 3)
        try settings(of: fixture) { $0.reviewsPerDay = 1 }
        let due = try #require(try await fixture.today()?.due.first)
        #expect(due.count == 1 && due.newCount == 0)
        let backlog = try #require(due.backlog)
        let formats = StudyFormats(
            words: StudyText(language: "en"), calendar: fixture.services.calendar)
        #expect(
            backlog.sentence(formats) == "2 are due and your limit is 1: nothing new today.")
        let plan = try await SessionStart(fixture.services).outlook(
            of: ProgressFixture.bank, .study)
        #expect(plan.entries.count == 1 && plan.backlog == backlog)
    }

    @Test func whenNothingIsDueTodayOffersWhatIsLeft() async throws {
        let fixture = try ProgressFixture()
        try settings(of: fixture) { ($0.newPerDay, $0.spreads) = (0, false) }
        try await fixture.answer(1, daysAgo: 1)
        try await fixture.answer(2, isCorrect: false, daysAgo: 2)
        try await fixture.answer(2, daysAgo: 1)
        let screen = try await fixture.today()
        #expect(screen?.due.isEmpty == true)
        #expect(offers(screen) == ["missed 1", "more 10", "tomorrow 2"])
        let formats = StudyFormats(
            words: StudyText(language: "en"), calendar: fixture.services.calendar)
        #expect(screen?.offers[1].seconds == 50)
        #expect(screen?.offers[1].details(formats).hasSuffix(" · about 1 minute") == true)
        let start = SessionStart(fixture.services)
        #expect(try await start.offers(of: ProgressFixture.bank) == screen?.offers)
        var wishes = SessionWishes()
        wishes.offer = .missed
        let id = try await start.begin(ProgressFixture.bank, .study, wishes: wishes)
        let session = try fixture.userData.session(id: id)?.session
        #expect(session?.items.map(\.questionID) == ["q2"])
        #expect(offers(try await fixture.today()) == [], "the session is continued")
    }

    /// The limit of today is used up: what it leaves over can be asked, least remembered first.
    @Test func whatTheLimitLeavesOverIsOfferedWithTomorrows() async throws {
        let fixture = try ProgressFixture()
        try settings(of: fixture) {
            ($0.newPerDay, $0.reviewsPerDay, $0.spreads) = (0, 0, false)
        }
        try await fixture.answer(1, daysAgo: 30)
        try await fixture.answer(2, daysAgo: 2)
        let today = try #require(try await fixture.today())
        #expect(offers(today).contains("tomorrow 2"))
        #expect(today.offers.first { $0.kind == .tomorrow }?.isBeyondLimit == true)
        var wishes = SessionWishes()
        wishes.offer = .tomorrow
        let id = try await SessionStart(fixture.services).begin(
            ProgressFixture.bank, .study, wishes: wishes)
        let asked = try fixture.userData.session(id: id)?.session.items.map(\.questionID)
        #expect(asked == ["q1", "q2"])
    }

    /// Takes the session of an offer, wrong first and right when asked again, and returns the questions.
    private func take(_ kind: StudyOffer.Kind, of fixture: ProgressFixture) async throws -> [String]
    {
        var wishes = SessionWishes()
        wishes.offer = kind
        let id = try await SessionStart(fixture.services).begin(
            ProgressFixture.bank, .study, wishes: wishes)
        let model = await SessionModel(fixture.services, id: id)
        var asked: [String] = []
        await model.load()
        while let screen = await model.screen, await !model.isOver {
            let isAgain = asked.contains(screen.question.id)
            if !isAgain { asked.append(screen.question.id) }
            fixture.clock.advance(by: .seconds(4))
            await model.answer([isAgain ? "a" : "b"], at: screen.index)
            await model.load()
        }
        return asked
    }

    @Test func whatWasPractisedRightTodayIsMissedNoMore() async throws {
        let fixture = try ProgressFixture()
        try settings(of: fixture) { ($0.newPerDay, $0.spreads) = (0, false) }
        for number in 2...3 {
            try await fixture.answer(number, isCorrect: false, daysAgo: 2)
            try await fixture.answer(number, daysAgo: 1)
        }
        #expect(offers(try await fixture.today()).first == "missed 2")
        #expect(try await take(.missed, of: fixture).sorted() == ["q2", "q3"])
        #expect(!offers(try await fixture.today()).contains { $0.hasPrefix("missed") })
        // Missed again after it was right, it is missed.
        fixture.clock.advance(by: .seconds(60))
        try await fixture.answer(3, isCorrect: false)
        fixture.clock.advance(by: .seconds(60))
        let offered = try await SessionStart(fixture.services).offers(of: ProgressFixture.bank)
        #expect(offered.first { $0.kind == .missed }?.count == 1)
    }

    @Test func whatWasAskedOfTomorrowsTodayLeavesTomorrow() async throws {
        let fixture = try ProgressFixture()
        try settings(of: fixture) { ($0.newPerDay, $0.spreads) = (0, false) }
        for number in 1...2 { try await fixture.answer(number, daysAgo: 1) }
        let first = try #require(try await fixture.today()?.offers.first { $0.kind == .tomorrow })
        #expect(!first.isBeyondLimit)
        var taken: [[String]] = []
        while offers(try await fixture.today()).contains(where: { $0.hasPrefix("tomorrow") }),
            taken.count < 3
        {
            taken.append(try await take(.tomorrow, of: fixture).sorted())
        }
        #expect(taken == [["q1", "q2"]])
    }

    /// The sentence about the backlog, in the middle of a day.
    @Test func theBacklogOfABegunDayIsTrue() async throws {
        let fixture = try ProgressFixture()
        try settings(of: fixture) { ($0.newPerDay, $0.reviewsPerDay) = (20, 200) }
        try await fixture.answer(1)
        for number in 2...6 { try await fixture.answer(number, daysAgo: 60) }
        try settings(of: fixture) { ($0.newPerDay, $0.reviewsPerDay) = (20, 3) }
        let formats = StudyFormats(
            words: StudyText(language: "en"), calendar: fixture.services.calendar)
        func sentence() async throws -> String? {
            try await fixture.today()?.due.first?.backlog?.sentence(formats)
        }
        #expect(
            try await sentence()
                == "5 more are due today. Your daily limit of 3 leaves no room for more new ones.")
        let id = try await SessionStart(fixture.services).begin(ProgressFixture.bank, .study)
        let model = await SessionModel(fixture.services, id: id)
        await model.load()
        await model.answer(["a"], at: 0)
        await model.finish()
        #expect(
            try await sentence()
                == "4 more are due today. Your daily limit of 3 leaves no room for more new ones.")
    }

    @Test func moreNewQuestionsRaiseTheLimitOfTheDay() async throws {
        let fixture = try ProgressFixture()
        try settings(of: fixture) { $0.newPerDay = 0 }
        try await fixture.answer(1, daysAgo: 0)
        var wishes = SessionWishes()
        wishes.offer = .more
        let start = SessionStart(fixture.services)
        let id = try await start.begin(ProgressFixture.bank, .study, wishes: wishes)
        let asked = try fixture.userData.session(id: id)?.session.items.map(\.questionID)
        #expect(asked == (2...11).map { "q\($0)" })
        #expect(try await fixture.today()?.due.first?.newCount == 10)
        fixture.clock.advance(by: .seconds(86_400))
        #expect(try await fixture.today()?.due.first?.newCount ?? 0 == 0)
    }

    @Test func aQuestionThatWasMissedOnManyDaysIsSetAside() async throws {
        let fixture = try ProgressFixture()
        for day in (0...8).reversed() {
            try await fixture.answer(3, isCorrect: false, daysAgo: Double(day + 1))
        }
        let plan = try await SessionStart(fixture.services).outlook(
            of: ProgressFixture.bank, .study)
        #expect(!plan.entries.contains { $0.question.id == "q3" })
        let aside = try fixture.userData.setAsideQuestions(of: ProgressFixture.bank)
        #expect(aside.map(\.question) == ["q3"])
        try fixture.userData.askAgain(try #require(aside.first))
        let again = try await SessionStart(fixture.services)
            .outlook(of: ProgressFixture.bank, .study)
        #expect(again.entries.contains { $0.question.id == "q3" })
    }
}
