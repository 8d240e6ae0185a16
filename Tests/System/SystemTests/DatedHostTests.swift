import ContentModel
import Foundation
import Publishing
import SyncClient
import Synchronization
import TestSupport
import Testing

/// Hosts without entity tags: the time of change is the condition, and changesets are used as well.
@Suite struct DatedHostTests {
    @Test(arguments: [true, false])
    func aPollWithoutNewsHasNoBody(pins: Bool) async throws {
        let world = try SignedFleet()
        let host = DatedHost(try world.staticHost(), release: world.release)
        let (sync, store) = try world.device(pins: pins, transport: host)
        #expect(await sync.sync().outcome == .installed(release: 1))
        // A time is one of its address: the first question about a changeset has no condition.
        if pins {
            let first = await sync.sync()
            #expect(first.outcome == .upToDate && first.tally.bodyBytes < 100)
        }
        for _ in 0..<2 {
            let poll = await sync.sync()
            #expect(poll.outcome == .upToDate, "\(poll)")
            #expect(poll.tally.requests == 1 && poll.tally.bodyBytes == 0)
        }
        world.days(1)
        try world.publish(key: 1)
        let report = await sync.sync()
        #expect(report.outcome == .installed(release: 2) && report.changesetProblem == nil)
        #expect(report.tally.requests == (pins ? 1 : 2))
        if pins { #expect(report.tally.bodyBytes < 600) }
        #expect(try world.key(store) == [1])
        _ = await sync.sync()
        let last = await sync.sync()
        #expect(last.outcome == .upToDate && last.tally.bodyBytes == 0)
        world.days(1)
        try world.administration.refresh(keys: world.keys)
        let refreshed = await sync.sync()
        #expect(refreshed.outcome == .upToDate)
        if pins {
            let until = try #require(refreshed.confirmedUntil).timeIntervalSince(world.clock.now)
            #expect((14 * 86_400...15 * 86_400).contains(until))
        }
    }

    /// A host that says neither: each poll costs the small changeset, and not the plain way.
    @Test func aHostWithoutValidatorsHasChangesetsToo() async throws {
        let world = try SignedFleet()
        let host = DatedHost(try world.staticHost(), release: world.release, time: "")
        let (sync, _) = try world.device(transport: host)
        #expect(await sync.sync().outcome == .installed(release: 1))
        for _ in 0..<2 {
            let poll = await sync.sync()
            #expect(poll.outcome == .upToDate && poll.tally.requests == 1)
            #expect(poll.tally.bodyBytes < 100)
        }
        #expect(host.conditions.isEmpty)
    }

    /// A time that every file has says nothing, and neither does one that is none.
    @Test(arguments: [
        "Thu, 01 Jan 1970 00:00:00 GMT", "Tue, 01 Jan 1980 00:00:00 GMT", "yesterday",
        "Sat, 28 Nov 2026 08:00:00 GMT\u{1}",
    ])
    func aTimeThatSaysNothingIsNoCondition(time: String) async throws {
        let world = try SignedFleet()
        let host = DatedHost(try world.staticHost(), release: world.release, time: time)
        let (sync, store) = try world.device(pins: false, transport: host)
        #expect(await sync.sync().outcome == .installed(release: 1))
        #expect(await sync.sync().outcome == .upToDate)
        try world.publish(key: 1)
        #expect(await sync.sync().outcome == .installed(release: 2))
        #expect(try world.key(store) == [1])
        #expect(host.conditions.isEmpty)
    }
}

/// A static host that knows no entity tags, but the times at which its files changed.
private final class DatedHost: Transport {
    private let host: StaticHost
    private let release: String
    private let time: String?
    private let asked = Mutex<[String]>([])

    /// - Parameter time: The time that it says of each file; `nil` for the file's own, empty for none.
    init(_ host: StaticHost, release: String, time: String? = nil) {
        self.host = host
        self.release = release
        self.time = time
    }

    /// The conditions that were sent.
    var conditions: [String] { asked.withLock { $0 } }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let sent = ["If-None-Match", "If-Modified-Since"].compactMap { request.headers[$0] }
        asked.withLock { $0 += sent }
        var plain = request
        plain.headers["If-None-Match"] = nil
        var response = try await host.send(plain)
        response.headers["etag"] = nil
        guard response.status == 200 else { return response }
        let modified = try time ?? Self.httpDate(of: release + path(request))
        if !modified.isEmpty { response.headers["last-modified"] = modified }
        guard time == nil, request.headers["If-Modified-Since"] == modified else { return response }
        let body = AsyncThrowingStream<[UInt8], any Error> { $0.finish() }
        return TransportResponse(status: 304, headers: ["last-modified": modified], body: body)
    }

    private func path(_ request: TransportRequest) -> String {
        String(request.url.path().dropFirst("/api/content/v2".count))
    }

    private static func httpDate(of path: String) throws -> String {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let date = try #require(attributes[.modificationDate] as? Date)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "GMT")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}
