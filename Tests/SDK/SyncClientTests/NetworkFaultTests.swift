import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// Every fault leaves the installed generation complete, and the next good run converges.
@Suite struct NetworkFaultTests {
    private func expectOldStaysThenNewArrives(
        _ voyage: Voyage, _ code: SyncError.Code, _ comment: Comment? = nil
    ) async throws {
        let report = await voyage.run()
        guard case .failed(let failure) = report.outcome else {
            Issue.record("\(report.outcome) \(comment ?? "")")
            return
        }
        #expect(failure.code == code, comment)
        #expect(try voyage.key() == "a", comment)
        #expect(try voyage.store.currentGeneration()?.freshness.release == 1, comment)
        voyage.host.heal()
        #expect(await voyage.run().outcome == .installed(release: 2), comment)
        #expect(try voyage.key() == "b", comment)
    }

    private func editedVoyage(deadline: Duration = .seconds(600)) async throws -> Voyage {
        let voyage = try Voyage(["es"], deadline: deadline)
        _ = await voyage.run()
        try voyage.edit()
        return voyage
    }

    // MARK: The manifest

    @Test(arguments: [
        ("not json", SyncError.Code.badManifest), ("{\"schemaVersion\": 2, \"rel", .badManifest),
        ("{\"schemaVersion\": 2, \"languages\": []}", .badManifest),
        ("{\"schemaVersion\": 2, \"release\": -1}", .badManifest),
        ("{\"schemaVersion\": 2, \"release\": 1, \"release\": 2}", .badManifest),
        ("{\"schemaVersion\": 2, \"languages\": {\"../x\": {}}}", .badManifest),
        ("{\"schemaVersion\": 3}", .unsupportedSchema), ("", .badManifest),
    ])
    func aManifestThatCannotBeReadChangesNothing(text: String, code: SyncError.Code) async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail("manifest.json", .bytes(Array(text.utf8)))
        try await expectOldStaysThenNewArrives(voyage, code)
    }

    @Test func fiftyMegabytesOfManifestAreNotTakenIn() async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail("manifest.json", .bytes([UInt8](repeating: 0x20, count: 50_000_000)))
        try await expectOldStaysThenNewArrives(voyage, .badManifest)
    }

    @Test func anEndlessManifestIsCutOff() async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail("manifest.json", .endless)
        try await expectOldStaysThenNewArrives(voyage, .badManifest)
    }

    @Test(arguments: [
        (StaticHost.Fault.offline, SyncError.Code.offline), (.status(500), .serverError),
        (.status(404), .notFound), (.status(301), .redirected),
        (.cut(after: 100), .offline),
    ])
    func aManifestThatDoesNotComeChangesNothing(
        fault: StaticHost.Fault, code: SyncError.Code
    ) async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail("manifest.json", fault)
        try await expectOldStaysThenNewArrives(voyage, code)
    }

    @Test func aServerThatAsksToWaitIsLeftAlone() async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail("manifest.json", .status(503, retryAfter: 3600))
        _ = await voyage.run()
        voyage.host.heal()
        voyage.host.forgetRequests()
        voyage.clock.advance(3000)
        guard case .notDue = await voyage.run(force: false).outcome else {
            Issue.record("Retry-After was not obeyed")
            return
        }
        #expect(voyage.host.requests.isEmpty)
        voyage.clock.advance(1000)
        #expect(await voyage.run(force: false).outcome == .installed(release: 2))
    }

    // MARK: Objects

    @Test(arguments: [
        (StaticHost.Fault.flipBit(at: 50), SyncError.Code.checksumMismatch),
        (.extraBytes(1), .wrongLength), (.endless, .wrongLength), (.status(500), .serverError),
        (.status(302), .redirected),
        (.bytes([]), .wrongLength),
        (.bytes(Array("short".utf8)), .wrongLength),
    ])
    func aBadObjectIsDiscarded(fault: StaticHost.Fault, code: SyncError.Code) async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail(try voyage.objectPath(), fault)
        try await expectOldStaysThenNewArrives(voyage, code)
    }

    @Test func anObjectThatIsGoneEverywhereFailsTheRun() async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail(try voyage.objectPath(), .status(404))
        voyage.host.fail("blueprints/es.json", .status(404))
        try await expectOldStaysThenNewArrives(voyage, .notFound)
    }

    @Test func rightBytesUnderAWrongTypeAreRight() async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail("", .wrongContentType)
        #expect(await voyage.run().outcome == .installed(release: 2))
    }

    @Test func anAnswerThatNeverEndsIsGivenUp() async throws {
        let voyage = try await editedVoyage(deadline: .milliseconds(50))
        voyage.host.fail(try voyage.objectPath(), .stalls)
        let report = await voyage.run()
        guard case .failed(let failure) = report.outcome else {
            Issue.record("\(report.outcome)")
            return
        }
        #expect(failure.code == .offline)
        #expect(try voyage.key() == "a")
    }

    /// One bad transfer is not the end: the second try of the same run succeeds.
    @Test(arguments: [StaticHost.Fault.flipBit(at: 9), .cut(after: 30), .offline, .extraBytes(5)])
    func aSecondTryHelps(fault: StaticHost.Fault) async throws {
        let voyage = try await editedVoyage()
        voyage.host.fail(try voyage.objectPath(), fault, times: 1)
        #expect(await voyage.run().outcome == .installed(release: 2))
    }

    /// The network breaks at every byte of the object: what came is kept and not asked for again.
    @Test func aDownloadGoesOnWhereItBroke() async throws {
        let voyage = try await editedVoyage()
        try voyage.edit(key: 1, stem: "Stem 0999?")
        let size = try voyage.folder.read("release/blueprints/es.json").count
        for cut in 0...size {
            voyage.host.fail(try voyage.objectPath(), .cut(after: cut), times: 1)
            voyage.host.forgetRequests()
            #expect(await voyage.run().outcome == .installed(release: cut + 3), "cut at \(cut)")
            let ranges = voyage.host.requests.compactMap { $0.headers["Range"] }
            #expect(ranges == (0 < cut && cut < size ? ["bytes=\(cut)-"] : []), "cut at \(cut)")
            #expect(try voyage.key() == (cut.isMultiple(of: 2) ? "b" : "c"), "cut at \(cut)")
            voyage.host.heal()
            try voyage.edit(key: cut.isMultiple(of: 2) ? 2 : 1, stem: "Stem \(cut + 1000)?")
        }
    }

    @Test func manySeedsOfFaultsConverge() async throws {
        for seed: UInt64 in 1...40 {
            var random = SeededGenerator(seed: seed)
            let voyage = try Voyage(["de", "es"])
            for key in [1, 2, 0] {
                let faults: [StaticHost.Fault] = [
                    .offline, .status(500), .cut(after: .random(in: 0...200, using: &random)),
                    .flipBit(at: .random(in: 0...300, using: &random)), .extraBytes(3),
                    .status(404),
                ]
                let targets = ["manifest.json", "objects/", "", "objects/a", "objects/3"]
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    guard let fault = faults.randomElement(using: &random),
                        let target = targets.randomElement(using: &random)
                    else { continue }
                    voyage.host.fail(target, fault, times: .random(in: 1...5, using: &random))
                }
                try voyage.edit(key: key)
                _ = await voyage.run()
                // Whatever happened, what is installed is one whole release, but for what a host never delivered
                // in two tries; a later run brings that.
                do {
                    if try voyage.store.currentGeneration() != nil { _ = try voyage.key() }
                } catch let error as StoreError where error.code == .notFound {
                    #expect(try voyage.store.refusedDocuments().isEmpty == false, "seed \(seed)")
                }
                #expect(try voyage.store.damagedBlobs().isEmpty, "seed \(seed)")
            }
            voyage.host.heal()
            _ = await voyage.run()
            #expect(await voyage.run().outcome == .upToDate, "seed \(seed)")
            #expect(try voyage.key() == "a", "seed \(seed)")
        }
    }
}
