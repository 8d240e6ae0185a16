import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// One live event: its clock, the own place, and rounds that count only when the server says so.
@Suite struct EventModelTests {
    private let standings: Standings

    init() async throws { standings = try await Standings() }

    private func shown() async throws -> (screen: EventScreen, text: EventText) {
        let model = await EventModel(standings.services, id: "cup")
        await model.load()
        let screen = try #require(await model.screen)
        return (screen, EventText(screen, standings.formats))
    }

    /// A running event of half an hour, with a round on this device.
    private func round() async throws -> String {
        standings.hasEvents(("cup", -60, 1800))
        standings.hasPlaces(of: "cup", "running", scores: [90, 72, 40], own: 2)
        let id = try await standings.begin()
        try await standings.handIn(id)
        return id
    }

    private func sent(_ round: String) async throws -> (outcome: RoundOutcome, sentence: String) {
        let model = await EventModel(standings.services, id: "cup")
        await model.load()
        await model.send(round)
        let outcome = try #require(await model.outcome)
        return (outcome, outcome.sentence(standings.formats))
    }

    @Test func aComingEventCountsDownAndTakesNoRounds() async throws {
        standings.hasEvents(("cup", 1800, 3600))
        standings.hasPlaces(of: "cup", "upcoming")
        let (screen, text) = try await shown()
        #expect(text.title == "The cup" && text.clock == "Starts in 30 minutes.")
        #expect(text.lead == "Harbour Master · 15 January, 08:30 to 09:00")
        #expect(screen.step == nil && text.step == nil && text.figures.isEmpty)
        #expect(text.rule?.contains("90 points") == true)
        #expect(standings.sentCount == 2)
    }

    @Test func aRunningEventHasTheClockThePointsThePlaceAndTheGap() async throws {
        standings.hasEvents(("cup", -60, 1800))
        standings.hasPlaces(of: "cup", "running", scores: [90, 72, 40], own: 2)
        let (screen, text) = try await shown()
        #expect(text.clock == "Ends in 30 minutes." && screen.isLive)
        #expect(text.figures.map(\.number) == ["72", "2 of 3", "18"])
        #expect(text.rows.filter(\.isOwn).map(\.rank) == ["2"])
        #expect(screen.step == .begin && text.step == "Begin a round")
    }

    @Test func aLearnerWithoutPointsIsToldSo() async throws {
        standings.hasEvents(("cup", -60, 1800))
        standings.hasPlaces(of: "cup", "running", scores: [90], isStale: true)
        let text = try await shown().text
        #expect(text.noPoints == "You have no points yet." && text.figures.isEmpty)
        #expect(text.state?.hasPrefix("The server cannot read newer places") == true)
    }

    @Test func anEndedEventIsFinalOnlyWhenTheServerSaysSo() async throws {
        standings.hasEvents(("cup", -3600, -60))
        standings.hasPlaces(of: "cup", "ended", scores: [90, 72], own: 1)
        let ended = try await shown()
        #expect(ended.text.state?.hasSuffix("follow in a few seconds.") == true)
        #expect(ended.screen.isLive && ended.text.clock == "Over." && ended.text.rule == nil)
        standings.hasPlaces(of: "cup", "ended", scores: [90, 72], own: 1, isFinal: true)
        let final = try await shown()
        #expect(final.text.state == "The event is over. These places are final.")
        #expect(!final.screen.isLive)
    }

    @Test func onlyAnExamOfTheEventIsARound() async throws {
        standings.hasEvents(("cup", 60, 1800))
        standings.hasPlaces(of: "cup", "running")
        let early = try await standings.begin()
        standings.wait(120)
        #expect(try await shown().screen.step == .finishFirst(early))
        try await standings.handIn(early)
        #expect(try await shown().screen.rounds.isEmpty)
        let open = try await standings.begin()
        let (screen, text) = try await shown()
        #expect(screen.step == .resume(open) && text.step == "Continue the round")
        try await standings.handIn(open)
        let ended = try await shown()
        // One of five right, of 90 points.
        #expect(ended.screen.rounds.map(\.id) == [open])
        #expect(ended.text.rounds.map(\.send) == ["Send 18 points"])
        #expect(ended.text.rounds.first?.sentence == "1 of 5 right, today 08:02")
    }

