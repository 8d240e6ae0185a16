import Foundation
import RemoteAssets
import SyncClient
import TestSupport
import Testing
import UnderwayTesting

@Suite struct TestNetworkTests {
    private func get(_ path: String, bodyBytesMax: Int = 1 << 20) -> TransportRequest {
        TransportRequest(url: "https://host.invalid" + path, bodyBytesMax: bodyBytesMax)
    }

    private func text(_ response: TransportResponse) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in response.body { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func failure(
        _ body: () async throws -> Void
    ) async throws -> TransportError.Code? {
        do {
            try await body()
            return nil
        } catch let error as TransportError {
            return error.code
        }
    }

    @Test func repliesComeInOrderAndRequestsAreRecorded() async throws {
        let network = TestNetwork(ScriptedHost(.json("1"), .unchanged))
        #expect(try await text(network.send(get("/a"))) == "1")
        #expect(try await network.send(get("/b")).status == 304)
        #expect(try await network.send(get("/c")).status == 404)
        #expect(network.requests.map(\.path) == ["/a", "/b", "/c"])
        #expect(network.requests(for: "/b").count == 1)
        network.forgetRequests()
        #expect(network.requests.isEmpty)
    }

    @Test func repliesByPathComeFirstAndTheLastOneIsRepeated() async throws {
        let host = ScriptedHost(.json("other"))
        host.reply(to: "/policy", method: "GET", with: .json("1"), .json("2"))
        var seen: [String] = []
        for _ in 0..<3 { seen.append(try await text(host.send(get("/policy.json")))) }
        #expect(seen == ["1", "2", "2"])
        #expect(try await text(host.send(get("/else"))) == "other")
        host.reply(to: "/policy", method: "GET")
        #expect(try await host.send(get("/policy.json")).status == 404)
    }

    @Test func twoHostsShareANetwork() async throws {
        let network = TestNetwork(try TestReleaseServer(.sample), TestSyncServer())
        #expect(try await network.send(get("/api/content/v2/manifest.json")).status == 200)
        let account = try await network.send(
            TransportRequest(
                "POST", url: "https://host.invalid/api/accounts/v1/anonymous", bodyBytesMax: 1000))
        #expect(account.status == 201)
        #expect(try await network.send(get("/nowhere")).status == 404)
    }

    @Test func faultsEndAfterTheirRequests() async throws {
        let network = TestNetwork(ScriptedHost(.json("1"), .json("2")))
        network.fail(with: .offline, times: 1)
        network.fail(with: .timedOut, times: 1)
        #expect(try await failure { _ = try await network.send(get("/")) } == .offline)
        #expect(try await failure { _ = try await network.send(get("/")) } == .timedOut)
        #expect(try await text(network.send(get("/"))) == "1")
        network.isOffline = true
        #expect(try await failure { _ = try await network.send(get("/")) } == .offline)
        network.heal()
        #expect(try await text(network.send(get("/"))) == "2")
    }

    @Test func aLostReplyIsOneThatTheHostGave() async throws {
        let host = ScriptedHost(.json("1"), .json("2"))
        let network = TestNetwork(host)
        network.fail(with: .replyLost, times: 1)
        #expect(try await failure { _ = try await network.send(get("/")) } == .offline)
        #expect(host.remainingReplies == [.json("2")])
    }

    @Test func bodiesAreDamagedBrokenOrReplaced() async throws {
        let network = TestNetwork(ScriptedHost(.json("aaaa"), .json("abcd")))
        network.fail("/bit", with: .damagedBody)
        network.fail("/cut", with: .brokenBody(afterBytes: 2))
        network.fail("/page", with: .captivePortal)
        network.fail("/busy", with: .unavailable(retryAfter: .seconds(30)))
        #expect(try await text(network.send(get("/bit"))) == "aa`a")
        #expect(
            try await failure { _ = try await text(network.send(get("/cut"))) } == .offline)
        #expect(try await text(network.send(get("/page"))).hasPrefix("<!DOCTYPE html>"))
        let busy = try await network.send(get("/busy"))
        #expect(busy.status == 503 && busy.headers["retry-after"] == "30")
    }

    @Test func aBodyBeyondItsBoundIsRefused() async throws {
        let host = ScriptedHost(.json("aaaa"))
        #expect(
            try await failure { _ = try await text(host.send(get("/", bodyBytesMax: 3))) }
                == .tooLong)
    }

    @Test func aGateHoldsRequestsUntilItIsOpen() async throws {
        let network = TestNetwork(ScriptedHost(.json("1")))
        let gate = network.holdRequests(for: "/slow", times: 1)
        async let reply = text(network.send(get("/slow")))
        await gate.arrival()
        #expect(network.requests.count == 1)
        gate.open()
        #expect(try await reply == "1")
    }

    @Test func aRequestAtAGateEndsWhenItsTaskIsCancelled() async throws {
        let network = TestNetwork(ScriptedHost(.json("1")))
        let gate = network.holdRequests()
        let request = get("/")
        let task = Task { try await network.send(request).status }
        await gate.arrival()
        task.cancel()
        await #expect(throws: TransportError.self) { try await task.value }
    }

    @Test func assetsUseTheNetworkToo() async throws {
        let host = ScriptedHost()
        host.reply(to: "/policy.json", with: .json(#""first""#), .json(#""second""#))
        let network = TestNetwork(host)
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "underway-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let address = try #require(URL(string: "https://host.invalid/policy.json"))
        let asset = try RemoteAsset(
            "policy.json", folder: folder, appVersion: "1", bundled: { Data(#""own""#.utf8) },
            materializer: .json(String.self),
            provider: .http(address, over: AssetTransport(network)))
        #expect(asset.current == "own")
        await asset.refresh()
        #expect(asset.current == "first")
        network.isOffline = true
        await asset.refresh()
        #expect(asset.current == "first" && network.requests.count == 2)
    }

    @Test func aClockMovesByHand() {
        let clock = TestClock(Date(timeIntervalSince1970: 10))
        clock.advance(by: .milliseconds(1500))
        #expect(clock.now == Date(timeIntervalSince1970: 11.5))
    }
}
