import Accounts
import Foundation
import ServiceAPI
import Testing
import UserData

@testable import Boards
@testable import ContentServer
@testable import Tables

/// What boards do on every database.
@Suite struct BoardStorageTests {
    static let adapters = AccountAdapter.allCases
    private static let day: TimeInterval = 86_400

    // MARK: Scores

    @Test(arguments: adapters)
    func equalScoresAreRankedByTheSecondThenByTheAgeOfTheAccount(
        adapter: AccountAdapter
    ) async throws {
        let world = try await BoardWorld(adapter, users: 4)
        try await world.define()
        let start = BoardWorld.start
        try await world.answer("user-3", BoardWorld.session("s", right: 2, of: 3, at: start - 60))
        try await world.answer("user-2", BoardWorld.session("s", right: 2, of: 3, at: start - 60))
        try await world.answer("user-4", BoardWorld.session("s", right: 2, of: 2, at: start - 90))
        try await world.answer("user-1", BoardWorld.session("s", right: 3, of: 3, at: start))
        _ = try await world.boards.refresh()
        for period in BoardPeriod.allCases {
            let page = try #require(try await world.page("user-2", period))
            #expect(page.top.map(\.score) == [30, 20, 20, 20])
            #expect(page.top.map(\.rank) == [1, 2, 3, 4])
            #expect(page.top.map(\.isOwn) == [false, false, true, false])
            #expect(page.own?.rank == 3 && page.placeCount == 4)
            #expect(page.neighbours.map(\.rank) == [1, 2, 3, 4])
        }
    }

    @Test(arguments: adapters)
    func aSessionCountsOnceHoweverItsAnswersArrive(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        try await world.define()
        let answers = BoardWorld.session("s", right: 4, of: 6, at: BoardWorld.start)
        try await world.answer("user-1", Array(answers.prefix(2)))
        _ = try await world.boards.refresh()
        try await world.answer("user-1", Array(answers.dropFirst(2).prefix(3)) + [nil])
        try await world.answer("user-1", Array(answers.suffix(1)))
        _ = try await world.boards.refresh()
        #expect(try await world.top(.day) == [[1, 40]])
    }

    @Test(arguments: adapters)
    func theRuleIsDataAndAnotherOneComputesTheBoardAnew(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        try await world.define()
        let (user, at) = ("user-1", BoardWorld.start)
        try await world.answer(user, BoardWorld.session("a", right: 3, of: 3, at: at))
        try await world.answer(
            user, BoardWorld.session("b", right: 2, of: 5, at: at, mode: "exam"))
        try await world.answer(
            user, BoardWorld.session("c", right: 9, of: 9, at: at, exposures: 1))
        try await world.answer(
            user, BoardWorld.session("d", right: 9, of: 9, at: at, bank: "de/other"))
        let rules: [(BoardRule, Int)] = [
            (BoardRule(), 140), (BoardRule(counts: .best), 90),
            (BoardRule(firstAttemptsOnly: true), 50), (BoardRule(modes: ["exam"]), 20),
            (BoardRule(questionsMin: 4), 110),
            (BoardRule(counts: .best, firstAttemptsOnly: true, questionsMin: 4), 20),
        ]
        for (rule, score) in rules {
            try await world.define(rule)
            _ = try await world.boards.refresh()
            #expect(try await world.top(.week) == [[1, score]], "\(rule)")
        }
        try await world.define(BoardRule(questionsMin: 100))
        _ = try await world.boards.refresh()
        #expect(try await world.top(.week) == [])
    }

    @Test(arguments: adapters)
    func penaltiesNeverMakeASessionCostPoints(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        try await world.define()
        var rows = BoardWorld.session("a", right: 0, of: 3, at: BoardWorld.start)
        for place in rows.indices { rows[place].credit = -0.25 }
        rows += BoardWorld.session("b", right: 1, of: 1, at: BoardWorld.start)
        // A credit that no scoring gives.
        rows[3].credit = 1_000_000
        try await world.answer("user-1", rows)
        _ = try await world.boards.refresh()
        #expect(try await world.top(.all) == [[1, 10]])
    }

    // MARK: Periods

