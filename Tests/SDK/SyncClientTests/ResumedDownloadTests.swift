import ContentModel
import Foundation
import OfflineStorage
import RemoteAssets
import ServiceAPI
import TestSupport
import Testing

@testable import SyncClient

/// A download that continues bytes of another host, or of a host that changed.
@Suite struct ResumedDownloadTests {
    private let folder: TemporaryFolder
    private let store: OfflineStore
    private let host: StaticHost
    private let bytes = Array(#"{"question": "What does a bowline hold?"}"#.utf8)
    private var checksum: Checksum { Checksum(of: bytes) }

    init() throws {
        folder = try TemporaryFolder()
        store = try OfflineStore(folder: folder.url.appending(path: "store"))
        host = StaticHost(root: folder.path)
    }

    private func downloader(_ transport: any Transport) -> Downloader {
        Downloader(
            transport: transport, releaseURL: "http://host", settings: SyncSettings(),
            tally: TrafficCounter(), clock: { Date(timeIntervalSince1970: 0) })
    }

    private func serve() throws {
        try folder.write(bytes, to: ContentRoutes.object(checksum))
    }

    private func fetch(
        _ downloader: Downloader, from named: String = "http://host", isLastTry: Bool = true
    ) async throws -> [UInt8] {
        try await downloader.blob(
            checksum, size: bytes.count, readable: try #require(ReleasePath(.blueprint, key: "de")),
            contentBaseURL: named, isLastTry: isLastTry, store: store
        ) { try $0.bytes() }
    }

    private func leave(_ start: String) throws {
        let file = try PartialFile(store.partialFile(checksum))
        try file.append(Array(start.utf8))
        file.close()
    }

    @Test func theRestOfTheSameBytesIsEnough() async throws {
        try serve()
        try leave(#"{"question"#)
        #expect(try await fetch(downloader(host)) == bytes)
        #expect(host.requests.map { $0.headers["Range"] } == ["bytes=10-"])
    }

    @Test func aStartOfOtherBytesCostsOneMoreRequestAndNoTry() async throws {
        try serve()
        try leave("{\"few")
        let downloader = downloader(host)
        #expect(try await fetch(downloader) == bytes)
        #expect(host.requests.map { $0.headers["Range"] } == ["bytes=5-", nil])
        #expect(downloader.meter.status.value.progress.bytesDone == bytes.count)
    }

    /// The other host's bytes lie there when the own one delivers another file, and comes first from then.
    @Test func bytesOfAHostThatIsGivenUpDoNotSpoilTheOther() async throws {
        try serve()
        let downloader = downloader(ShortHost(own: host))
        let named = "http://cdn"
        let error = await #expect(throws: SyncError.self) {
            try await fetch(downloader, from: named, isLastTry: false)
        }
        #expect(error?.code == .wrongLength && host.requests.isEmpty)
        downloader.sources.failed(named, SyncError(.wrongLength, "It sends too little."))
        downloader.sources.delivered("http://host", named: named)
        #expect(downloader.sources.order(named: named, own: "http://host").last == named)
        #expect(try await fetch(downloader, from: named) == bytes)
    }

    @Test func aHostOfWrongBytesIsAskedForAllOfThemOnce() async throws {
        try serve()
        try leave("{\"few")
        host.fail("objects/", .flipBit(at: 20))
        let error = await #expect(throws: SyncError.self) { try await fetch(downloader(host)) }
        #expect(error?.code == .checksumMismatch)
        #expect(host.requests.count == 2)
        #expect(!FileManager.default.fileExists(atPath: store.partialFile(checksum).path))
    }

    /// A host whose named address sends five bytes of whatever is asked.
    private struct ShortHost: Transport {
        let own: StaticHost

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            guard request.url.host() == "cdn" else { return try await own.send(request) }
            return TransportResponse(
                status: 200, headers: [:],
                body: .init {
                    $0.yield(Array("{\"few".utf8))
                    $0.finish()
                })
        }
    }
}
