import Foundation
import ServiceAPI
import Synchronization
import TestSupport
import Testing
import UserData

@testable import LiveEvents
@testable import Tables

/// What events do on every database.
@Suite struct EventStorageTests {
    static let adapters = AccountAdapter.allCases

    @Test(arguments: adapters)
    func aSubmissionCountsOnceAndMovesItsLearner(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 3)
        var follower = EventFollower(world.events)
        try await world.step(&follower)
        #expect(
            try await world.submit(30, "a", of: "user-2")
                == EventReceipt(result: .counted, score: 30, rank: 1, placeCount: 1))
        world.pass(to: 2)
        #expect(
            try await world.submit(30, "a", of: "user-1")
                == EventReceipt(result: .counted, score: 30, rank: 2, placeCount: 2))
        // Another learner's id is no duplicate, the own one is, whatever its points.
        #expect(
            try await world.submit(99, "a", of: "user-1")
                == EventReceipt(result: .duplicate, score: 30, rank: 2, placeCount: 2))
        #expect(
            try await world.submit(1, "b", of: "user-1")
                == EventReceipt(result: .counted, score: 31, rank: 1, placeCount: 2))
        #expect(try await world.submit(1, "b", of: "user-1", event: "none") == nil)
        let page = try #require(try await world.page("user-2", top: 1))
        #expect(page.top.map(\.score) == [31] && page.placeCount == 2)
        #expect(page.own?.rank == 2 && page.own?.isOwn == true)
        #expect(page.own?.reachedAt == EventWorld.start + 1)
        #expect(page.state == .running && !page.isFinal && !page.isStale)
    }

    @Test(arguments: adapters)
    func anEventThatAWrongClockEndedIsOpenedAgain(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 2)
        var follower = EventFollower(world.events)
        try await world.step(&follower)
        _ = try await world.submit(30, "a", of: "user-1")
        world.pass(to: 700)
        try await world.step(&follower)
        world.pass(to: 2)
        #expect(try await world.page()?.isFinal == true)
        #expect(try await world.submit(9, "b", of: "user-2")?.result == .late)
        let event = try #require(try await world.accounts.events.events().first)
        try await world.accounts.events.reopen(event.number)
        try await world.step(&follower)
        #expect(try await world.submit(40, "b", of: "user-2")?.rank == 1)
        #expect(try await world.scores() == [40, 30])
        world.pass(to: 700)
        try await world.step(&follower)
        let page = try #require(try await world.page())
        #expect(page.isFinal && page.top.map(\.score) == [40, 30])
    }

    @Test func nothingIsFrozenWithinAMinuteOfAJumpOfTheClock() async throws {
        let world = try await EventWorld(.sqlite, users: 1)
        let uptime = Mutex(Duration.zero)
        @Sendable func pass(_ seconds: Int) { uptime.withLock { $0 += .seconds(seconds) } }
        var follower = EventFollower(world.events) { uptime.withLock { $0 } }
        try await world.step(&follower)
        _ = try await world.submit(30, "a", of: "user-1")
        for second in [700.0, 701, 2, 3] {
            pass(1)
            world.pass(to: second)
            try await world.step(&follower)
            #expect(try await world.page()?.isFinal == false, "\(second)")
        }
        // A clock that stays ahead is believed after a minute, and one that goes on as it should at once.
        world.pass(to: 700)
        for step in 0...60 {
            #expect(try await world.page()?.isFinal == false, "\(step)")
            pass(1)
            world.pass(to: 701 + Double(step))
            try await world.step(&follower)
        }
        #expect(try await world.page()?.isFinal == true)
    }

    /// One of a later version, say.
    @Test(arguments: adapters)
    func anEventThatCannotBeReadIsRemoved(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 1)
        let spoil = Statement("UPDATE {event} SET text = '{}' WHERE name = :name")
        let count = Statement("SELECT count(*) AS events FROM {event}")
        try await world.accounts.tables.write(as: .keeper) { transaction in
            _ = try transaction.run([spoil(["name": "e"])])
        }
        #expect(try await world.accounts.events.events().isEmpty)
        #expect(try await world.accounts.events.remove("e") == nil)
        let left = try await world.accounts.tables.read(as: .keeper) { transaction in
            try transaction.run([count()])[0].first?.value("events", as: Int.self)
        }
        #expect(left == 0)
    }

    @Test(arguments: adapters)
    func whatIsEarlyLateOrTooMuchIsRefusedWithAReason(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 1, EventRule(submissionsMax: 2))
        world.pass(to: -1)
        #expect(try await world.submit(5, "a", of: "user-1")?.result == .early)
        #expect(try await world.page()?.state == .upcoming)
        world.pass(to: 1)
        for id in ["a", "b"] {
            #expect(try await world.submit(5, id, of: "user-1")?.result == .counted)
        }
        #expect(try await world.submit(5, "c", of: "user-1")?.result == .tooMany)
        await #expect(throws: WireError.self) { try await world.submit(101, "d", of: "user-1") }
        await #expect(throws: StorageError.noAccount) {
            try await world.submit(1, "a", of: "nobody")
        }
        world.pass(to: 600)
        #expect(try await world.submit(5, "d", of: "user-1")?.result == .late)
        #expect(
            try await world.submit(5, "b", of: "user-1")
                == EventReceipt(result: .duplicate, score: 10))
    }

    @Test(arguments: adapters)
    func anotherProcessSeesASubmissionAfterAStep(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 3)
        let other = world.another()
        var (mine, theirs) = (EventFollower(world.events), EventFollower(other))
        try await world.step(&mine)
        try await world.step(&theirs)
        try await world.submit(10, "a", of: "user-1")
        try await world.submit(20, "a", of: "user-2", to: other)
        try await world.submit(5, "b", of: "user-1", to: other)
        try await world.step(&mine)
        try await world.step(&theirs)
        #expect(try await world.scores() == [20, 15])
        #expect(try await world.scores(by: other) == [20, 15])
    }

    private typealias Call = (user: String, id: String, points: Int, process: EventService)

    /// Repeats what a busy storage refuses, as devices and upkeep do; how often depends on the machine.
    private func repeating(_ body: () async throws -> Void) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while true {
            do {
                return try await body()
            } catch StorageError.busy where ContinuousClock.now < end {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    @Test(arguments: adapters, [11, 12])
    func concurrentSubmissionsAddUp(adapter: AccountAdapter, seed: UInt64) async throws {
        let world = try await EventWorld(adapter, users: 6)
        let processes = [world.events, world.another()]
        var followers = processes.map { EventFollower($0) }
        var chance = SeededGenerator(seed: seed)
        var calls: [Call] = []
        for number in 0..<240 {
            let user = "user-\(Int.random(in: 1...6, using: &chance))"
            // A quarter is sent again, perhaps to the other process.
            let id = "s\(number % 180)"
            calls.append(
                (user, id, number % 180 % 7, processes[Int.random(in: 0...1, using: &chance)]))
        }
        var expected: [String: Int] = [:]
        for (user, id, points) in Set(calls.map { "\($0.user) \($0.id) \($0.points)" }).map({
            let words = $0.split(separator: " ").map(String.init)
            return (words[0], words[1], Int(words[2]) ?? 0)
        }) {
            #expect(!id.isEmpty)
            expected[user, default: 0] += points
        }
        for index in followers.indices { try await world.step(&followers[index]) }
        try await withThrowingTaskGroup { group in
            for call in calls {
                group.addTask {
                    try await repeating {
                        try await world.submit(
                            call.points, call.id, of: call.user, to: call.process)
                    }
                }
            }
            for index in followers.indices {
                // Steps beside the submissions: none may be missed by the next one.
                for _ in 0..<10 { try await repeating { try await world.step(&followers[index]) } }
            }
            try await group.waitForAll()
        }
        for index in followers.indices { try await world.step(&followers[index]) }
        for process in processes {
            var scores: [String: Int] = [:]
            for user in expected.keys {
                scores[user] = try await world.page(user, by: process)?.own?.score
            }
            #expect(scores == expected, "seed \(seed)")
            #expect(
                try await world.scores(by: process) == expected.values.sorted(by: >),
                "seed \(seed)")
        }
    }

    @Test(arguments: adapters)
    func placesAreFrozenAfterTheEnd(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 4)
        var follower = EventFollower(world.events)
        try await world.step(&follower)
        for (user, points) in [("user-1", 10), ("user-2", 30), ("user-3", 20), ("user-4", 40)] {
            try await world.submit(points, "a", of: user)
        }
        try await world.profile("user-2", "Ada")
        try await world.profile("user-4", "Zoe", isListed: false)
        world.pass(to: 604)
        try await world.step(&follower)
        #expect(try await world.page()?.isFinal == false)
        world.pass(to: 605)
        try await world.step(&follower)
        let page = try #require(try await world.page("user-3"))
        #expect(page.isFinal && page.state == .ended && page.placeCount == 3)
        #expect(
            page.top.map(\.score) == [30, 20, 10] && page.top.map(\.name) == ["Ada", nil, nil])
        #expect(page.own?.rank == 2)
        // A clock that goes back after the end opens nothing.
        world.pass(to: 100)
        #expect(try await world.submit(99, "b", of: "user-1")?.result == .late)
        try await world.step(&follower)
        #expect(try await world.page()?.isFinal == true)
        #expect(try await world.page("user-3") == page)
        // The others keep their ranks when one goes.
        try await world.profile("user-3", nil, isListed: false)
        #expect(try await world.page("user-3")?.top.map(\.rank) == [1, 3])
    }

    @Test(arguments: adapters)
    func whoDoesNotWantAPlaceHasNone(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 3)
        var follower = EventFollower(world.events)
        try await world.step(&follower)
        try await world.profile("user-1", "Ada", isListed: false)
        #expect(
            try await world.submit(30, "a", of: "user-1")
                == EventReceipt(result: .counted, score: 30))
        try await world.submit(20, "a", of: "user-2")
        try await world.submit(10, "a", of: "user-3")
        #expect(try await world.scores() == [20, 10])
        #expect(try await world.page("user-1")?.own == nil)
        // Changed while the event runs, either way.
        try await world.profile("user-2", nil, isListed: false)
        let page = try #require(try await world.page("user-3"))
        #expect(page.top.map(\.score) == [10] && page.own?.rank == 1 && page.placeCount == 1)
        try await world.profile("user-1", "Ada")
        try await world.submit(1, "b", of: "user-1")
        #expect(try await world.page()?.top.map(\.name) == ["Ada", nil])
        try await world.step(&follower)
        #expect(try await world.scores() == [31, 10])
    }

    @Test(arguments: adapters)
    func anEventWithSubmissionsIsNotChanged(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 1)
        try await world.define(EventRule(counts: .best))
        try await world.submit(1, "a", of: "user-1")
        try await world.define(EventRule(counts: .best))
        await #expect(throws: EventDefinition.ValidationError.hasBegun) { try await world.define() }
        let removed = try #require(try await world.accounts.events.remove("e"))
        #expect(try await world.accounts.events.remove("e") == nil)
        try await world.define()
        let again = try #require(try await world.accounts.events.events().first)
        // Another event, whose places on Redis are others too.
        #expect(again.number != removed.number && again.id != removed.id)
        #expect(try await world.submit(1, "a", of: "user-1")?.result == .counted)
        #expect(
            try await world.accounts.events.standings(of: "user-1").map(\.standing.score) == [1])
    }

    @Test(arguments: adapters)
    func aServerHasABoundedNumberOfEvents(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 1)
        for number in 1..<ServiceLimits.eventsMax {
            try await world.define(name: "e-\(number)")
        }
        await #expect(throws: EventDefinition.ValidationError.tooMany) {
            try await world.define(name: "more")
        }
        #expect(try await world.events.summaries().count == ServiceLimits.eventsMax)
    }

    @Test(arguments: adapters)
    func aDeclaredRestoreHasThePlacesBuiltAgain(adapter: AccountAdapter) async throws {
        let world = try await EventWorld(adapter, users: 1)
        var follower = EventFollower(world.events)
        try await world.step(&follower)
        try await world.submit(7, "a", of: "user-1")
        _ = try await world.accounts.startGeneration()
        #expect(try await world.page()?.isStale == true)
        try await world.step(&follower)
        #expect(try await world.scores() == [7])
    }
}
