import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// The list of boards and live events, and the learner's profile.
@Suite struct BoardListModelTests {
    private func screen(_ standings: Standings) async throws -> BoardListScreen {
        let model = await BoardListModel(standings.services)
        await model.load()
        return try #require(await model.screen)
    }

    @Test func studiedSubjectsComeFirstAndEventsByWhatIsNext() async throws {
        let standings = try await Standings()
        standings.hasBoards(("a", "int/other"), ("harbour", "int/harbour"), ("words", "en"))
        standings.hasEvents(
            ("past", -7200, -3600), ("late", 7200, 9000), ("now", -60, 1800), ("soon", 600, 900))
        try standings.study.device.userData.add(
            [
                AnswerRecord(
                    sessionID: "s", questionID: "lights", contentVersion: "1", response: ["a"],
                    isCorrect: true, credit: 1, timeTaken: 5, exposuresBefore: 0, mode: .study,
                    isRandomlySelected: false, date: standings.study.device.clock.now)
            ], to: StudyDevice.exam, now: standings.study.device.clock.now)
        let screen = try await screen(standings)
        #expect(screen.boards.map(\.title) == ["Harbour Master", "English", "int/other"])
        #expect(screen.boards.map(\.isStudied) == [true, false, false])
        #expect(screen.events.map(\.id) == ["now", "soon", "late", "past"])
        let details = screen.events.map { $0.details(standings.formats, now: screen.now) }
        #expect(
            details == [
                "Harbour Master · Ends in 30 minutes.", "Harbour Master · Starts in 10 minutes.",
                "Harbour Master · Starts in 2 hours.", "Harbour Master · Over.",
            ])
        #expect(standings.sentCount == 2)
    }

    @Test func twoBoardsOfOneSubjectHaveTheirNames() async throws {
        let standings = try await Standings()
        standings.hasBoards(("best", "int/harbour"), ("sum", "int/harbour"))
        standings.hasEvents()
        #expect(
            try await screen(standings).boards.map(\.heading)
                == ["Harbour Master · best", "Harbour Master · sum"])
    }

    @Test func offlineTheSeenBoardsAreListedWithTheirAge() async throws {
        let standings = try await Standings()
        standings.hasBoards(("harbour", "int/harbour"), ("unseen", "en"))
        standings.hasBoard("harbour", with: Standings.board([1, 2], own: 2, of: 2))
        await BoardModel(standings.services, id: "harbour").load()
        standings.study.network.isOffline = true
        standings.wait(3 * 3600)
        let screen = try await screen(standings)
        #expect(screen.obstacle == .offline && screen.eventObstacle == .offline)
        #expect(screen.boards.map(\.id) == ["harbour"])
        #expect(
            screen.boards.first?.details(standings.formats, now: screen.now)
                == "Place 2 of 2 · Last seen 3 hours ago.")
    }

    @Test func aServerWithoutBoardsIsNoMissingBoard() async throws {
        let standings = try await Standings()
        standings.study.scripted.reply(
            to: "/api/v1/", with: BoardModelTests.problem(404, "notFound"))
        let screen = try await screen(standings)
        #expect(screen.obstacle == .unavailable && screen.eventObstacle == .unavailable)
    }

    // MARK: Profile

    @Test func aNameIsSavedOnlyWhenTheServerSaysSo() async throws {
        let standings = try await Standings()
        let model = await BoardProfileModel(standings.services)
        standings.study.scripted.reply(
            to: "/api/v1/profile", with: Standings.profile(name: "Ada", isListed: true))
        await model.save(name: "  Ada ")
        #expect(await model.outcome == .saved)
        #expect(await model.profile?.name == "Ada")
        standings.study.scripted.reply(
            to: "/api/v1/profile", with: BoardModelTests.problem(422, "refused"))
        await model.save(name: "Eve")
        #expect(await model.outcome == nil)
        #expect(await model.obstacle == .refused)
        #expect(await model.profile?.name == "Ada")
        standings.study.network.isOffline = true
        await model.save(name: "Bea")
        #expect(await model.outcome == nil)
        #expect(await model.obstacle == .offline)
    }

    @Test func leavingRetainsTheNameAndJoiningBringsItBack() async throws {
        let standings = try await Standings()
        let model = await BoardProfileModel(standings.services)
        standings.study.scripted.reply(
            to: "/api/v1/profile", with: Standings.profile(name: "Ada", isListed: true),
            Standings.profile(name: "Ada", isListed: false))
        await model.leave()
        #expect(await model.outcome == .left)
        #expect(await model.profile?.isListed == false)
        let sent = standings.study.network.requests(for: "/profile").last
        #expect(sent?.method == "PUT")
        standings.study.network.isOffline = true
        await model.join()
        #expect(await model.obstacle == .offline)
        #expect(await model.outcome == nil)
    }
}
