import Foundation
import Ledger
import LiveEvents
import ServerApplication
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import RedisDriver

/// Live events of two processes that share a database and a Redis, while Redis fails.
@Suite struct RedisEventTests {
    private let folder: TemporaryFolder
    private let redis: RedisServer
    private let processes: [UserBackend]
    private let users: [String]

    init() async throws {
        folder = try TemporaryFolder()
        redis = try RedisServer()
        let path = folder.url
        let redis = redis
        func open() async throws -> UserBackend {
            let options = UserServiceOptions(folder: path, passwordRounds: 1024)
            return try await UserBackend(options, ranking: RedisRanking(try redis.client()))
        }
        processes = [try await open(), try await open()]
        var users: [String] = []
        for _ in 0..<4 {
            users.append(try await processes[0].makeAnonymousAccount(address: "test").user)
        }
        self.users = users
        try await processes[0].events?.set(
            EventDefinition(
                name: "e", bank: "es", startsAt: Date() - 10, endsAt: Date() + 3600))
    }

    private func submit(
        _ points: Int, _ id: String, of user: Int, to process: Int = 0
    ) async throws -> EventReceipt? {
        try await processes[process].events?.submit(
            EventSubmission(id: id, points: points), to: "e", of: users[user])
    }

    /// Takes steps until the places are those of the database again; Redis is asked again after a second.
    private func recover(_ followers: inout [EventFollower]) async throws {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        for index in followers.indices {
            while true {
                do {
                    try await followers[index].step(now: Date())
                    if try await page(index)?.isStale == false { break }
                } catch is RankingUnavailable {
                    // Not yet.
                }
                try #require(clock.now < end)
                await Task.yield()
            }
        }
    }

    private func page(_ process: Int) async throws -> LiveEventPage? {
        try await processes[process].events?.page("e", top: 10, for: nil)
    }

    @Test(arguments: ["kill", "flush", "evict"])
    func placesComeBackFromTheDatabase(fault: String) async throws {
        var followers = processes.compactMap { $0.events.map { EventFollower($0) } }
        try await recover(&followers)
        for user in 0..<4 {
            #expect(try await submit(user + 1, "a", of: user, to: user % 2) != nil)
        }
        #expect(try await page(1)?.top.map(\.score) == [4, 3, 2, 1])
        switch fault {
        case "kill":
            redis.kill()
            // Submissions go on; the last places are shown with their age.
            let receipt = try #require(try await submit(10, "b", of: 0))
            #expect(receipt == EventReceipt(result: .counted, score: 11))
            let stale = try #require(try await page(1))
            #expect(stale.isStale && stale.top.map(\.score) == [4, 3, 2, 1])
            try redis.start()
        case "flush":
            try await redis.client().send(["FLUSHALL"])
            #expect(try await submit(10, "b", of: 0)?.score == 11)
        default:
            let client = try redis.client()
            let keys = try await client.send(["KEYS", "*:places"]).elements?.first?.text
            try await client.send(["DEL", try #require(keys)])
            #expect(try await submit(10, "b", of: 0)?.rank == nil)
        }
        try await recover(&followers)
        for process in 0..<2 {
            #expect(try await page(process)?.top.map(\.score) == [11, 4, 3, 2])
        }
        #expect(
            try await submit(0, "b", of: 0)
                == EventReceipt(result: .duplicate, score: 11, rank: 1, placeCount: 4))
    }

    /// As the restart of a Redis from its file, or a failover to a replica that lagged.
    @Test func anOlderStateOfRedisIsBroughtUpToDate() async throws {
        var followers = processes.compactMap { $0.events.map { EventFollower($0) } }
        try await recover(&followers)
        for user in 0..<3 { _ = try await submit(user + 1, "a", of: user) }
        try await recover(&followers)
        let client = try redis.client()
        let event = try #require(try await processes[0].events?.storage.events().first)
        let keys = ["places", "standings"].map { "underway:event:{\(event.id)}:\($0)" }
        for key in keys { try await client.send(["COPY", key, key + ":old"]) }
        _ = try await submit(50, "b", of: 0)
        _ = try await submit(60, "b", of: 3, to: 1)
        try await recover(&followers)
        for _ in 0..<2 { try await recover(&followers) }
        #expect(try await page(0)?.top.map(\.score) == [60, 51, 3, 2])
        for key in keys { try await client.send(["COPY", key + ":old", key, "REPLACE"]) }
        #expect(try await page(0)?.top.map(\.score) == [3, 2, 1])
        try await recover(&followers)
        for process in 0..<2 {
            #expect(try await page(process)?.top.map(\.score) == [60, 51, 3, 2])
        }
        #expect(try await submit(2, "c", of: 1)?.rank == 3)
    }

    @Test func aForeignKeyIsReplacedAndHarmsNoOtherEvent() async throws {
        let start = Date()
        try await processes[0].events?.set(
            EventDefinition(name: "other", bank: "es", startsAt: start - 10, endsAt: start + 600))
        var followers = processes.compactMap { $0.events.map { EventFollower($0) } }
        try await recover(&followers)
        _ = try await submit(5, "a", of: 1)
        _ = try await processes[0].events?.submit(
            EventSubmission(id: "a", points: 7), to: "other", of: users[0])
        let events = try await processes[0].events?.storage.events() ?? []
        let id = try #require(events.first { $0.definition.name == "e" }?.id)
        for suffix in ["standings", "places", "building"] {
            let key = "underway:event:{\(id)}:\(suffix)"
            try await redis.client().send(["DEL", key])
            try await redis.client().send(["RPUSH", key, "x"])
        }
        await #expect(throws: RankingUnavailable.self) {
            try await followers[0].step(now: Date())
        }
        let other = try await processes[0].events?.page("other", top: 10, for: nil)
        #expect(other?.isStale == false && other?.top.map(\.score) == [7])
        try await recover(&followers)
        #expect(try await page(0)?.top.map(\.score) == [5])
    }

    @Test func aFrozenEventLeavesNothingOnRedis() async throws {
        var followers = processes.compactMap { $0.events.map { EventFollower($0) } }
        try await recover(&followers)
        _ = try await submit(5, "a", of: 1)
        let later = Date() + 7200
        for index in followers.indices {
            // The first step freezes, the second removes.
            for _ in 0..<2 { try await followers[index].step(now: later) }
        }
        #expect(try await redis.client().send(["KEYS", "underway:event:*"]).elements == [])
        #expect(try await page(1)?.isFinal == true)
    }
}
