import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// Copies of a host that are behind it.
@Suite struct OldEdgeTests {
    /// A host with two edges: `release` has the newest, `old` what was there before.
    private func edges() async throws -> (voyage: Voyage, old: [UInt8], new: [UInt8]) {
        let voyage = try Voyage(["es"])
        _ = await voyage.run()
        let old = try voyage.folder.read("release/manifest.json")
        try voyage.edit(key: 1)
        #expect(await voyage.run().outcome == .installed(release: 2))
        return (voyage, old, try voyage.folder.read("release/manifest.json"))
    }

    private func serve(_ manifest: [UInt8], _ voyage: Voyage) throws {
        try voyage.folder.write(manifest, to: "release/manifest.json")
    }

    @Test func twoEdgesDoNotFlipADevice() async throws {
        let (voyage, old, new) = try await edges()
        for round in 0..<10 {
            try serve(round.isMultiple(of: 2) ? old : new, voyage)
            voyage.clock.advance(3 * 3600)
            let outcome = await voyage.run(force: false).outcome
            if round.isMultiple(of: 2) {
                guard case .keptNewer(2, 1, _) = outcome else {
                    Issue.record("round \(round): \(outcome)")
                    return
                }
            } else {
                #expect(outcome == .upToDate, "round \(round)")
            }
            #expect(try voyage.key() == "b", "round \(round)")
        }
    }

    @Test func anOlderReleaseIsTakenAfterADay() async throws {
        let (voyage, old, _) = try await edges()
        let seen = voyage.clock.now
        try serve(old, voyage)
        voyage.clock.advance(3600)
        #expect(
            await voyage.run(force: false).outcome
                == .keptNewer(installed: 2, offered: 1, until: seen + 86_400))
        voyage.clock.advance(86_400)
        #expect(await voyage.run(force: false).outcome == .installed(release: 1))
        #expect(try voyage.key() == "a")
    }

    @Test func forceTakesAnOlderRelease() async throws {
        let (voyage, old, _) = try await edges()
        try serve(old, voyage)
        #expect(await voyage.run(force: true).outcome == .installed(release: 1))
    }

    /// A rollback is a release of its own, with a higher number and the content of an earlier one.
    @Test func aRollbackIsTakenAtOnce() async throws {
        let (voyage, _, _) = try await edges()
        try voyage.edit(key: 0)
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).outcome == .installed(release: 3))
        #expect(try voyage.key() == "a")
    }

    /// Two sides of the same number, and a lower one: the time of building says which is newer.
    @Test func aReleaseFolderThatBeginsAtOneAgainIsTakenAtOnce() async throws {
        let (voyage, first, second) = try await edges()
        let old = try dated(first, release: 40, "2026-05-01T10:00:00Z")
        try serve(old, voyage)
        #expect(await voyage.run().outcome == .installed(release: 40))
        try serve(try dated(second, release: 1, "2026-05-02T10:00:00Z"), voyage)
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).outcome == .installed(release: 1))
        // An edge that still has the former folder's does not bring the device back.
        try serve(old, voyage)
        voyage.clock.advance(3600)
        guard case .keptNewer(1, 40, _) = await voyage.run(force: false).outcome else {
            Issue.record("the former folder came back")
            return
        }
        #expect(try voyage.key() == "b")
        // Nor from behind two releases of the new one, though its number is higher.
        try serve(try dated(second, release: 2, "2026-05-02T11:00:00Z"), voyage)
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).outcome == .installed(release: 2))
        try serve(old, voyage)
        voyage.clock.advance(3600)
        guard case .keptNewer(2, 40, _) = await voyage.run(force: false).outcome else {
            Issue.record("the former folder came back")
            return
        }
        // What was built later is never kept out.
        voyage.clock.advance(86_400)
        #expect(await voyage.run(force: false).outcome == .installed(release: 40))
        try serve(try dated(second, release: 2, "2026-05-02T11:00:00Z"), voyage)
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).outcome == .installed(release: 2))
    }

    @Test func anotherHostMayBeBehind() async throws {
        let (voyage, old, _) = try await edges()
        try serve(old, voyage)
        let moved = ContentSync(
            store: voyage.store, transport: voyage.host, releaseURL: "http://elsewhere",
            clock: { voyage.clock.now + 3600 })
        #expect(await moved.sync(force: false).outcome == .installed(release: 1))
    }

    private func dated(_ bytes: [UInt8], release: Int, _ time: String) throws -> [UInt8] {
        var manifest = try Manifest(bytes)
        manifest.release = release
        manifest.generatedAt = time
        return manifest.canonicalBytes
    }
}