    @Test(arguments: adapters)
    func aDayBeginsAtMidnightOfTheZone(adapter: AccountAdapter) async throws {
        // 23:30 in Berlin on Saturday, 24 October; clocks go back in the following night.
        let evening = Date(timeIntervalSince1970: 1_792_877_400)
        let world = try await BoardWorld(adapter, users: 2, now: evening + 4 * 3600)
        try await world.define(zone: "Europe/Berlin")
        try await world.answer("user-1", BoardWorld.session("a", right: 1, of: 1, at: evening))
        try await world.answer(
            "user-2", BoardWorld.session("a", right: 2, of: 2, at: evening + 3600))
        _ = try await world.boards.refresh()
        let page = try #require(try await world.page(nil, .day))
        #expect(page.firstDay == "2026-10-25" && page.top.map(\.score) == [20])
        #expect(try await world.page(nil, .week)?.firstDay == "2026-10-19")
        #expect(try await world.page(nil, .month)?.firstDay == "2026-10-01")
        #expect(try await world.page(nil, .all)?.firstDay == nil)
        #expect(try await world.top(.week) == [[1, 20], [2, 10]])
    }

    @Test(arguments: adapters)
    func aLateAnswerCountsForItsDayUntilTheGraceIsOver(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 3)
        try await world.define(periods: [.day, .all], graceHours: 6)
        let noon = BoardWorld.start
        _ = try await world.boards.refresh()
        // A learner was on a plane, and comes back five hours after midnight.
        world.clock.set(noon + 17 * 3600)
        try await world.answer("user-1", BoardWorld.session("a", right: 1, of: 1, at: noon))
        _ = try await world.boards.refresh()
        #expect(try await world.top(.day, firstDay: "2026-11-02") == [[1, 10]])
        world.clock.set(noon + 18 * 3600)
        try await world.answer("user-2", BoardWorld.session("a", right: 2, of: 2, at: noon))
        _ = try await world.boards.refresh()
        #expect(try await world.top(.day, firstDay: "2026-11-02") == [[1, 10]])
        #expect(try await world.page(nil, .day, firstDay: "2026-11-02")?.isFinal == true)
        #expect(try await world.page(nil, .day)?.isFinal == false)
        #expect(try await world.top(.all) == [[1, 20], [2, 10]])
    }

    @Test(arguments: adapters)
    func aClockThatIsAheadCountsFromTheArrival(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        try await world.define()
        try await world.answer(
            "user-1", BoardWorld.session("a", right: 1, of: 1, at: BoardWorld.start + 9 * Self.day))
        _ = try await world.boards.refresh()
        let own = try #require(try await world.page("user-1", .day)?.own)
        #expect(own.reachedAt == BoardWorld.start)
    }

    @Test(arguments: adapters)
    func aServerClockThatJumpsOverThePeriodAndBackLosesNothing(
        adapter: AccountAdapter
    ) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        try await world.define(periods: [.day])
        let noon = BoardWorld.start
        try await world.answer("user-1", BoardWorld.session("a", right: 1, of: 1, at: noon))
        _ = try await world.boards.refresh()
        world.clock.set(noon + 3 * Self.day)
        _ = try await world.boards.refresh()
        try await world.answer("user-2", BoardWorld.session("a", right: 2, of: 2, at: noon))
        _ = try await world.boards.refresh()
        #expect(try await world.top(.day) == [])
        world.clock.set(noon + 60)
        _ = try await world.boards.refresh()
        #expect(try await world.top(.day) == [[1, 20], [2, 10]])
        #expect(try await world.page(nil, .day)?.isFinal == false)
    }

    @Test(arguments: adapters)
    func oldDaysGo(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        try await world.define(periods: [.day])
        for day in 0..<12 {
            let now = BoardWorld.start + Double(day) * Self.day
            world.clock.set(now)
            try await world.answer(
                "user-1", BoardWorld.session("s\(day)", right: 1, of: 1, at: now))
            _ = try await world.boards.refresh()
        }
        var days: [String] = []
        for day in 2...13 {
            let text = "2026-11-" + (day < 10 ? "0" : "") + String(day)
            if try await world.page(nil, .day, firstDay: text) != nil { days.append(text) }
        }
        #expect(days.count == 8 && days.first == "2026-11-06")
    }

    // MARK: Privacy

    @Test(arguments: adapters)
    func whoeverDoesNotWantAPlaceHasNone(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        try await world.define()
        for (user, right) in [("user-1", 1), ("user-2", 2)] {
            try await world.answer(
                user, BoardWorld.session("s", right: right, of: 2, at: BoardWorld.start))
        }
        _ = try await world.boards.refresh()
        let named = try await world.boards.set(
            BoardProfileChange(name: "  Ada \u{1F600} ", isListed: true), of: "user-2")
        #expect(named.name == "Ada \u{1F600}")
        #expect(
            try await world.page("user-1", .week)?.top.map(\.name) == ["Ada \u{1F600}", nil])
        let hidden = try await world.boards.set(
            BoardProfileChange(name: "Ada", isListed: false), of: "user-2")
        #expect(hidden.friendCode == named.friendCode)
        // Days that are over are no exception.
        world.clock.set(BoardWorld.start + 5 * Self.day)
        _ = try await world.boards.refresh()
        #expect(try await world.top(.month) == [[1, 10]])
        #expect(try await world.top(.day, firstDay: "2026-11-02") == [[1, 10]])
        #expect(try await world.page("user-2", .month)?.own == nil)
        _ = try await world.boards.set(
            BoardProfileChange(name: nil, isListed: true), of: "user-2")
        _ = try await world.boards.refresh()
        #expect(try await world.top(.month) == [[1, 20], [2, 10]])
    }

    @Test(arguments: adapters)
    func deletionRemovesThePlaceAtTheNextRefresh(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        try await world.define()
        for user in world.users {
            try await world.answer(
                user, BoardWorld.session("s", right: 1, of: 1, at: BoardWorld.start))
        }
        _ = try await world.boards.set(
            BoardProfileChange(name: "Ada", isListed: true), of: "user-1")
        _ = try await world.boards.refresh()
        try await world.accounts.write(.markDeleted("user-1", at: 9))
        _ = try await world.boards.refresh()
        let page = try #require(try await world.page("user-2", .all))
        #expect(page.top.map(\.name) == [nil] && page.own?.rank == 1 && page.placeCount == 1)
        await #expect(throws: StorageError.noAccount) {
            _ = try await world.page("user-1", .all)
        }
    }

    @Test(arguments: adapters)
    func friendsAreFoundByTheirCodesAlone(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 4)
        try await world.define()
        for (place, user) in world.users.enumerated() {
            try await world.answer(
                user, BoardWorld.session("s", right: place, of: 4, at: BoardWorld.start))
        }
        let codes = try await [
            world.boards.profile(of: "user-2").friendCode,
            world.boards.profile(of: "user-4").friendCode,
        ]
        #expect(Set(codes).count == 2 && codes.allSatisfy { $0.count == 10 })
        _ = try await world.boards.refresh()
        let page = try #require(
            try await world.page("user-1", .all, friends: codes + ["0000000000", codes[0]]))
        #expect(page.friends.map(\.rank) == [1, 3])
        #expect(page.friends.map(\.friendCode) == [codes[1], codes[0]])
        #expect(page.top.allSatisfy { $0.friendCode == nil })
    }

    /// Somebody looked at a profile that was not there, and another device set it before the answer.
    @Test(arguments: adapters)
    func lookingAtAProfileNeverReplacesIt(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        let set = try await world.boards.set(
            BoardProfileChange(name: "Ada", isListed: false), of: "user-1")
        let late = BoardProfile(name: nil, isListed: true, friendCode: "0000000000")
        #expect(try await world.accounts.boards.addProfile(late, of: "user-1") == set)
        #expect(try await world.boards.profile(of: "user-1") == set)
    }

    @Test(arguments: adapters)
    func namesThatDisturbAListAreRefused(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        let long = String(repeating: "x", count: 31)
        for name in [
            "", "  ", "a\nb", "a\u{202E}b", "\u{200B}", long, "a\u{0}b", "\u{200D}", "\u{2800}",
            "Ada\u{2800}", "Ada\u{34F}", "Ada\u{FE0F}", "A\u{200C}", "A\u{200D}", "A\u{E0100}",
            "A\u{E0064}\u{E0061}", "\u{115F}A", "a\u{3164}b", "\u{332}\u{332}", "\u{301}a",
            "Z" + String(repeating: "\u{301}", count: 29), "1\u{FE0F}",
        ] {
            await #expect(throws: RequestError.self, "\(name.debugDescription)") {
                _ = try await world.boards.set(
                    BoardProfileChange(name: name, isListed: true), of: "user-1")
            }
        }
        for name in [
            "a", "Ñandú", "山田 太郎", "مريم", "👩‍🚒", "e\u{302}\u{301}", "می‌خواهم", "क्‍ष", "🏴󠁧󠁢󠁷󠁬󠁳󠁿 Cymru", "❤️ 1️⃣",
            "שָׁלוֹם", "👨‍👩‍👧‍👦",
        ] {
            let profile = try await world.boards.set(
                BoardProfileChange(name: name, isListed: true), of: "user-1")
            #expect(profile.name == name)
        }
    }

    @Test(arguments: adapters)
    func anOperatorRemovesAName(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 1)
        let profile = try await world.boards.set(
            BoardProfileChange(name: "Rude", isListed: true), of: "user-1")
        let storage = world.accounts.boards
        #expect(try await storage.removeNames(profile.friendCode) == [profile.friendCode])
        #expect(try await storage.removeNames(profile.friendCode) == [])
        #expect(try await world.boards.profile(of: "user-1").name == nil)
    }

    @Test(arguments: adapters)
    func aRemovedNameComesBackOnlyWhenTheOperatorAllowsIt(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 3)
        var codes: [String] = []
        for (user, name) in zip(world.users, ["Rude", "Rude", "Ada"]) {
            codes += [
                try await world.boards.set(
                    BoardProfileChange(name: name, isListed: true), of: user
                ).friendCode
            ]
        }
        let storage = world.accounts.boards
        // As a complaint names it: everybody who has it, and nobody else.
        #expect(try await storage.removeNames("Rude") == codes.prefix(2).sorted())
        #expect(try await world.boards.profile(of: "user-3").name == "Ada")
        await #expect(throws: RequestError.self) {
            _ = try await world.boards.set(
                BoardProfileChange(name: "Rude 2", isListed: true), of: "user-1")
        }
        // Without a name they may still leave and return.
        let hidden = try await world.boards.set(
            BoardProfileChange(name: nil, isListed: false), of: "user-1")
        #expect(hidden.name == nil && !hidden.isListed)
        #expect(try await storage.allowName(of: codes[0]))
        #expect(try await !storage.allowName(of: codes[0]))
        let allowed = try await world.boards.set(
            BoardProfileChange(name: "Bob", isListed: true), of: "user-1")
        #expect(allowed.name == "Bob")
        #expect(try await !storage.allowName(of: "none"))
    }

    // MARK: Definitions

    @Test(arguments: adapters)
    func aRemovedBoardGoesWithItsPlaces(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 3)
        try await world.define()
        for user in world.users {
            try await world.answer(
                user, BoardWorld.session("s", right: 1, of: 1, at: BoardWorld.start))
        }
        _ = try await world.boards.refresh()
        #expect(try await world.accounts.boards.removeDefinition("b"))
        #expect(try await !world.accounts.boards.removeDefinition("b"))
        _ = try await world.boards.refresh()
        #expect(try await world.page("user-1", .all) == nil)
        try await world.define()
        _ = try await world.boards.refresh()
        #expect(try await world.top(.all) == [[1, 10], [2, 10], [3, 10]])
    }

    /// Answers of before this version are in no sum.
    @Test(arguments: adapters)
    func recountingSumsEveryAnswerAgain(adapter: AccountAdapter) async throws {
        let world = try await BoardWorld(adapter, users: 2)
        try await world.define()
        let answers = BoardWorld.session("s", right: 3, of: 5, at: BoardWorld.start)
        try await world.answer("user-1", answers)
        try await world.answer("user-2", Array(answers.prefix(2)))
        _ = try await world.boards.refresh()
        let before = try await world.page("user-1", .all)
        #expect(try await world.boards.recount() == 2)
        #expect(try await world.boards.refresh()?.places == 0)
        #expect(try await world.page("user-1", .all)?.top == before?.top)
    }
}
