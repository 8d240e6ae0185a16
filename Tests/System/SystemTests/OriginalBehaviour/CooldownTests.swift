import ContentModel
import Foundation
import OfflineStorage
import SyncClient
import Synchronization
import TestSupport
import Testing

/// When a device asks, and when it reads everything again.
@Suite struct CooldownTests {
    private let world: OriginalWorld

    init() throws { world = try OriginalWorld(["es"]) }

    /// The app, started anew, without the spread of waits.
    private func exact() throws -> OriginalDevice {
        try OriginalDevice(world) { $0.jitter = 0 }
    }

    @Test("Checks of the manifest are 30 minutes apart, also across restarts.")
    func checksAreThirtyMinutesApart() async throws {
        let start = world.clock.now
        try await exact().run()
        world.host.forgetRequests()
        for _ in 0..<2 {
            world.clock.advance(899.5)
            #expect(try await exact().run().outcome == .notDue(until: start + 1800))
        }
        #expect(world.host.requests.isEmpty)
        world.clock.advance(1)
        #expect(try await exact().run().outcome == .upToDate)
        #expect(world.host.requests.count == 1)
    }

    @Test("Every 7 days, also across restarts, all stored content is read again and repaired.")
    func fullSyncsAreSevenDaysApart() async throws {
        try await exact().run()
        let clip = try #require(try await exact().sync.files(.audio(language: "es"))["hello.m4a"])
        try exact().damage()
        try Data("damaged".utf8).write(to: clip)
        world.clock.advance(7 * 86_400 - 1801)
        #expect(try await exact().run().outcome == .upToDate)
        #expect(try exact().store.damagedBlobs().count == 1)
        world.clock.advance(1801)
        #expect(try await exact().run().outcome == .repaired(documents: 1))
        #expect(try exact().store.damagedBlobs().isEmpty)
        #expect(try exact().key() == [0])
        let again = try #require(try await exact().sync.files(.audio(language: "es"))["hello.m4a"])
        #expect(try Data(contentsOf: again) == Data("clip of es".utf8))
    }

    @Test("Both intervals vary at random by up to a tenth.")
    func waitsAreSpread() async throws {
        var checks: Set<TimeInterval> = []
        var fullCount = 0
        let start = world.clock.now
        let devices = try (0..<24).map { try OriginalDevice(world, "store-\($0)") }
        for device in devices {
            await device.run()
            guard case .notDue(let until) = await device.run().outcome else {
                Issue.record("there was no wait")
                return
            }
            checks.insert(until.timeIntervalSince(start))
        }
        #expect(checks.count > 20)
        #expect(checks.allSatisfy { (1620...1980).contains($0) })
        world.clock.advance(7 * 86_400)
        for device in devices {
            world.host.forgetRequests()
            await device.run()
            // A full sync asks without a condition.
            if world.host.requests.first?.headers["If-None-Match"] == nil { fullCount += 1 }
        }
        #expect((1..<24).contains(fullCount))
    }

    @Test("A forced sync ignores both intervals.")
    func forcePassesBothWaits() async throws {
        try await exact().run()
        #expect(try await exact().run(force: true).outcome == .upToDate)
        try exact().damage()
        #expect(try await exact().run(force: true).outcome == .repaired(documents: 1))
        #expect(try exact().store.damagedBlobs().isEmpty)
    }

    @Test("A forced sync bypasses every cache.")
    func forcePassesEveryCache() async throws {
        let manifest = try world.folder.read("release/manifest.json")
        let heads = Mutex<[String]>([])
        let server = try RawServer { connection in
            while let head = connection.head() {
                heads.withLock { $0.append(head.lowercased()) }
                let isManifest = head.contains("/manifest.json ")
                let bytes = isManifest ? manifest : []
                let status = isManifest ? "200 OK" : "404 Not Found"
                connection.send(
                    Array(
                        "HTTP/1.1 \(status)\r\nETag: \"1\"\r\nContent-Length: \(bytes.count)\r\n\r\n"
                            .utf8) + bytes)
            }
        }
        let device = try OriginalDevice(world)
        await device.run()
        let transport = HTTPTransport()
        defer { transport.close() }
        let other = try OriginalDevice(
            world, transport: transport, url: URL(stringLiteral: server.url))
        for force in [false, true] {
            #expect(await other.run(force: force).outcome == .upToDate)
        }
        let asked = heads.withLock { $0 }
        #expect(asked.count == 2)
        for head in asked {
            #expect(head.hasPrefix("get /manifest.json "))
            #expect(head.contains("\r\ncache-control: no-cache\r\n"))
            #expect(!head.contains("\r\nif-none-match:"))
        }
    }

    @Test("A cache with old files strands no device of the original format.")
    func aCacheOfReadableNamesStrandsNoDevice() async throws {
        try world.serveOriginalFormat()
        let edge = EdgeCache(world.originalHost)
        await (try OriginalDevice(world, transport: edge)).run()
        try world.edit(key: 2)
        try world.serveOriginalFormat()
        world.clock.advance(3600)
        let device = try OriginalDevice(world, transport: edge)
        #expect(await device.run().outcome == .installed(release: 0))
        #expect(try device.key() == [2])
    }

    @Test("A cache with damaged objects strands neither a text nor a clip.")
    func aCacheOfDamagedObjectsStrandsNothing() async throws {
        let entry = try #require(try world.manifest().languages["es"])
        let clip = try #require(entry.audio?.files.first)
        let damaged = [try #require(entry.blueprint).checksum, clip.checksum]
        for checksum in damaged { world.host.fail(checksum.hex, .flipBit(at: 4), times: 1) }
        let device = try OriginalDevice(world, transport: EdgeCache(world.host))
        #expect(await device.run().outcome == .installed(release: 1))
        #expect(try device.key() == [0])
        #expect(try await device.sync.files(.audio(language: "es")).count == 1)
    }

    @Test("Retry-After is honoured, as seconds and as a date, and never cut short.")
    func retryAfterIsHonoured() async throws {
        let start = world.clock.now
        let date = (start + 7200).formatted(
            Date.VerbatimFormatStyle(
                format: """
                    \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \
                    \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\
                    \(minute: .twoDigits):\(second: .twoDigits) GMT
                    """, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt,
                calendar: Calendar(identifier: .gregorian)))
        for (name, text) in [("seconds", "7200"), ("date", date)] {
            world.host.heal()
            world.host.fail("manifest.json", .answer(503, ["retry-after": text]))
            for number in 0..<12 {
                let device = try OriginalDevice(world, "\(name)-\(number)")
                world.host.forgetRequests()
                _ = await device.run()
                #expect(world.host.requests.count == 1)
                guard case .notDue(let until) = await device.run().outcome else {
                    Issue.record("it asked again at once")
                    return
                }
                #expect((7200...7920).contains(until.timeIntervalSince(start)), "\(name)")
            }
        }
    }
}
