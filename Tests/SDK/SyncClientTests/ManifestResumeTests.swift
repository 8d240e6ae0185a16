import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// Manifests on lines that break or crawl.
@Suite struct ManifestResumeTests {
    private func editedVoyage() async throws -> Voyage {
        let voyage = try Voyage(["es"])
        _ = await voyage.run()
        try voyage.edit()
        voyage.host.forgetRequests()
        return voyage
    }

    /// The network breaks at many bytes: what came is not asked for again.
    @Test func aManifestGoesOnWhereItBroke() async throws {
        let voyage = try await editedVoyage()
        let size = try voyage.folder.read("release/manifest.json").count
        for (number, cut) in stride(from: 0, to: size, by: 29).enumerated() {
            voyage.host.fail("manifest.json", .cut(after: cut), times: 1)
            voyage.host.forgetRequests()
            #expect(await voyage.run().outcome == .installed(release: number + 2), "cut at \(cut)")
            let second = voyage.host.requests[1]
            #expect(second.headers["Range"] == (cut > 0 ? "bytes=\(cut)-" : nil), "cut at \(cut)")
            #expect(
                second.headers["If-Range"] == (cut > 0 ? try tag(voyage) : nil), "cut at \(cut)")
            let manifest = try voyage.folder.read("release/manifest.json")
            #expect(try voyage.store.currentManifest()?.bytes == manifest, "cut at \(cut)")
            try voyage.edit(key: number % 3, stem: "Stem \(cut + 1000)?")
        }
    }

    private func tag(_ voyage: Voyage) throws -> String {
        "\"\(Checksum(of: try voyage.folder.read("release/manifest.json")).hex.prefix(16))\""
    }

    /// A line that never lets a whole manifest through: each run brings a part of it.
    @Test func aManifestArrivesOverSeveralRuns() async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail("manifest.json", .cut(after: 40))
        var runs = 0
        while await voyage.run(force: false).outcome != .installed(release: 2), runs < 100 {
            runs += 1
            voyage.clock.advance(3600)
        }
        #expect((3..<50).contains(runs))
        #expect(try voyage.key() == "b")
        // What came in parts is asked for without a condition once, since only its tag said that the
        // parts belong together.
        voyage.host.heal()
        voyage.host.forgetRequests()
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).outcome == .upToDate)
        #expect(voyage.host.requests.first?.headers["If-None-Match"] == nil)
    }

    @Test func forceBeginsAnew() async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail("manifest.json", .cut(after: 200), times: 3)
        voyage.clock.advance(3600)
        _ = await voyage.run(force: false)
        voyage.host.heal()
        voyage.host.forgetRequests()
        #expect(await voyage.run(force: true).outcome == .installed(release: 2))
        #expect(voyage.host.requests[0].headers["If-Range"] == nil)
    }

    @Test func anotherManifestIsNotGoneOnWith() async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail("manifest.json", .cut(after: 200), times: 3)
        _ = await voyage.run()
        try voyage.edit(key: 2)
        #expect(await voyage.run().outcome == .installed(release: 3))
        #expect(try voyage.key() == "c")
    }

    @Test func aWeakTagIsNoReasonToGoOn() async throws {
        let voyage = try await editedVoyage()
        voyage.host.fixTag("W/\"1\"")
        voyage.host.fail("manifest.json", .cut(after: 200), times: 1)
        #expect(await voyage.run().outcome == .installed(release: 2))
        #expect(voyage.host.requests.allSatisfy { $0.headers["Range"] == nil })
    }

    /// A host that calls two manifests the same: what was put together of both does no lasting harm.
    @Test func aHostWhoseTagsLieHealsByItself() async throws {
        let voyage = try await editedVoyage()
        let size = try voyage.folder.read("release/manifest.json").count
        voyage.host.fixTag("\"1\"")
        for cut in stride(from: 20, to: size, by: 40) {
            voyage.host.fail("manifest.json", .cut(after: cut), times: 3)
            _ = await voyage.run(force: true)
            voyage.host.heal()
            try voyage.edit(key: cut % 3, stem: "Stem \(cut)?")
            for _ in 0..<2 {
                _ = await voyage.run(force: false)
                voyage.clock.advance(2 * 86_400)
            }
            let manifest = try voyage.folder.read("release/manifest.json")
            _ = await voyage.run(force: true)
            #expect(try voyage.store.currentManifest()?.bytes == manifest, "cut at \(cut)")
        }
    }

    // MARK: Hosts that send no parts

    @Test(arguments: [204, 206, 302, 400, 404, 416, 500, 501])
    func aHostThatRefusesPartsIsAskedForAllAtOnce(status: Int) async throws {
        let voyage = try await editedVoyage()
        voyage.host.refuseRanges(.status(status))
        voyage.host.fail("manifest.json", .cut(after: 200), times: 3)
        voyage.clock.advance(3600)
        guard case .failed = await voyage.run(force: false).outcome else {
            Issue.record("the transfer did not break")
            return
        }
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).outcome == .installed(release: 2))
    }

    /// It is left alone, and the next time asked for all.
    @Test func aHostThatAsksToWaitInPlaceOfAPartStopsNoUpdate() async throws {
        let voyage = try await editedVoyage()
        voyage.host.refuseRanges(.status(503, retryAfter: 5))
        voyage.host.fail("manifest.json", .cut(after: 200), times: 1)
        voyage.clock.advance(3600)
        _ = await voyage.run(force: false)
        #expect(voyage.host.requests.count == 2)
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).outcome == .installed(release: 2))
    }

    @Test(arguments: [204, 206, 302, 400, 403, 404, 416, 500, 501])
    func anObjectIsAskedForWholeWherePartsAreRefused(status: Int) async throws {
        let voyage = try await editedVoyage()
        voyage.host.refuseRanges(.status(status))
        voyage.host.fail("objects/", .cut(after: 20), times: 2)
        #expect(await voyage.run().outcome == .installed(release: 2))
        #expect(voyage.host.requests.contains { $0.headers["Range"] == "bytes=20-" })
    }

    // MARK: Slow lines

    /// A line of 5 kB/s, 30 times as fast, with a thirtieth of the deadline.
    private func slow(_ voyage: Voyage, bytesPerSecond: Int = 150_000) -> ContentSync {
        var settings = SyncSettings()
        settings.backoff = .zero
        settings.downloadDeadline = .seconds(1)
        voyage.host.limit(bytesPerSecond: bytesPerSecond)
        return ContentSync(
            store: voyage.store, transport: voyage.host, releaseURL: "http://host",
            settings: settings,
            clock: { voyage.clock.now })
    }

    /// The manifest of the release with so many documents more, which have the same bytes.
    private func grown(_ voyage: Voyage, by count: Int, text: String) throws -> Manifest {
        var manifest = try Manifest(voyage.folder.read("release/manifest.json"))
        let bytes = Array(text.utf8)
        let checksum = Checksum(of: bytes)
        for number in 0..<count {
            manifest.assets["many/\(number).txt"] = AssetEntry(
                checksum: checksum, size: bytes.count, fetchClass: .eager)
        }
        try voyage.folder.write(
            bytes, to: "release/objects/\(checksum.hex.prefix(2))/\(checksum.hex)")
        manifest.release += 1
        try voyage.folder.write(manifest.canonicalBytes, to: "release/manifest.json")
        return manifest
    }

    @Test func fiveThousandDocumentsOnASlowLineCatchUp() async throws {
        let voyage = try Voyage(["es"])
        let manifest = try grown(voyage, by: 5000, text: "asset")
        // The manifest alone takes several deadlines.
        #expect(manifest.canonicalBytes.count > 3 * 150_000)
        #expect(await voyage.run().outcome == .installed(release: 2))
        _ = try grown(voyage, by: 1, text: "another")
        let report = try await within(.seconds(120)) { [sync = slow(voyage)] in
            await sync.sync(force: true)
        }
        #expect(report.outcome == .installed(release: 3))
        #expect(report.tally.documents == [.asset: 1])
    }

    @Test func aFirstSyncOnASlowLineEnds() async throws {
        let voyage = try Voyage(["de", "en", "es"])
        try voyage.folder.write([UInt8](repeating: 7, count: 600_000), to: "content/assets/a.bin")
        try voyage.publish()
        let report = try await within(.seconds(120)) { [sync = slow(voyage)] in await sync.sync() }
        #expect(report.outcome == .installed(release: 2))
    }

    /// A host that sends next to nothing is given up all the same.
    @Test func aManifestThatStallsIsGivenUp() async throws {
        let voyage = try await editedVoyage()
        let sync = slow(voyage, bytesPerSecond: 50)
        let report = try await within(.seconds(60)) { await sync.sync(force: true) }
        guard case .failed(let failure) = report.outcome else {
            Issue.record("\(report.outcome)")
            return
        }
        #expect(failure.code == .offline)
    }
}
