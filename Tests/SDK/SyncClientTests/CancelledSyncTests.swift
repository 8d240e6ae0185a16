import Foundation
import OfflineStorage
import RemoteAssets
import TestSupport
import Testing

@testable import SyncClient

/// A cancelled call returns at once with `cancelled`, costs no cooldown, and the next call works.
@Suite struct CancelledSyncTests {
    /// A device whose network stops where a test wants.
    private struct Device: Sendable {
        let voyage: Voyage
        let gated: GatedTransport
        let sync: ContentSync

        /// A device of a library of its own.
        init() throws {
            let voyage = try Voyage(["de", "es"])
            try self.init(voyage, store: voyage.store)
        }

        init(_ voyage: Voyage, store: OfflineStore) throws {
            self.voyage = voyage
            let gated = GatedTransport(voyage.host)
            var settings = SyncSettings()
            settings.backoff = .zero
            self.gated = gated
            sync = ContentSync(
                store: store, transport: gated, releaseURL: "http://host", settings: settings,
                clock: { [clock = voyage.clock] in clock.now })
        }
    }

    private func code(_ report: SyncReport) -> SyncError.Code? {
        guard case .failed(let failure) = report.outcome else { return nil }
        return failure.code
    }

    @Test(arguments: GatedTransport.Manner.allCases)
    func aRunCanBeCancelledAtEachOfItsMoments(manner: GatedTransport.Manner) async throws {
        // Given the moments of a whole run
        let whole = try Device()
        #expect(await whole.sync.sync(force: true).outcome == .installed(release: 1))
        let moments = whole.gated.moments
        #expect(moments > 15)
        for moment in 0..<moments {
            let folder = whole.voyage.folder.url.appending(path: "store-\(moment)")
            let device = try Device(whole.voyage, store: try OfflineStore(folder: folder))
            device.gated.stop(at: moment, manner)
            // When it is cancelled at one of them
            let run = Task { await device.sync.sync() }
            try await within(.seconds(20), "moment \(moment)") { await device.gated.arrived() }
            run.cancel()
            let report = try await within(.seconds(20), "moment \(moment)") { await run.value }
            // Then it says so, and the next run need not wait
            #expect(code(report) == .cancelled, "moment \(moment)")
            device.gated.stop(at: nil)
            let next = try await within(.seconds(20), "moment \(moment)") {
                await device.sync.sync(force: false)
            }
            #expect(next.outcome == .installed(release: 1), "moment \(moment)")
        }
    }

    /// Cancelled before it began, or after any number of steps: thousands of times.
    @Test func aRunCanBeCancelledAtAnyTime() async throws {
        let device = try Device()
        _ = await device.sync.sync(force: true)
        for seed: UInt64 in 1...3000 {
            var random = SeededGenerator(seed: seed)
            if seed % 300 == 0 {
                try device.voyage.edit(key: Int(seed / 300) % 3, stem: "Stem \(seed)?")
            }
            device.voyage.clock.advance(86_400)
            let isBefore = seed % 5 == 0
            let run = Task {
                if isBefore { withUnsafeCurrentTask { $0?.cancel() } }
                return await device.sync.sync(force: true)
            }
            for _ in 0..<Int.random(in: 0...60, using: &random) { await Task.yield() }
            run.cancel()
            let report = try await within(.seconds(20), "seed \(seed)") { await run.value }
            switch report.outcome {
            case .upToDate, .installed: break
            case .failed(let failure): #expect(failure.code == .cancelled, "seed \(seed)")
            default: Issue.record("seed \(seed): \(report.outcome)")
            }
            guard seed % 50 == 0 else { continue }
            let next = try await within(.seconds(20), "seed \(seed)") {
                await device.sync.sync(force: false)
            }
            #expect(code(next) == nil, "seed \(seed)")
        }
    }

    @Test func aCallerThatLeavesARunTakesNobodyAlong() async throws {
        let device = try Device()
        device.gated.stop(at: 3, .goesOn)
        let first = Task { await device.sync.sync(force: true) }
        await device.gated.arrived()
        let others = (0..<3).map { _ in Task { await device.sync.sync(force: true) } }
        // Those who come join; whoever leaves is gone at once, while the network still waits.
        for _ in 0..<200 { await Task.yield() }
        first.cancel()
        #expect(code(try await within { await first.value }) == .cancelled)
        others[0].cancel()
        #expect(code(try await within { await others[0].value }) == .cancelled)
        others[1].cancel()
        #expect(code(try await within { await others[1].value }) == .cancelled)
        device.gated.open()
        #expect(try await within { await others[2].value }.outcome == .installed(release: 1))
    }

    @Test(arguments: GatedTransport.Manner.allCases)
    func filesAndAssetsCanBeCancelledAtEachOfTheirMoments(
        manner: GatedTransport.Manner
    ) async throws {
        let device = try Device()
        _ = await device.sync.sync(force: true)
        // One that goes on has everything after the third, and the next call asks for nothing.
        for moment in 0..<(manner == .goesOn ? 3 : 4) {
            for isAsset in [true, false] {
                device.gated.stop(at: moment, manner)
                let call = Task {
                    do {
                        if isAsset {
                            _ = try await device.sync.asset("later.bin")
                        } else {
                            _ = try await device.sync.files(.audio(language: "de"))
                        }
                        return "done"
                    } catch let error as SyncError {
                        return error.code.rawValue
                    } catch let error as AssetError {
                        return error.code.rawValue
                    }
                }
                let place = "moment \(moment), \(isAsset)"
                try await within(.seconds(20), place) { await device.gated.arrived() }
                call.cancel()
                let said = try await within(.seconds(20), place) { try await call.value }
                #expect(said == "cancelled", "\(place)")
                device.gated.stop(at: nil)
            }
        }
        #expect(try await device.sync.files(.audio(language: "de")).count == 1)
    }
}
