import Accounts
import Foundation
import Testing

@testable import RedisDriver

/// Rates that several processes count on one Redis.
@Suite struct RedisRateLimitsTests {
    private func limits(
        _ server: RedisServer, _ limits: RedisLimits = RedisServer.patient
    ) throws -> RedisRateLimits {
        RedisRateLimits(try server.client(limits: limits), attempts: MemoryRateLimits())
    }

    @Test func twoProcessesAllowTogetherWhatOneWould() async throws {
        let server = try RedisServer()
        let processes = [try limits(server), try limits(server)]
        let limit = RateLimit("a", perMinute: 20)
        let allowed = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<60 {
                group.addTask {
                    await processes[number % 2].consume(limit, of: "x", now: 0) == nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        // Each 3 s that pass meanwhile give another one.
        #expect((20...22).contains(allowed))
        let wait = await processes[0].consume(limit, of: "x", now: 0)
        #expect(wait.map { (1...3).contains($0) } ?? false)
        #expect(await processes[1].consume(limit, of: "y", now: 0) == nil)
        #expect(await processes[1].consume(RateLimit("b", perMinute: 20), of: "x", now: 0) == nil)
    }

    @Test func nobodyWaitsForARedisThatFails() async throws {
        let server = try RedisServer()
        let process = try limits(server, RedisServer.impatient)
        let limit = RateLimit("a", perMinute: 3)
        // On a busy machine this may have been counted here already, so what follows has a key of its own.
        #expect(await process.consume(limit, of: "w", now: 0) == nil)
        server.freeze()
        let clock = ContinuousClock()
        let took = await clock.measure {
            // It counts by itself, and limits all the same.
            for _ in 0..<3 { #expect(await process.consume(limit, of: "x", now: 0) == nil) }
            #expect(await process.consume(limit, of: "x", now: 0) == 20)
            for key in 0..<20 {
                #expect(await process.consume(limit, of: "x\(key)", now: 0) == nil)
            }
        }
        // One of them waits a second; if each did, it were 24 s.
        #expect(took < .seconds(10))
        server.kill()
        #expect(await process.consume(limit, of: "z", now: 0) == nil)
    }

    @Test func aKeyNamesNobodyAndGoes() async throws {
        let server = try RedisServer()
        let process = try limits(server)
        _ = await process.consume(RateLimit("a", perMinute: 3), of: "192.0.2.7", now: 0)
        let client = try server.client()
        let keys = try await client.send(["KEYS", "*"]).elements?.compactMap(\.text) ?? []
        #expect(keys.count == 1 && !keys[0].contains("192"))
        let milliseconds = try await client.send(["PTTL", keys[0]]).integer ?? 0
        #expect((1...61_000).contains(milliseconds))
        await client.close()
    }

    @Test func attemptsAreCountedWhereTheyWere() async throws {
        let server = try RedisServer()
        let process = try limits(server)
        let limit = FailureLimit("a", 2)
        for _ in 0..<2 { #expect(await process.begin(limit, of: "x", now: 0) == nil) }
        #expect(await process.begin(limit, of: "x", now: 0) != nil)
        await process.withdraw(limit, of: "x")
        #expect(await process.begin(limit, of: "x", now: 0) == nil)
    }
}
