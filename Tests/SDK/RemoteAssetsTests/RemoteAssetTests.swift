import AssetRace
import Foundation
import TestSupport
import Testing

@testable import RemoteAssets

@Suite struct RemoteAssetTests {
    @Test func startsWithTheBundledFile() throws {
        let asset = try AssetFixture().open()
        #expect(asset.current == "bundled")
        #expect(asset.source == .bundled && asset.tag == nil)
    }

    @Test func withoutAnyFileItIsAMistakeOfTheApp() throws {
        let error = #expect(throws: AssetError.self) { try AssetFixture().open(bundled: nil) }
        #expect(error?.code == .badBundle && error?.asset == "a/text.txt")
    }

    @Test(arguments: [true, false])
    func aNewerFileReplacesItAndStays(extended: Bool) async throws {
        let fixture = try AssetFixture()
        fixture.source.serve("newer")
        let asset = try fixture.open(extended: extended)
        #expect(await asset.refresh() == .replaced)
        #expect(asset.current == "newer" && asset.source == .downloaded)
        let again = try fixture.open(extended: extended)
        #expect(again.current == "newer" && again.source == .downloaded)
        #expect(again.tag == AssetTag(entityTag: "\"newer\""))
        #expect(await again.refresh() == .unchanged)
        #expect(fixture.source.queries.map(\.known) == [nil, asset.tag])
        #expect(
            try fixture.names() == (extended ? ["text.txt"] : [".text.txt.attributes", "text.txt"]))
    }

    @Test(
        arguments: [
            AssetError.Code.offline, .notFound, .serverError, .tooLong, .checksumMismatch,
        ])
    func aFailureLeavesEverythingAsItWas(code: AssetError.Code) async throws {
        let fixture = try AssetFixture()
        fixture.source.serve("good")
        let asset = try fixture.open()
        await asset.refresh()
        let before = try fixture.file().read()
        fixture.source.fail(code)
        let outcome = await asset.refresh()
        guard case .failed(let error) = outcome else {
            Issue.record("it did not fail: \(outcome)")
            return
        }
        #expect(error.code == code && error.asset == "a/text.txt")
        #expect(asset.current == "good")
        let after = try fixture.file().read()
        #expect(before?.data == after?.data && before?.attributes == after?.attributes)
    }

    @Test func whatTheAppDoesNotAcceptIsNeitherShownNorKept() async throws {
        let fixture = try AssetFixture()
        let judged = Materializer<String>.text.accepting { text in
            if text.contains("bad") { throw AssetFixture.Failure() }
        }
        fixture.source.serve("good")
        let asset = try fixture.open(materializer: judged)
        await asset.refresh()
        fixture.source.serve("bad")
        let outcome = await asset.refresh()
        guard case .failed(let error) = outcome else {
            Issue.record("it was accepted")
            return
        }
        #expect(error.code == .refused)
        #expect(asset.current == "good" && asset.tag?.entityTag == "\"good\"")
        #expect(try fixture.file().read()?.data == Data("good".utf8))
        fixture.source.serve("good again")
        #expect(await asset.refresh() == .replaced)
    }

    @Test(arguments: [true, false])
    func anotherAppVersionStartsWithItsOwnFile(extended: Bool) async throws {
        let fixture = try AssetFixture()
        fixture.source.serve("downloaded by 1")
        await (try fixture.open(extended: extended)).refresh()
        let asset = try fixture.open(
            appVersion: "2", bundled: "bundled in 2", extended: extended)
        #expect(asset.current == "bundled in 2" && asset.source == .bundled && asset.tag == nil)
        #expect(try fixture.names() == [])
        // The server has the same as before; the new app has not seen it.
        #expect(await asset.refresh() == .replaced)
        #expect(asset.current == "downloaded by 1")
    }

    @Test func aKeptFileThatIsNoLongerAcceptedGivesWayAndIsReported() async throws {
        let fixture = try AssetFixture()
        fixture.source.serve("old form")
        await (try fixture.open()).refresh()
        let strict = Materializer<String>.text.accepting { text in
            if text == "old form" { throw AssetFixture.Failure() }
        }
        let asset = try fixture.open(materializer: strict)
        #expect(asset.current == "bundled")
        var errors = asset.errors().makeAsyncIterator()
        #expect(await errors.next()?.code == .refused)
    }

    @Test func whatIsTheSameAsTheBundledFileIsNoNews() async throws {
        let fixture = try AssetFixture()
        fixture.source.serve("bundled")
        let asset = try fixture.open()
        #expect(await asset.refresh() == .unchanged)
        // Its tag is kept, so that the next question costs no body.
        #expect(await asset.refresh() == .unchanged)
        #expect(fixture.source.queries.last?.known == AssetTag(entityTag: "\"bundled\""))
    }

    @Test func valuesGoOnBesideErrors() async throws {
        let fixture = try AssetFixture()
        let asset = try fixture.open()
        var values = asset.values().makeAsyncIterator()
        var errors = asset.errors().makeAsyncIterator()
        #expect(await values.next() == "bundled")
        fixture.source.fail(.offline)
        await asset.refresh()
        #expect(await errors.next()?.code == .offline)
        fixture.source.serve("one")
        await asset.refresh()
        #expect(await values.next() == "one")
        fixture.source.fail(.serverError)
        await asset.refresh()
        #expect(await errors.next()?.code == .serverError)
        fixture.source.serve("two")
        await asset.refresh()
        fixture.source.serve("three")
        await asset.refresh()
        // A slow reader gets the newest.
        #expect(await values.next() == "three")
    }

    @Test func whatCannotBeKeptIsNotShown() async throws {
        let fixture = try AssetFixture()
        fixture.source.serve("newer")
        let asset = try fixture.open()
        // A file stands where the folder should be.
        try fixture.folder.write("in the way", to: "kept/a")
        guard case .failed(let error) = await asset.refresh() else {
            Issue.record("it was kept")
            return
        }
        #expect(error.code == .storage && asset.current == "bundled")
    }

    @Test func a1000RefreshesRacingWithReadsShowNoTornValue() async throws {
        let folder = try TemporaryFolder()
        let result = try await AssetRace.run(folder: folder.url, refreshes: 1_000)
        #expect(result.torn == 0)
        // A follower that gets no time to run still sees the last value.
        #expect(
            result.reads > 100 && result.replaced > 100 && result.followed >= 1, "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["race.json"])
    }
}
