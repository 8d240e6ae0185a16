import Foundation
import OfflineStorage
import SyncClient
import TestSupport
import Testing

/// A manner in which a host sends something else than the changeset, and how long it is not asked again.
struct BrokenReply: Sendable, CustomTestStringConvertible {
    enum Pause: Sendable {
        /// Each poll asks.
        case none
        /// For so many seconds, whatever is installed.
        case seconds(Double)
        /// For a week, or until another release is installed.
        case ofRelease
    }

    var testDescription: String
    var fault: StaticHost.Fault
    var pause: Pause
    /// False where the host says plainly that it has no such file.
    var isProblem = true

    init(_ name: String, _ fault: StaticHost.Fault, _ pause: Pause, isProblem: Bool = true) {
        testDescription = name
        self.fault = fault
        self.pause = pause
        self.isProblem = isProblem
    }

    private static let page = Array("\n <!doctype html><title>Welcome</title>".utf8)
    private static let start = ["location": "https://start.example/"]

    private static let busy = [500, 502, 503, 504, 507, 511, 429, 408].map {
        BrokenReply("status \($0)", .status($0), .seconds(3600))
    }
    private static let waiting = [503, 429].map {
        BrokenReply("status \($0), wait", .status($0, retryAfter: 600), .seconds(600))
    }
    private static let refusing = [400, 401, 402, 405, 406, 416, 421, 451, 204, 206].map {
        BrokenReply("status \($0)", .status($0), .ofRelease)
    }
    private static let lacking = [403, 404, 410].map {
        BrokenReply("status \($0)", .status($0), .ofRelease, isProblem: false)
    }
    private static let redirecting = [301, 302, 303, 307, 308].map {
        BrokenReply("redirect \($0)", .answer($0, start, page), .ofRelease)
    }
    private static let bodies = [
        BrokenReply("redirect to nowhere", .status(302), .ofRelease),
        BrokenReply("a page", .bytes(page), .ofRelease),
        BrokenReply("a page of an error", .answer(500, [:], page), .seconds(3600)),
        BrokenReply("JSON", .bytes(Array("{\"error\": 1}".utf8)), .ofRelease),
        BrokenReply("nothing", .bytes([]), .ofRelease),
        BrokenReply(
            "over its limit", .bytes(Array("UWC1".utf8) + Array(repeating: 7, count: 2 << 20)),
            .ofRelease),
        BrokenReply("endless", .endless, .ofRelease),
        BrokenReply("cut at once", .cut(after: 0), .none),
        BrokenReply("cut in the mark", .cut(after: 3), .none),
        BrokenReply("cut in the facts", .cut(after: 40), .none),
        BrokenReply("no connection", .offline, .none),
        BrokenReply("stalls", .stalls, .none),
        BrokenReply("a mark alone", .bytes(Array("UWC1".utf8)), .none),
        BrokenReply("a flipped bit", .flipBit(at: 30), .none),
        BrokenReply("bytes too many", .extraBytes(3), .none),
    ]

    static let all = [busy, waiting, refusing, lacking, redirecting, bodies].flatMap(\.self)
}

/// The fast way breaks in every manner: the plain way brings the release in the same run, and a network is judged by the
/// signatures alone.
@Suite struct BrokenChangesetTests {
    private func asks(_ host: StaticHost) -> Int {
        host.requests.count { $0.url.path().contains("/changes/") }
    }

