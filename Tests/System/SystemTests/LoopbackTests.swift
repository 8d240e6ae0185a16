import ContentModel
import ContentServer
import Foundation
import OfflineStorage
import Publishing
import ServerTestSupport
import SyncClient
import TestSupport
import Testing

/// A library that is published, and devices that catch up with it.
struct Fleet: Sendable {
    let folder: TemporaryFolder

    init(_ languages: [String] = ["de", "en", "es"]) throws {
        folder = try TemporaryFolder()
        try folder.writeContent(languages)
        try publish()
    }

    var release: String { folder.path + "/release" }

    func publish() throws {
        _ = try Publisher(folder: folder.path + "/content", releaseDirectory: release)
            .publish(nowSeconds: Int(Date().timeIntervalSince1970), generatedAt: "t")
    }

    func edit(key: Int) throws {
        try folder.writeBlueprint("es", key: key)
        try publish()
    }

    /// Opens a store, by default as the version of the program, which opens the same ones.
    func store(_ name: String = "store", appVersion: String = "0.1.0") throws -> OfflineStore {
        try OfflineStore(folder: folder.url.appending(path: name), appVersion: appVersion)
    }

    /// A device that asks at each run.
    func sync(
        _ store: OfflineStore, _ transport: any Transport, _ url: String
    ) -> ContentSync {
        var settings = SyncSettings()
        settings.manifestCooldown = .zero
        return ContentSync(
            store: store, transport: transport, releaseURL: URL(stringLiteral: url),
            settings: settings
        )
    }

    func key(_ store: OfflineStore) throws -> [Int] {
        try store.blueprint(.placement(language: "es")).value.questions[0].correct
    }
}

@Suite struct LoopbackTests {
    /// Catches up, then follows five edits, each with one request for one object.
    private func follow(_ fleet: Fleet, _ store: OfflineStore, _ sync: ContentSync) async throws {
        let first = await sync.sync(force: true)
        #expect(first.outcome == .installed(release: 1))
        #expect(first.tally.blueprints == 4)
        for (index, key) in [1, 2, 0, 1, 2].enumerated() {
            try fleet.edit(key: key)
            let report = await sync.sync(force: true)
            #expect(report.outcome == .installed(release: index + 2))
            #expect(report.tally.requests == 2)
            #expect(report.tally.blueprints == 1)
            #expect(try fleet.key(store) == [key])
            let poll = await sync.sync(force: false)
            #expect(poll.outcome == .upToDate)
            #expect(poll.tally.requests == 1 && poll.tally.bodyBytes == 0)
        }
        #expect(try await sync.files(.audio(language: "de")).count == 1)
        #expect(try await sync.files(.media(exam: "int/demo")).count == 1)
    }

    @Test func aDeviceFollowsTheServerInProcess() async throws {
        let fleet = try Fleet()
        let store = try fleet.store()
        let transport = InProcessTransport(InProcessRouter(release: fleet.release))
        try await follow(
            fleet, store, fleet.sync(store, transport, "http://test/api/content/v2"))
    }

    @Test func aDeviceFollowsTheServerOverLoopback() async throws {
        let fleet = try Fleet()
        let store = try fleet.store()
        try await withServer(fleet.release) { url in
            let transport = HTTPTransport()
            defer { transport.close() }
            try await follow(fleet, store, fleet.sync(store, transport, url))
        }
    }

    /// nginx makes its ETag of whole seconds and size: these releases have equal sizes and come
    /// faster than one a second.
    @Test(.enabled(if: Nginx.isExpected))
    func aDeviceFollowsPlainNginx() async throws {
        let fleet = try Fleet()
        let nginx = try Nginx(release: fleet.release)
        defer { nginx.stop() }
        let store = try fleet.store()
        let transport = HTTPTransport()
        defer { transport.close() }
        try await follow(fleet, store, fleet.sync(store, transport, nginx.baseURL))
    }

    /// A release reached by readable names alone, as clients of the original format do.
    @Test(.enabled(if: Nginx.isExpected))
    func readableNamesAreServedByNginxToo() async throws {
        let fleet = try Fleet()
        let nginx = try Nginx(release: fleet.release)
        defer { nginx.stop() }
        let transport = HTTPTransport()
        defer { transport.close() }
        var tags: Set<String> = []
        for key in [1, 2, 0] {
            try fleet.edit(key: key)
            let response = try await transport.send(
                TransportRequest(url: nginx.baseURL + "/blueprints/es.json", bodyBytesMax: 100_000))
            var bytes: [UInt8] = []
            for try await piece in response.body { bytes += piece }
            #expect(try Blueprint(released: bytes).questions[0].correct == [key])
            tags.insert(response.headers["etag"] ?? "")
        }
        #expect(tags.count == 3)
        let hidden = try await transport.send(
            TransportRequest(url: nginx.baseURL + "/.underway/index", bodyBytesMax: 1_000_000))
        #expect(hidden.status == 404)
    }