    @Test func theResultOfARoundKnowsItsEvent() async throws {
        standings.hasEvents(("cup", 60, 1800))
        standings.hasPlaces(of: "cup", "running")
        let before = try await standings.begin()
        try await standings.handIn(before)
        standings.wait(120)
        let id = try await standings.begin()
        try await standings.handIn(id)
        _ = try await shown()
        for (session, event) in [(id, "cup"), (before, nil)] {
            let result = await ResultModel(standings.services, id: session)
            await result.load()
            #expect(try await #require(result.screen).event?.id == event)
        }
    }

    @Test func aRoundCountsWhenTheServerConfirmsIt() async throws {
        let id = try await round()
        standings.hasReceipt("counted")
        let (outcome, sentence) = try await sent(id)
        #expect(outcome.isCounted)
        #expect(sentence == "Counted: 18 points. You are in place 2 with 72 points.")
        let text = try await shown().text
        #expect(text.rounds.first?.send == nil && text.rounds.first?.counted == "18 points counted")
        let body = standings.study.network.requests(for: "/submissions").first?.body
        #expect(body.map { String(decoding: $0, as: UTF8.self) }?.contains(id) == true)
    }

    @Test(arguments: [
        ("duplicate", "This round was counted before. It counts once.", true),
        ("early", "The event has not begun. Nothing was counted.", false),
        ("late", "The event is over. Nothing was counted.", false),
        ("tooMany", "The event takes no more rounds from you. Nothing was counted.", false),
    ])
    func eachRefusalHasItsSentence(result: String, sentence: String, isCounted: Bool) async throws {
        let id = try await round()
        standings.hasReceipt(result, rank: nil)
        let sent = try await sent(id)
        #expect(sent.sentence == sentence && sent.outcome.isCounted == isCounted)
        #expect(try await shown().screen.rounds.map(\.isCounted) == [isCounted])
    }

    @Test func aLostReplyIsNotConfirmedAndTheSameRoundIsSentAgain() async throws {
        let id = try await round()
        standings.hasReceipt("counted")
        standings.study.network.fail("/submissions", with: .replyLost, times: 1)
        let lost = try await sent(id)
        #expect(!lost.outcome.isCounted)
        #expect(
            lost.sentence
                == "You are offline. The round is not confirmed. Send it again; it counts once.")
        #expect(try await shown().text.rounds.first?.send == "Send 18 points")
        standings.hasReceipt("duplicate")
        #expect(try await sent(id).outcome.isCounted)
        let bodies = standings.study.network.requests(for: "/submissions").map(\.body)
        #expect(bodies.count == 2 && bodies[0] == bodies[1])
    }

    @Test func offlineTheLastPlacesStayWithTheirAge() async throws {
        let id = try await round()
        _ = try await shown()
        standings.study.network.isOffline = true
        standings.wait(1200)
        let (screen, text) = try await shown()
        #expect(screen.obstacle == .offline)
        #expect(text.notice == "You are offline. Last seen 20 minutes ago.")
        #expect(text.rows.count == 3 && text.clock == "Ends in 10 minutes.")
        #expect(text.rounds.map(\.id) == [id])
        standings.wait(700)
        #expect(try await shown().screen.state == .ended)
    }

    @Test func offlineAnEventThatWasNeverSeenNeedsAConnection() async throws {
        standings.study.network.isOffline = true
        let (screen, text) = try await shown()
        #expect(screen.page == nil && text.title == "cup" && text.rule == nil)
        #expect(text.notice == "You are offline. A live event needs a connection.")
        #expect(try await sent("none").outcome == .notConfirmed(.offline))
    }

    @Test func anEventThatIsGoneIsSaid() async throws {
        _ = try await round()
        _ = try await shown()
        standings.study.scripted.reply(
            to: "/api/v1/events/cup", with: BoardModelTests.problem(404, "notFound"))
        let (screen, text) = try await shown()
        #expect(screen.obstacle == .missing && screen.event == nil && text.rows.isEmpty)
        #expect(text.notice == "The server has no such live event.")
    }
}