    @Test(arguments: BrokenReply.all)
    func thePlainWayIsTakenInTheSameRun(_ broken: BrokenReply) async throws {
        let world = try SignedFleet()
        let host = try world.staticHost()
        let isStalled = broken.fault == .stalls
        let (sync, store) = try world.device(
            transport: host, deadline: isStalled ? .seconds(1) : .seconds(30))
        #expect(await sync.sync().outcome == .installed(release: 1))
        try world.publish(key: 1)
        host.fail("/changes/", broken.fault)
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 2), "\(report)")
        #expect(try world.key(store) == [1])
        #expect((report.changesetProblem != nil) == broken.isProblem)
        #expect(asks(host) == 1)

        // Without news, too; another release may have a changeset.
        let again = await sync.sync()
        #expect(again.outcome == .upToDate, "\(again)")
        let afterRelease = asks(host)
        let third = await sync.sync()
        #expect(third.outcome == .upToDate)
        switch broken.pause {
        case .none: #expect(afterRelease == 2 && asks(host) == 3)
        case .ofRelease: #expect(afterRelease == 2 && asks(host) == 2)
        case .seconds: #expect(afterRelease == 1 && asks(host) == 1)
        }
        guard !isStalled else { return }
        try await askedAgain(after: broken.pause, sync, host, world)
    }

    /// Once the host is whole, and the time has passed, one small request is a poll again.
    private func askedAgain(
        after pause: BrokenReply.Pause, _ sync: ContentSync, _ host: StaticHost,
        _ world: SignedFleet
    ) async throws {
        host.heal()
        let seconds: Double =
            switch pause {
            case .none: 0
            case .seconds(let seconds): seconds
            case .ofRelease: 7 * 86_400
            }
        if seconds > 0 {
            let before = asks(host)
            // A check of everything, which takes the plain way, is due after six days and some hours.
            world.clock.advance(min(seconds - 1, 6 * 86_400))
            #expect(await sync.sync().outcome == .upToDate)
            #expect(asks(host) == before)
            world.clock.advance(seconds - min(seconds - 1, 6 * 86_400))
            _ = await sync.sync()
        }
        _ = await sync.sync()
        let poll = await sync.sync()
        #expect(poll.outcome == .upToDate && poll.changesetProblem == nil)
        #expect(poll.tally.requests == 1 && asks(host) > 0)
    }

    /// A network that wants a sign-in answers everything with its page: that is said, and nothing is held against the host.
    @Test(arguments: [
        BrokenReply("a page", .bytes(Array("<html>Sign in".utf8)), .none),
        BrokenReply("status 511", .status(511), .none),
        BrokenReply(
            "a redirect to its page",
            .answer(302, ["location": "https://portal.example/"], Array("<html>Sign in".utf8)),
            .none),
    ])
    func aNetworkIsJudgedByTheSignatures(_ portal: BrokenReply) async throws {
        let world = try SignedFleet()
        let host = try world.staticHost()
        let (sync, store) = try world.device(transport: PortalPage(host))
        #expect(await sync.sync().outcome == .installed(release: 1))
        try world.publish(key: 1)
        host.fail("v2/", portal.fault)
        guard case .failed(let error) = await sync.sync().outcome else {
            Issue.record("it did not fail")
            return
        }
        #expect(error.code == .captivePortal, "\(error)")
        #expect(try world.key(store) == [0])
        host.heal()
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 2) && report.tally.requests == 1)
    }

    /// A host that is down is not asked twice as often as before.
    @Test func aBusyHostIsAskedForAChangesetOnce() async throws {
        let world = try SignedFleet()
        let host = try world.staticHost()
        let (sync, _) = try world.device(transport: host)
        #expect(await sync.sync().outcome == .installed(release: 1))
        host.fail("v2/", .status(503))
        guard case .failed = await sync.sync().outcome else {
            Issue.record("it did not fail")
            return
        }
        #expect(asks(host) == 1)
        host.heal()
        let poll = await sync.sync()
        #expect(poll.outcome == .upToDate && asks(host) == 2)
    }

    /// A host that shows its start page for files that it does not have, by a page or by a redirect.
    @Test(arguments: [200, 302])
    func aStartPageForMissingFilesHoldsNoDeviceBack(status: Int) async throws {
        let world = try SignedFleet()
        let host = try world.staticHost()
        let (sync, store) = try world.device(transport: StartPage(host: host, status: status))
        for release in 1...3 {
            if release > 1 { try world.publish(key: release - 1) }
            try FileManager.default.removeItem(atPath: world.release + "/changes")
            #expect(await sync.sync().outcome == .installed(release: release))
            #expect(await sync.sync().outcome == .upToDate)
        }
        #expect(try world.key(store) == [2])
    }
}

/// Answers what the host does not have with its start page.
private struct StartPage: Transport {
    let host: StaticHost
    let status: Int

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let response =
            request.url.host() == "start.example" ? nil : try await host.send(request)
        if let response, response.status != 404 { return response }
        let isPage = status == 200 || response == nil
        return TransportResponse(
            status: isPage ? 200 : status,
            headers: isPage ? [:] : ["location": "https://start.example/"],
            body: AsyncThrowingStream {
                $0.yield(Array("<!doctype html><p>Welcome</p>".utf8))
                $0.finish()
            })
    }
}

/// Shows the page to which the network redirects.
private struct PortalPage: Transport {
    let host: StaticHost

    init(_ host: StaticHost) { self.host = host }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        guard request.url.host() == "portal.example" else { return try await host.send(request) }
        return TransportResponse(
            status: 200, headers: ["content-type": "text/html"],
            body: AsyncThrowingStream {
                $0.yield(Array("<html>Sign in".utf8))
                $0.finish()
            })
    }
}
