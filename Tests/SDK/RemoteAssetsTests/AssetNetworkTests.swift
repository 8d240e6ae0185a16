import Foundation
import SyncClient
import TestSupport
import Testing

@testable import RemoteAssets

/// Assets over a network that fails in every way that the ship channel is tested with.
@Suite struct AssetNetworkTests {
    private let folder: TemporaryFolder
    private let host: StaticHost

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("served for the first time", to: "site/text.txt")
        host = StaticHost(root: folder.path + "/site")
    }

    private func open(_ materializer: Materializer<String> = .text) throws -> RemoteAsset<String> {
        let url = try #require(URL(string: "http://site/text.txt"))
        return try RemoteAsset(
            "text.txt", folder: folder.url.appending(path: "kept"), appVersion: "1",
            bundled: { Data("bundled".utf8) }, materializer: materializer,
            provider: .http(url, over: AssetTransport(host, deadline: .milliseconds(300))))
    }

    @Test func aConditionalRequestFindsNothingNew() async throws {
        let asset = try open()
        #expect(await asset.refresh() == .replaced)
        #expect(await asset.refresh() == .unchanged)
        #expect(host.requests.count == 2)
        #expect(host.requests[0].headers["If-None-Match"] == nil)
        #expect(host.requests[1].headers["If-None-Match"] == asset.tag?.entityTag)
        #expect(asset.tag?.entityTag != nil)
    }

    @Test(
        arguments: [
            (.offline, .offline), (.status(500), .serverError), (.status(404), .notFound),
            (.status(410), .notFound), (.status(302), .serverError), (.status(304), .serverError),
            (.status(503, retryAfter: 7), .serverError), (.cut(after: 0), .offline),
            (.endless, .tooLong), (.stalls, .offline), (.extraBytes(2_000), .tooLong),
            (.bytes([0xFF, 0xFE]), .refused),
        ] as [(StaticHost.Fault, AssetError.Code)])
    func aFaultLeavesTheValueAndHeals(fault: StaticHost.Fault, code: AssetError.Code) async throws {
        let asset = try open(.text.limited(to: 1_000))
        host.fail("text.txt", fault)
        guard case .failed(let error) = await asset.refresh() else {
            Issue.record("the fault \(fault) was not noticed")
            return
        }
        #expect(error.code == code, "\(error)")
        #expect(asset.current == "bundled" && asset.tag == nil)
        host.heal()
        #expect(await asset.refresh() == .replaced)
        #expect(asset.current == "served for the first time")
    }

    @Test func aCutAtAnyByteIsNoNewValue() async throws {
        let asset = try open()
        let length = "served for the first time".utf8.count
        for count in 0..<length {
            host.fail("text.txt", .cut(after: count), times: 1)
            guard case .failed(let error) = await asset.refresh() else {
                Issue.record("\(count) bytes were taken for the whole")
                return
            }
            #expect(error.code == .offline)
        }
        #expect(asset.current == "bundled")
        #expect(await asset.refresh() == .replaced)
    }

    @Test func theServersWishToWaitIsKnown() async throws {
        host.fail("text.txt", .status(503, retryAfter: 7))
        guard case .failed(let error) = try await open().refresh() else {
            Issue.record("503 was no failure")
            return
        }
        #expect(error.retryAfter == .seconds(7))
    }

    @Test func anAddressThatNobodyListensOnIsOffline() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9/text.txt"))
        let provider = DataProvider.http(url)
        let error = await #expect(throws: AssetError.self) {
            try await provider(AssetQuery(known: nil, bytesMax: 10))
        }
        #expect(error?.code == .offline)
    }
}
