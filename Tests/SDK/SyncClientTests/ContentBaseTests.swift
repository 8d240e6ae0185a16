import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// Manifests that name an address for their files at which they are not.
@Suite struct ContentBaseTests {
    /// The host of the manifest, and whatever is behind the named address.
    private struct TwoHosts: Transport {
        let own: StaticHost
        let named: @Sendable (TransportRequest) async throws -> TransportResponse

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            request.url.host() == "cdn"
                ? try await named(request) : try await own.send(request)
        }
    }

    private static func status(_ status: Int, _ headers: [String: String] = [:])
        -> TransportResponse
    {
        TransportResponse(status: status, headers: headers, body: .init { $0.finish() })
    }

    private static func reply(
        _ bytes: [UInt8], _ error: TransportError? = nil
    ) -> TransportResponse {
        TransportResponse(
            status: 200, headers: [:],
            body: .init {
                $0.yield(bytes)
                $0.finish(throwing: error)
            })
    }

    private func name(_ address: String, _ voyage: Voyage) throws {
        var manifest = try Manifest(voyage.folder.read("release/manifest.json"))
        manifest.contentBaseURL = address
        try voyage.folder.write(manifest.canonicalBytes, to: "release/manifest.json")
    }

    private func sync(
        _ voyage: Voyage,
        _ named: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) -> ContentSync {
        var settings = SyncSettings()
        settings.backoff = .zero
        return ContentSync(
            store: voyage.store, transport: TwoHosts(own: voyage.host, named: named),
            releaseURL: "http://host", settings: settings, clock: { voyage.clock.now })
    }

    enum Death: CaseIterable {
        case unknownHost, insecure, missing, forbidden, redirect, page
        case broken, overloaded, busy, otherBytes, fewBytes, breaksOff
    }

    private static func die(_ death: Death) throws -> TransportResponse {
        switch death {
        case .unknownHost: throw TransportError(.offline, "Could not resolve host.")
        case .insecure: throw TransportError(.insecureAddress, "It is not secure.")
        case .missing: return status(404)
        case .forbidden: return status(403)
        case .broken: return status(500)
        case .overloaded: return status(429, ["retry-after": "3600"])
        case .busy: return status(503)
        case .otherBytes: return reply([UInt8](repeating: 7, count: 5_000))
        case .fewBytes: return reply(Array("{\"few".utf8))
        case .breaksOff: return reply(Array("{\"few".utf8), TransportError(.offline, "It broke."))
        case .redirect: return status(301, ["location": "http://parking.example/"])
        case .page:
            return TransportResponse(
                status: 200, headers: ["content-type": "text/html"],
                body: .init {
                    $0.yield(Array("<html>This domain is for sale".utf8))
                    $0.finish()
                })
        }
    }

    @Test(arguments: Death.allCases)
    func filesComeFromTheManifestsOwnHost(death: Death) async throws {
        let voyage = try Voyage()
        try name("http://cdn/v2", voyage)
        let sync = sync(voyage) { _ in try Self.die(death) }
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 1) && report.refused.isEmpty)
        #expect(report.contentBaseProblem?.contains("http://cdn/v2") == true)
        #expect(report.contentBaseProblem?.contains("http://host") == true)
        #expect(try voyage.key("es") == "a")
        // A run that fetched nothing met no problem.
        #expect(await sync.sync(force: true).contentBaseProblem == nil)
        let files = try await sync.files(.asset(path: "later.bin"))
        #expect(files.count == 1)
    }

    @Test(arguments: ["http//nonsense", "ftp://cdn/v2", ""])
    func anAddressThatIsNotUsedIsSaid(address: String) async throws {
        let voyage = try Voyage()
        try name(address, voyage)
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 1))
        #expect(report.contentBaseError?.code == .badAddress)
        #expect(report.contentBaseProblem?.contains("\"\(address)\", is not used") == true)
    }

    @Test func anAddressThatWorksIsUsedAlone() async throws {
        let voyage = try Voyage()
        try name("http://cdn/v2", voyage)
        let host = StaticHost(root: voyage.folder.path + "/release")
        let sync = sync(voyage) { request in
            var request = request
            request.url = URL(
                stringLiteral: request.url.absoluteString.replacing(
                    "http://cdn/v2", with: "http://host"))
            return try await host.send(request)
        }
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 1) && report.contentBaseProblem == nil)
        #expect(voyage.host.requests.map(\.url) == ["http://host/manifest.json"])
    }

    /// Wrong bytes of the one are not those of the other.
    @Test func theChecksumHoldsAtBoth() async throws {
        let voyage = try Voyage()
        try name("http://cdn/v2", voyage)
        let hex = try voyage.objectPath("de")
        voyage.host.fail(hex, .flipBit(at: 20))
        voyage.host.fail("blueprints/de.json", .flipBit(at: 20))
        let report = await sync(voyage) { _ in Self.status(404) }.sync()
        #expect(throws: StoreError.self) { try voyage.key("de") }
        #expect(report.outcome != .upToDate)
    }

    @Test func whereBothFailTheNamedOneIsBlamed() async throws {
        let voyage = try Voyage()
        try name("http://cdn/v2", voyage)
        voyage.host.fail("objects/", .offline)
        let report = await sync(voyage) { _ in
            throw TransportError(.offline, "Could not resolve host.")
        }.sync()
        guard case .failed(let failure) = report.outcome else {
            Issue.record("\(report.outcome)")
            return
        }
        #expect(failure.code == .offline && failure.message.contains("resolve"))
        #expect(report.contentBaseProblem == nil)
    }

    @Test func aDeadAddressIsAskedLastAfterItsFirstFailures() {
        var sources = FileSources()
        #expect(sources.order(named: "n", own: "o") == ["n", "o"])
        sources.failed("n", SyncError(.notFound, "404"))
        #expect(sources.order(named: "n", own: "o") == ["n", "o"])
        sources.delivered("o", named: "n")
        #expect(sources.order(named: "n", own: "o") == ["o", "n"])
        sources.delivered("n", named: "n")
        #expect(sources.order(named: "n", own: "o") == ["n", "o"])
        #expect(sources.order(named: "o", own: "o") == ["o"])
    }
}
