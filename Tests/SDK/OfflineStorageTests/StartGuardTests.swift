import ContentModel
import Foundation
import GRDB
import OfflineStorage
import Testing

@Suite struct StartGuardTests {
    private let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        for release in 1...2 { try install(release) }
    }

    private func install(_ release: Int) throws {
        let manifest = try fixture.stage(
            release: release, [StoreFixture.blueprint(key: (release - 1) % 2)])
        try fixture.store.install(verifying: manifest, now: fixture.now)
    }

    /// A launch of the app in a process of its own; returns the ban.
    private func launch(
        _ body: (OfflineStore) throws -> Void = { _ in }
    ) throws -> ReleaseBan? {
        let store = try fixture.reopened()
        let ban = try store.beginStart(now: fixture.now)
        try body(store)
        return ban
    }

    private func crash(times: Int) throws {
        for _ in 0..<times { #expect(try launch { try $0.willShowFirstScreen() } == nil) }
    }

    private func release() throws -> Int? {
        try fixture.store.currentGeneration()?.freshness.release
    }

    @Test func launchesInTheBackgroundNeverBan() throws {
        for _ in 0..<10 { #expect(try launch() == nil) }
        #expect(try release() == 2)
    }

    @Test func launchesInTheBackgroundBetweenCrashesChangeNothing() throws {
        try crash(times: 1)
        #expect(try launch { try $0.confirmStart() } == nil)
        try crash(times: 1)
        #expect(try launch() == ReleaseBan(release: 2, crashCount: 2))
        #expect(try release() == 1)
    }

    @Test func aReleaseThatCrashesTwoVisibleStartsIsBanned() throws {
        try crash(times: 2)
        let ban = try launch()
        #expect(ban == ReleaseBan(release: 2, crashCount: 2))
        #expect(ban?.message == "The app crashed at 2 starts in a row with release 2.")
        #expect(try release() == 1)
        #expect(try fixture.key() == "a")
        let banned = try fixture.stage(release: 2, [StoreFixture.blueprint(key: 1)])
        #expect(try fixture.store.banReason(Checksum(of: banned)) == ban?.message)
        // The generation that took its place begins with a clean record.
        for release in [3, 4] { try install(release) }
        #expect(try launch() == nil)
    }

    @Test func theScreenCountsOnceAStart() throws {
        #expect(try launch { for _ in 0..<5 { try $0.willShowFirstScreen() } } == nil)
        #expect(try launch() == nil)
        #expect(try release() == 2)
    }

    @Test func aStartThatSurvivesIsForgiven() async throws {
        for _ in 0..<5 {
            let store = try fixture.reopened()
            #expect(try store.beginStart(now: fixture.now) == nil)
            try await store.superviseStart(for: .zero)
            // Back from the background, and ended there by the system.
            try store.willShowFirstScreen()
        }
        #expect(try release() == 2)
    }

    @Test func leavingTheScreenEarlyIsNoCrash() async throws {
        for _ in 0..<5 {
            let store = try fixture.reopened()
            #expect(try store.beginStart(now: fixture.now) == nil)
            let screen = Task { try await store.superviseStart(for: .seconds(3600)) }
            screen.cancel()
            try await screen.value
        }
        #expect(try release() == 2)
    }

    @Test func aCrashAfterAStartThatWentWellIsTheFirstOne() throws {
        try crash(times: 1)
        _ = try launch {
            try $0.willShowFirstScreen()
            try $0.confirmStart()
        }
        try crash(times: 1)
        #expect(try launch() == nil)
        #expect(try release() == 2)
    }

    @Test func theOnlyGenerationIsNeverTakenAway() throws {
        let fixture = try StoreFixture()
        let manifest = try fixture.stage(release: 1, [StoreFixture.blueprint()])
        try fixture.store.install(verifying: manifest, now: fixture.now)
        for _ in 0..<5 {
            #expect(try fixture.reopened().beginStart(now: fixture.now) == nil)
            try fixture.store.willShowFirstScreen()
        }
        #expect(try fixture.key() == "a")
    }

    @Test func bansCanBeLifted() throws {
        try crash(times: 2)
        #expect(try launch() != nil)
        try fixture.store.liftBans()
        try install(2)
        #expect(try release() == 2)
    }
}
