import ContentModel
import Foundation
import OfflineStorage
import Publishing
import RemoteAssets
import SyncClient
import TestSupport
import Testing

/// Assets that are part of a release.
@Suite struct ReleaseAssetTests {
    private let folder: TemporaryFolder
    private let host: StaticHost
    private let store: OfflineStore
    private let sync: ContentSync

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeContent()
        try folder.write("{\"a\": 1}", to: "content/assets/config.json")
        host = StaticHost(root: folder.path + "/release")
        store = try OfflineStore(folder: folder.url.appending(path: "store"))
        sync = ContentSync(store: store, transport: host, releaseURL: "http://release")
        try publish()
        _ = try BundleWriter.write(
            releaseDirectory: folder.path + "/release", to: folder.path + "/bundle")
        try store.installBundle(bundle, now: Date())
    }

    private var bundle: ContentBundle {
        ContentBundle(folder: folder.url.appending(path: "bundle"))
    }

    private func publish() throws {
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        )
        .publish(nowSeconds: 1_800_000_000, generatedAt: "2027-01-15T08:00:00Z")
    }

    private func repository(version: String = "1") -> AssetRepository {
        AssetRepository(
            sync: sync, bundle: bundle, folder: folder.url.appending(path: "kept"),
            appVersion: version)
    }

    @Test func anInstalledReleaseReachesWhoeverWatches() async throws {
        let repository = repository()
        let config = try repository.asset("config.json", .json([String: Int].self))
        #expect(config.current == ["a": 1] && config.source == .bundled)
        let running = Task { await repository.run() }
        var values = config.values().makeAsyncIterator()
        #expect(await values.next() == ["a": 1])
        try folder.write("{\"a\": 2}", to: "content/assets/config.json")
        try publish()
        // The asset may not listen yet: then its first look finds the new release.
        #expect(await sync.sync(force: true).outcome == .installed(release: 2))
        #expect(await values.next() == ["a": 2])
        let checksum = Checksum(of: Array("{\"a\": 2}".utf8))
        #expect(config.tag == AssetTag(checksum: "\(checksum)"))
        running.cancel()
        await running.value
        // Nothing new: no request, no byte.
        host.forgetRequests()
        #expect(await config.refresh() == .unchanged)
        #expect(host.requests == [])
    }

    @Test func aReleaseThatTheAppCannotUseLeavesTheValue() async throws {
        let config = try repository().asset("config.json", .json([String: Int].self))
        try folder.write("{\"a\": \"two\"}", to: "content/assets/config.json")
        try publish()
        _ = await sync.sync(force: true)
        guard case .failed(let error) = await config.refresh() else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == .refused && config.current == ["a": 1])
        // A start with that release installed still has a value: that of the bundle.
        let again = try repository(version: "2").asset("config.json", .json([String: Int].self))
        #expect(again.current == ["a": 1])
    }

    @Test func anAssetThatIsNotEagerIsFetchedWhenItIsAskedFor() async throws {
        let asset = try RemoteAsset(
            "later.bin", folder: folder.url.appending(path: "kept"), appVersion: "1",
            bundled: { Data("placeholder".utf8) }, materializer: .text,
            provider: .release(sync, "later.bin"))
        // Once on the way, and once more when the host itself is asked.
        host.fail("objects", .flipBit(at: 3), times: 2)
        _ = await sync.sync(force: true)
        host.forgetRequests()
        guard case .failed(let error) = await asset.refresh() else {
            Issue.record("other bytes were taken")
            return
        }
        #expect(error.code == .checksumMismatch && asset.current == "placeholder")
        #expect(await asset.refresh() == .replaced)
        #expect(asset.current == "big file")
    }

    @Test func aStoredFileThatWasDamagedIsFetchedAgain() async throws {
        _ = await sync.sync(force: true)
        #expect(try await sync.asset("later.bin") == Data("big file".utf8))
        let files = "store/files"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/" + files)
        for name in names { try folder.write("bad file", to: "\(files)/\(name)") }
        #expect(try await sync.asset("later.bin") == Data("big file".utf8))
    }

    @Test func whatTheReleaseDoesNotHaveIsNotFound() async throws {
        let asset = try RemoteAsset(
            "none.txt", folder: folder.url.appending(path: "kept"), appVersion: "1",
            bundled: { Data("bundled".utf8) }, materializer: .text,
            provider: .release(sync, "none.txt"))
        guard case .failed(let error) = await asset.refresh() else {
            Issue.record("it was found")
            return
        }
        #expect(error.code == .notFound && asset.current == "bundled")
        #expect(throws: AssetError.self) { try repository().asset("none.txt", .text) }
    }

    @Test func anAssetThatIsLargerThanItMayBeIsNotFetched() async throws {
        let asset = try RemoteAsset(
            "later.bin", folder: folder.url.appending(path: "kept"), appVersion: "1",
            bundled: { Data("x".utf8) }, materializer: .text.limited(to: 3),
            provider: .release(sync, "later.bin"))
        host.forgetRequests()
        guard case .failed(let error) = await asset.refresh() else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == .tooLong && host.requests == [])
    }
}
