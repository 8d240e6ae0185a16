import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// One board: as the server sends it, as it was last received, and the reasons in between.
@Suite struct BoardModelTests {
    private func shown(
        _ standings: Standings, _ period: BoardPeriod? = nil
    ) async throws -> (screen: BoardScreen, text: BoardText) {
        let model = await BoardModel(standings.services, id: "harbour")
        await model.load(period)
        let screen = try #require(await model.screen)
        return (screen, BoardText(screen, standings.formats))
    }

    private func standings(of reply: TestReply) async throws -> Standings {
        let standings = try await Standings()
        standings.hasBoards(("harbour", "int/harbour"))
        standings.hasBoard("harbour", with: reply)
        return standings
    }

    @Test func aBoardHasTheBestTheGapAndTheOwnPlaceWithItsNeighbours() async throws {
        let standings = try await standings(
            of: Standings.board(Array(1...3), own: 51, around: [50, 51, 52], of: 60))
        let (screen, text) = try await shown(standings)
        #expect(screen.title == "Harbour Master" && screen.obstacle == nil && text.notice == nil)
        #expect(text.own == "You are in place 51 with 949 points.")
        #expect(text.range == "Places 1 to 3 of 60")
        #expect(
            text.rows.map(\.rank) == ["1", "2", "3", "", "50", "51", "52", ""]
                && text.rows[3].name == "46 more" && text.rows[7].name == "8 more")
        #expect(text.rows.filter(\.isOwn).map(\.rank) == ["51"])
        #expect(text.rows[2].name == "No name" && !text.rows[2].isName)
        // Two requests, whatever the number of rows.
        #expect(standings.sentCount == 2)
    }

    @Test func thePeriodSaysWhenItBeganAndHowMuchIsLeft() async throws {
        let standings = try await standings(of: Standings.board([1], own: 1, of: 1))
        // The week of Berlin ends on Sunday at 23:00 UTC: in 2 days and 15 hours.
        #expect(try await shown(standings).text.period == "From 11 January. Ends in 2 days.")
        standings.wait(2 * 86_400 + 14 * 3600 + 1800)
        #expect(try await shown(standings).text.period == "From 11 January. Ends in 30 minutes.")
        standings.wait(1800)
        #expect(
            try await shown(standings).text.period == "From 11 January. This period is over.")
        standings.hasBoard(
            "harbour", "all", with: Standings.board([1], own: 1, of: 1, period: "all"))
        #expect(try await shown(standings, .all).text.period == "")
    }

    @Test func offlineTheLastBoardIsShownWithItsAge() async throws {
        let standings = try await standings(
            of: Standings.board(Array(1...3), own: 2, around: [1, 2, 3], of: 3))
        _ = try await shown(standings)
        standings.study.network.isOffline = true
        standings.wait(2 * 3600)
        let (screen, text) = try await shown(standings)
        #expect(screen.obstacle == .offline)
        #expect(text.notice == "You are offline. Last seen 2 hours ago.")
        #expect(text.own == "You are in place 2 with 998 points." && text.rows.count == 3)
        #expect(screen.periods == [.week])
        // What is not known without the server is not said.
        #expect(text.period == "From 11 January.")
    }

    @Test func offlineABoardThatWasNeverSeenIsSaidPlainly() async throws {
        let standings = try await standings(of: .notFound)
        standings.study.network.isOffline = true
        let (screen, text) = try await shown(standings)
        #expect(screen.seen == nil && text.notice == "You are offline." && text.own == nil)
        #expect(text.rows.isEmpty && text.empty == nil && text.note == nil)
    }

    @Test func aBusyServerLeavesTheLastBoard() async throws {
        let standings = try await standings(of: Standings.board([1], own: 1, of: 1))
        _ = try await shown(standings)
        standings.study.network.fail("/boards", with: .unavailable())
        let text = try await shown(standings).text
        #expect(
            text.notice == "The server is busy. Try again in a minute. Last seen just now.")
        #expect(text.rows.count == 1)
    }

    @Test func anEmptyBoardSaysSo() async throws {
        let standings = try await standings(of: Standings.board([], own: nil, of: 0))
        standings.hasProfile(isListed: true)
        let text = try await shown(standings).text
        #expect(text.empty == "Nobody is on this board yet." && text.range == nil)
        #expect(text.own?.hasPrefix("You have no place here yet.") == true)
        #expect(text.profile == "Change or leave")
    }

    @Test func whoeverLeftIsToldSo() async throws {
        let standings = try await standings(of: Standings.board([1, 2], own: nil, of: 2))
        standings.hasProfile(isListed: false)
        let (screen, text) = try await shown(standings)
        #expect(screen.hasLeft && text.profile == "Join the boards")
        #expect(text.own?.hasPrefix("You have left the boards") == true)
    }

    @Test func withoutAnAccountNothingIsAsked() async throws {
        let standings = try await Standings(hasAccount: false)
        let (screen, text) = try await shown(standings)
        #expect(screen.obstacle == .noAccount && screen.obstacle?.steps == [.signIn, .create])
        #expect(
            text.notice == "Boards and live events need an account. Sign in or create one.")
        #expect(standings.sentCount == 0)
    }

    @Test func aBoardThatIsGoneIsNotShownFromMemory() async throws {
        let standings = try await standings(of: Standings.board([1], own: 1, of: 1))
        _ = try await shown(standings)
        standings.hasBoard("harbour", with: Self.problem(404, "notFound"))
        let (screen, text) = try await shown(standings)
        #expect(screen.obstacle == .missing && screen.seen == nil)
        #expect(text.notice == "The server has no such board.")
    }

    @Test func aBoardWithoutWeeksShowsItsFirstPeriod() async throws {
        let standings = try await Standings()
        standings.hasBoards(("harbour", "int/harbour"), periods: ["all"])
        standings.hasBoard("harbour", with: Self.problem(404, "notFound"))
        standings.hasBoard(
            "harbour", "all", with: Standings.board([1], own: 1, of: 1, period: "all"))
        #expect(try await shown(standings).screen.period == .all)
    }

    @Test func anEndedSessionAsksForASignIn() async throws {
        let standings = try await standings(of: Self.problem(401, "unauthorized"))
        standings.study.scripted.reply(
            to: "/api/v1/sessions", with: Self.problem(401, "unauthorized"))
        let screen = try await shown(standings).screen
        #expect(screen.obstacle == .signInAgain && screen.obstacle?.steps == [.signIn])
    }

    static func problem(_ status: Int, _ code: String) -> TestReply {
        TestReply(
            status, headers: ["content-type": "application/problem+json"],
            body: Array(
                #"{"type": "about:blank", "title": "No", "status": \#(status), "code": "\#(code)", "detail": "No."}"#
                    .utf8))
    }
}
