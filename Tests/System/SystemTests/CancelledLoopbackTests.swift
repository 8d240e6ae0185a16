import Foundation
import OfflineStorage
import RemoteAssets
import SyncClient
import TestSupport
import Testing

/// Content and assets over real sockets, cancelled hundreds of times at random moments.
@Suite struct CancelledLoopbackTests {
    @Test func aRunOverTheLoopbackCanBeCancelledAtAnyTime() async throws {
        let fleet = try Fleet()
        let store = try fleet.store()
        try await withServer(fleet.release) { url in
            let transport = HTTPTransport()
            defer { transport.close() }
            let sync = ContentSync(
                store: store, transport: transport, releaseURL: try URL(address: url))
            for seed: UInt64 in 1...300 {
                var random = SeededGenerator(seed: seed)
                if seed % 60 == 0 { try fleet.edit(key: Int(seed / 60) % 3) }
                let pause = Int.random(in: 0...6000, using: &random)
                let run = Task { await sync.sync(force: true) }
                if seed % 4 > 0 { try await Task.sleep(for: .microseconds(pause)) }
                run.cancel()
                let report = try await within(.seconds(20), "seed \(seed)") { await run.value }
                if case .failed(let failure) = report.outcome {
                    #expect(failure.code == .cancelled, "seed \(seed)")
                }
            }
            _ = try await within { await sync.sync(force: true) }
            #expect(try await within { await sync.sync(force: true) }.outcome == .upToDate)
            #expect(try store.damagedBlobs().isEmpty)
        }
    }

    @Test func aRefreshOverTheLoopbackCanBeCancelledAtAnyTime() async throws {
        let fleet = try Fleet()
        try await withServer(fleet.release) { url in
            let address = try #require(URL(string: url + "/assets/links.json"))
            let asset = try RemoteAsset(
                "links.json", folder: fleet.folder.url.appending(path: "kept"), appVersion: "1",
                bundled: { Data("bundled".utf8) }, materializer: .data,
                provider: .http(address))
            for seed: UInt64 in 1...300 {
                var random = SeededGenerator(seed: seed)
                let pause = Int.random(in: 0...2000, using: &random)
                let refresh = Task { await asset.refresh() }
                if seed % 4 > 0 { try await Task.sleep(for: .microseconds(pause)) }
                refresh.cancel()
                let outcome = try await within(.seconds(20), "seed \(seed)") {
                    await refresh.value
                }
                if case .failed(let error) = outcome {
                    #expect(error.code == .cancelled, "seed \(seed): \(error)")
                }
            }
            let last = try await within { await asset.refresh() }
            #expect(last == .unchanged || last == .replaced)
            #expect(asset.source == .downloaded)
        }
    }
}