    @Test(.enabled(if: Nginx.isExpected))
    func aRedirectIsFollowedWithinItsOriginOnly() async throws {
        let fleet = try Fleet(["es"])
        let nginx = try Nginx(release: fleet.release)
        defer { nginx.stop() }
        let transport = HTTPTransport()
        defer { transport.close() }
        let origin = nginx.baseURL.replacing("/api/content/v2", with: "")
        let here = try await transport.send(
            TransportRequest(url: origin + "/here", bodyBytesMax: 100_000))
        #expect(here.status == 200)
        let elsewhere = try await transport.send(
            TransportRequest(url: origin + "/elsewhere", bodyBytesMax: 100_000))
        #expect(elsewhere.status == 302)
    }

    @Test func aLargeDownloadIsBounded() async throws {
        let fleet = try Fleet()
        try fleet.folder.write(
            [UInt8](repeating: 7, count: 2_000_000), to: "content/assets/later.bin")
        try fleet.publish()
        try await withServer(fleet.release) { url in
            let transport = HTTPTransport()
            defer { transport.close() }
            let error = await #expect(throws: TransportError.self) {
                _ = try await transport.send(
                    TransportRequest(url: url + "/assets/later.bin", bodyBytesMax: 1000))
            }
            #expect(error?.code == .tooLong)
            // The whole file comes through when it is wanted.
            let store = try fleet.store()
            let sync = ContentSync(
                store: store, transport: transport, releaseURL: try URL(address: url))
            _ = await sync.sync(force: true)
            let file = try #require(
                try await sync.files(.asset(path: "later.bin"))["later.bin"])
            #expect(try Data(contentsOf: file).count == 2_000_000)
        }
    }

    /// The images of a bank are in the bundle, so they are there without a network too.
    @Test func aBundleBringsItsImagesAndAudio() async throws {
        let fleet = try Fleet(["de"])
        let bundle = fleet.folder.url.appending(path: "bundle")
        _ = try BundleWriter.write(
            releaseDirectory: fleet.release, to: bundle.path, audio: .languages(["de"]))
        let store = try fleet.store()
        try store.installBundle(ContentBundle(folder: bundle), now: Date())
        let host = StaticHost(root: "/nowhere")
        let sync = ContentSync(store: store, transport: host, releaseURL: "http://host")
        #expect(try await sync.files(.media(exam: "int/demo")).keys.sorted() == ["one.svg"])
        #expect(try await sync.files(.audio(language: "de")).keys.sorted() == ["hello.m4a"])
        #expect(host.requests.isEmpty)
    }

    @Test func withoutAServerADeviceSaysSo() async throws {
        let fleet = try Fleet()
        let transport = HTTPTransport()
        defer { transport.close() }
        var settings = SyncSettings()
        settings.backoff = .zero
        let sync = ContentSync(
            store: try fleet.store(), transport: transport, releaseURL: "http://127.0.0.1:9",
            settings: settings)
        guard case .failed(let failure) = await sync.sync(force: true).outcome else {
            Issue.record("there was an answer")
            return
        }
        #expect(failure.code == .offline)
    }

    @Test func everyRequestIsLoggedOnce() async throws {
        let fleet = try Fleet()
        let file = fleet.folder.url.appending(path: "access.log")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        let log = AccessLog(to: try FileHandle(forWritingTo: file))
        try await withServer(fleet.release, accessLog: log) { url in
            let transport = HTTPTransport()
            defer { transport.close() }
            for path in ["/manifest.json", "/manifest.json", "/none\"x"] {
                let response = try await transport.send(
                    TransportRequest(
                        url: url + path.replacing("\"", with: "%22"), bodyBytesMax: 100_000))
                for try await _ in response.body {}
            }
        }
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let statuses = try lines.map {
            try JSONParser.parse(Array($0.utf8)).member("status")?.value.value
        }
        #expect(statuses == [200, 200, 404])
    }
}
