import Crypto
import Foundation
import ServiceAPI
import Synchronization
import Testing

@testable import Accounts
@testable import ContentServer
@testable import Ledger
@testable import ServerApplication
@testable import Tables

/// The limits as the service asks for them, whoever counts.
@Suite struct RateLimitsTests {
    private static let rate = RateLimit("a", perMinute: 2)
    private static let failures = FailureLimit("a", 2)

    @Test func limitsOfOneNameAreCountedApart() async {
        let limits = MemoryRateLimits()
        for _ in 0..<2 { #expect(await limits.consume(Self.rate, of: "x", now: 0) == nil) }
        #expect(await limits.consume(Self.rate, of: "x", now: 0) == 30)
        #expect(await limits.consume(Self.rate, of: "y", now: 0) == nil)
        #expect(await limits.consume(RateLimit("b", perMinute: 2), of: "x", now: 0) == nil)
    }

    @Test func whatCostsMoreThanIsLeftIsAllowedOnceAndWaitedOff() async {
        let limits = MemoryRateLimits()
        #expect(await limits.consume(Self.rate, of: "x", cost: 0, now: 0) == nil)
        #expect(await limits.consume(Self.rate, of: "x", cost: 5, now: 0) == nil)
        #expect(await limits.consume(Self.rate, of: "x", cost: 0, now: 0) == 120)
        #expect(await limits.consume(Self.rate, of: "x", now: 119_000) == 1)
        #expect(await limits.consume(Self.rate, of: "x", now: 120_000) == nil)
        // The debt is bounded, whatever the cost was.
        #expect(await limits.consume(Self.rate, of: "y", cost: 1_000_000, now: 0) == nil)
        #expect(await limits.consume(Self.rate, of: "y", now: 0) == 3_630)
    }

    @Test func anAttemptCountsUntilItIsWithdrawn() async {
        let limits = MemoryRateLimits()
        for _ in 0..<5 {
            #expect(await limits.begin(Self.failures, of: "x", now: 0) == nil)
            await limits.withdraw(Self.failures, of: "x")
        }
        for _ in 0..<2 { #expect(await limits.begin(Self.failures, of: "x", now: 0) == nil) }
        #expect(await limits.begin(Self.failures, of: "x", now: 0) != nil)
        #expect(await limits.begin(Self.failures, of: "y", now: 0) == nil)
    }

    /// Counters that several servers share.
    private final class SharedCounters: RateLimiting {
        let taken = Mutex<[String]>([])

        func consume(
            _ limit: RateLimit, of name: String, cost: Int, now: Int64
        ) async -> Int? {
            taken.withLock {
                $0.append("\(limit.name) \(name)")
                return $0.count > 1 ? 7 : nil
            }
        }

        func begin(_ limit: FailureLimit, of name: String, now: Int64) async -> Int? { nil }

        func withdraw(_ limit: FailureLimit, of name: String) async {}
    }

    @Test func theServiceAsksTheCountersThatItWasGiven() async throws {
        let counters = SharedCounters()
        var options = UserServiceOptions(folder: FileManager.default.temporaryDirectory)
        options.rateLimits = counters
        let users = try await UserBackend(
            UserDatabase.inMemory(), options, clock: { .distantPast },
            key: .init(size: .bits256))
        _ = try await users.makeAnonymousAccount(address: "here")
        let refused = await #expect(throws: RequestError.self) {
            _ = try await users.makeAnonymousAccount(address: "there")
        }
        #expect(refused?.code == .tooManyRequests && refused?.retryAfterSeconds == 7)
        #expect(counters.taken.withLock { $0 } == ["sign-ins here", "sign-ins there"])
    }
}
