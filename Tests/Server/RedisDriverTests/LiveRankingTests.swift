import Foundation
import LiveEvents
import TestSupport
import Testing

@testable import RedisDriver

/// What every ranking does, in memory and on Redis.
@Suite struct LiveRankingTests {
    enum Kind: String, CaseIterable, Sendable { case memory, redis }

    private static let event = RankingKey(id: "abc", epoch: 3)

    private let redis: RedisServer

    init() throws { redis = try RedisServer() }

    private func ranking(_ kind: Kind) throws -> any LiveRanking {
        switch kind {
        case .memory: MemoryRanking()
        case .redis: RedisRanking(try redis.client())
        }
    }

    private static func standing(
        _ member: Int64, _ score: Int, at second: Int = 0, submissions: Int = 1
    ) -> EventStanding {
        EventStanding(member: member, score: score, second: second, submissions: submissions)
    }

    private func build(
        _ ranking: any LiveRanking, _ standings: [EventStanding], _ event: RankingKey = event
    ) async throws -> Bool {
        let sorted = standings.sorted { $0.member < $1.member }
        return try await ranking.build(event) { last in
            Array(sorted.drop { $0.member <= last }.prefix(7))
        }
    }

    @Test(arguments: Kind.allCases)
    func howFarItHasComeOnlyGrowsAndGoesWithThePlaces(kind: Kind) async throws {
        let ranking = try ranking(kind)
        try await ranking.note(through: 5, of: Self.event)
        #expect(try await ranking.build(Self.event, through: 7) { _ in [] })
        func through() async throws -> Int64? {
            try await ranking.read(Self.event, top: 0, member: nil)?.through
        }
        #expect(try await through() == 7)
        for change: Int64 in [9, 3, 1 << 50, 8] {
            try await ranking.note(through: change, of: Self.event)
        }
        #expect(try await through() == 1 << 50)
        _ = try await ranking.apply([Self.standing(1, 5)], to: Self.event)
        #expect(try await through() == 1 << 50)
        try await ranking.note(through: 1 << 51, of: RankingKey(id: "abc", epoch: 9))
        #expect(try await through() == 1 << 50)
        #expect(try await ranking.build(Self.event, through: 2) { _ in [] })
        #expect(try await through() == 2)
    }

