import ContentModel
import Foundation
import OfflineStorage
import ServerTestSupport
import ServiceAPI
import SyncClient
import TestSupport
import Testing

/// One run of a sync, as its host sees it.
@Suite struct SyncRunTests {
    private let world: OriginalWorld

    init() throws { world = try OriginalWorld() }

    /// What the host was asked for, in order.
    private func asked() throws -> [String] {
        let documents = try world.manifest().eagerDocuments
        return world.host.requests.map { request in
            let name = request.url.lastPathComponent
            let document = documents.first { $0.checksum.hex == name }
            return document.map { "\($0.kind)" } ?? name
        }
    }

    @Test("A run fetches manifest, blueprints, localizations, then announcements and eager assets.")
    func aRunKeepsItsOrder() async throws {
        try world.folder.write(
            "identifier: 1\ntype: information\ntexts: { en: { title: T, content: C } }\n",
            to: "content/announcements/one.yaml")
        try world.publish()
        let device = try OriginalDevice(world) { $0.requestsInFlight = 1 }
        #expect(await device.run().outcome == .installed(release: 2))
        #expect(
            try asked() == [
                "manifest.json", "blueprint", "blueprint", "blueprint", "exam", "localization",
                "localization", "localization", "announcements", "asset",
            ])
    }

    @Test("A run fetches only files whose checksum has changed.")
    func onlyOtherChecksumsAreFetched() async throws {
        let device = try OriginalDevice(world)
        await device.run()
        try world.edit()
        world.host.forgetRequests()
        #expect(await device.run(force: true).outcome == .installed(release: 2))
        #expect(try asked() == ["manifest.json", "blueprint"])
        world.host.forgetRequests()
        #expect(await device.run(force: true).outcome == .upToDate)
        #expect(try asked() == ["manifest.json"])
    }

    @Test("A blob whose checksum is wrong never touches the store.", arguments: [0, 40])
    func aWrongBlobNeverTouchesTheStore(bit: Int) async throws {
        let device = try OriginalDevice(world)
        await device.run()
        try world.edit(stem: "Unmistakable?")
        let checksum = try #require(try world.manifest().languages["es"]?.blueprint?.checksum)
        world.host.fail(checksum.hex, .flipBit(at: bit))
        world.host.fail("blueprints/es.json", .flipBit(at: bit))
        guard case .failed(let failure) = await device.run(force: true).outcome else {
            Issue.record("it was taken")
            return
        }
        #expect(failure.code == .checksumMismatch)
        #expect(try device.store.present([checksum]).isEmpty)
        #expect(try files(of: "store", holding: "Unmistakable?") == [])
        #expect(try device.key() == [0])
        world.host.heal()
        #expect(await device.run(force: true).outcome == .installed(release: 2))
        #expect(try files(of: "store", holding: "Unmistakable?") != [])
    }

    /// The files below a folder that have a text in them.
    private func files(of folder: String, holding text: String) throws -> [String] {
        let root = world.folder.url.appending(path: folder)
        return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
            // Folders have no bytes.
            let data = FileManager.default.contents(atPath: root.appending(path: $0).path)
            return data?.range(of: Data(text.utf8)) != nil
        }
    }

    @Test("A client with manifest n still finds every object after n+1 goes live.")
    func anOldManifestFindsItsObjects() async throws {
        let held = try world.manifest()
        let transport = InProcessTransport(InProcessRouter(release: world.release))
        for key in [1, 2, 1, 2] {
            try world.edit(["de", "en", "es"], key: key, stem: "With key \(key)?")
            for document in held.eagerDocuments {
                let path = "\(ContentRoutes.prefix)/\(ContentRoutes.object(document.checksum))"
                let response = try await transport.send(
                    TransportRequest(url: "http://test\(path)", bodyBytesMax: 100_000))
                var bytes: [UInt8] = []
                for try await piece in response.body { bytes += piece }
                #expect(response.status == 200 && Checksum(of: bytes) == document.checksum)
            }
        }
    }
}