    @Test(arguments: Kind.allCases)
    func anEventIsBuiltBeforeItIsUsed(kind: Kind) async throws {
        let ranking = try ranking(kind)
        #expect(try await ranking.read(Self.event, top: 3, member: nil) == nil)
        #expect(try await ranking.apply([Self.standing(1, 5)], to: Self.event) == nil)
        #expect(try await build(ranking, []))
        let none = RankingReading(top: [], own: RankedPlace(rank: nil, order: nil, count: 0))
        #expect(try await ranking.read(Self.event, top: 3, member: 9) == none)
        #expect(
            try await ranking.apply([Self.standing(1, 5)], to: Self.event)
                == RankedPlace(rank: 1, order: Self.standing(1, 5).order, count: 1))
        // Places of another history are none.
        let other = RankingKey(id: "abc", epoch: 4)
        #expect(try await ranking.read(other, top: 3, member: nil) == nil)
        #expect(try await ranking.apply([Self.standing(1, 5)], to: other) == nil)
        try await ranking.drop(Self.event)
        #expect(try await ranking.read(Self.event, top: 3, member: nil) == nil)
    }

    @Test(arguments: Kind.allCases)
    func anOlderStandingChangesNothing(kind: Kind) async throws {
        let ranking = try ranking(kind)
        #expect(try await build(ranking, [Self.standing(1, 5, submissions: 2)]))
        for older in [1, 2] {
            let place = try await ranking.apply(
                [Self.standing(1, 99, submissions: older)], to: Self.event)
            #expect(place?.order == Self.standing(1, 5).order)
        }
        _ = try await ranking.apply([Self.standing(1, 6, submissions: 3)], to: Self.event)
        func joined(_ score: Int, change: Int64) async throws -> Int64? {
            let standing = EventStanding(member: 1, score: score, submissions: 3, change: change)
            return try await ranking.apply([standing], to: Self.event)?.order
        }
        // With as many submissions the later change is newer.
        #expect(try await joined(4, change: 9) == Self.standing(1, 4).order)
        #expect(try await joined(2, change: 10) == Self.standing(1, 2).order)
        #expect(try await joined(4, change: 9) == Self.standing(1, 2).order)
        try await ranking.remove([1, 2], from: Self.event)
        #expect(try await ranking.read(Self.event, top: 3, member: 1)?.own.count == 0)
        let again = try await ranking.apply([Self.standing(1, 6, submissions: 3)], to: Self.event)
        #expect(again?.rank == 1)
    }

    @Test(arguments: Kind.allCases, [21, 22, 23])
    func placesAreThoseOfASortedList(kind: Kind, seed: UInt64) async throws {
        var chance = SeededGenerator(seed: seed)
        let ranking = try ranking(kind)
        // Numbers of many lengths, and many equal scores and seconds.
        var members: [Int64] = (0..<300).map { $0 * 37 % 12_007 + 1 }
        members += [1 << 40, 1 << 52 + 1]
        var known: [Int64: EventStanding] = [:]
        for member in members.prefix(200) { known[member] = Self.standing(member, 0) }
        #expect(try await build(ranking, Array(known.values)))
        for step in 0..<60 {
            let batch = (0..<Int.random(in: 1...40, using: &chance)).map { _ in
                Self.standing(
                    members[Int.random(in: 0..<members.count, using: &chance)],
                    Int.random(in: 0...9, using: &chance) * 10_000_000,
                    at: Int.random(in: 1_048_570...1_048_575, using: &chance),
                    submissions: Int.random(in: 1...50, using: &chance))
            }
            for standing in batch
            where standing.submissions > known[standing.member]?.submissions ?? 0 {
                known[standing.member] = standing
            }
            _ = try await ranking.apply(batch, to: Self.event)
            guard step % 10 == 9 else { continue }
            let sorted = known.values.sorted {
                ($1.score, $0.second, $0.member) < ($0.score, $1.second, $1.member)
            }
            for (place, standing) in sorted.enumerated() where place % 13 == 0 {
                let reading = try #require(
                    try await ranking.read(Self.event, top: 1_000, member: standing.member))
                #expect(
                    reading.own
                        == RankedPlace(
                            rank: place + 1, order: standing.order, count: sorted.count),
                    "seed \(seed)")
                #expect(
                    reading.top
                        == sorted.map { RankedMember(member: $0.member, order: $0.order) },
                    "seed \(seed)")
            }
        }
    }

    // MARK: Losses

    @Test(arguments: [
        ["FLUSHALL"], ["DEL", "places"], ["DEL", "standings"], ["HDEL", "standings", "epoch"],
    ])
    func whatRedisLostIsNoticed(loss: [String]) async throws {
        let (ranking, client) = (RedisRanking(try redis.client()), try redis.client())
        #expect(try await build(ranking, (1...20).map { Self.standing($0, Int($0)) }))
        let words = loss.map {
            ["places", "standings"].contains($0) ? "underway:event:{abc}:\($0)" : $0
        }
        try await client.send(RedisCommand(words))
        #expect(try await ranking.read(Self.event, top: 3, member: nil) == nil)
        #expect(
            try await ranking.apply([Self.standing(5, 50, submissions: 2)], to: Self.event) == nil)
        #expect(try await build(ranking, (1...20).map { Self.standing($0, Int($0)) }))
        #expect(try await ranking.read(Self.event, top: 1, member: nil)?.own.count == 20)
    }

    @Test func oneProcessBuildsAtATime() async throws {
        let (one, other) = (RedisRanking(try redis.client()), RedisRanking(try redis.client()))
        let standings = (1...5).map { Self.standing($0, Int($0)) }
        var others: [Bool] = []
        let isBuilt = try await one.build(Self.event) { last in
            others.append(try await build(other, standings))
            return Array(standings.drop { $0.member <= last })
        }
        #expect(isBuilt && others == [false, false])
        #expect(try await build(other, standings))
    }

    @Test func piecesOfAnAbandonedBuildExpire() async throws {
        let (ranking, client) = (RedisRanking(try redis.client()), try redis.client())
        struct Stop: Error {}
        await #expect(throws: Stop.self) {
            _ = try await ranking.build(Self.event) { last in
                guard last == 0 else { throw Stop() }
                return [Self.standing(1, 1)]
            }
        }
        let keys = try await client.send(["KEYS", "*"]).elements?.compactMap(\.text) ?? []
        #expect(keys.count == 3, "\(keys)")
        for key in keys {
            let left = try await client.send(["PTTL", key]).integer
            #expect((1...100_000).contains(left ?? -1), "\(key)")
        }
        #expect(try await ranking.read(Self.event, top: 1, member: nil) == nil)
    }

    /// While servers are upgraded one by one, some of the former version are beside this one. Its hash has counts of
    /// submissions, which do not compare with revisions.
    @Test func placesOfTheFormerVersionAreLeftToIt() async throws {
        let (ranking, client) = (RedisRanking(try redis.client()), try redis.client())
        let (member, name) = ("0000000000000001", "underway:event:{abc}")
        try await client.send(["ZADD", "\(name):rank", "-7", "\(member)"])
        try await client.send([
            "HSET", "\(name):state", "\(member)", "2", "epoch", "3", "through", "0",
        ])
        #expect(try await ranking.read(Self.event, top: 1, member: nil) == nil)
        #expect(try await ranking.apply([Self.standing(1, 9)], to: Self.event) == nil)
        #expect(try await build(ranking, [Self.standing(1, 9), Self.standing(2, 3)]))
        #expect(try await ranking.read(Self.event, top: 1, member: nil)?.own.count == 2)
        #expect(try await client.send(["HGET", "\(name):state", "\(member)"]).text == "2")
        #expect(try await client.send(["ZCARD", "\(name):rank"]).integer == 1)
    }

    @Test func whatIsBuiltExpiresAfterAnyEvent() async throws {
        let (ranking, client) = (RedisRanking(try redis.client()), try redis.client())
        #expect(try await build(ranking, [Self.standing(1, 1)]))
        for name in ["places", "standings"] {
            let left = try await client.send(["TTL", "underway:event:{abc}:\(name)"]).integer
            #expect((1_048_576...1_209_600).contains(left ?? -1))
        }
        #expect(try await client.send(["DBSIZE"]).integer == 2)
    }

    // MARK: Refusals

    @Test func aFullRedisTakesNoPlaceAndShowsThoseItHas() async throws {
        let server = try RedisServer(["--maxmemory-policy", "noeviction"])
        let (ranking, client) = (RedisRanking(try server.client()), try server.client())
        #expect(try await build(ranking, [Self.standing(1, 1)]))
        try await client.send(["CONFIG", "SET", "maxmemory", "1"])
        await #expect(throws: RankingUnavailable.self) {
            try await ranking.apply([Self.standing(2, 2)], to: Self.event)
        }
        let reader = RedisRanking(client)
        #expect(try await reader.read(Self.event, top: 1, member: nil)?.own.count == 1)
        try await client.send(["CONFIG", "SET", "maxmemory", "0"])
        #expect(try await reader.apply([Self.standing(2, 2)], to: Self.event)?.rank == 1)
    }

    @Test func aReplicaAndAWrongPasswordAreSaid() async throws {
        let replica = try RedisServer(["--replicaof", "127.0.0.1 \(redis.port)"])
        let secret = try RedisServer(["--requirepass", "right"])
        for (client, reason) in [
            (try replica.client(), "readOnly"), (try secret.client(":wrong@"), "refused"),
        ] {
            let ranking = RedisRanking(client)
            do {
                _ = try await build(ranking, [Self.standing(1, 1)])
                Issue.record("It was built.")
            } catch let error as RankingUnavailable {
                #expect(error.description.contains(reason) && !error.description.contains("wrong"))
            }
        }
    }

    @Test func aDeadRedisIsNotWaitedForAgainAndAgain() async throws {
        let server = try RedisServer()
        #expect(try await build(RedisRanking(try server.client()), [Self.standing(1, 1)]))
        let client = try server.client(limits: RedisServer.impatient)
        let ranking = RedisRanking(client)
        #expect(await client.isReached())
        server.freeze()
        let took = await ContinuousClock().measure {
            for _ in 0..<20 {
                await #expect(throws: RankingUnavailable.self) {
                    try await ranking.apply([Self.standing(2, 2)], to: Self.event)
                }
            }
        }
        // One of them waits a second; if each did, it were 20 s.
        #expect(took < .seconds(10))
    }
}
