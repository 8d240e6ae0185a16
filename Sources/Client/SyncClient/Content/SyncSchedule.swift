public import ContentModel
public import Foundation
import ServiceAPI
import WebTransfer

/// When a device may ask again; kept in the store between runs.
public struct SyncSchedule: Hashable, Sendable {
    /// Before this, only a forced sync asks for the manifest at `asked`.
    public var nextCheck: Date?
    /// From this on, a sync reads everything that is stored again and repairs it.
    public var nextFullSync: Date?
    /// The validator of the manifest that was last settled.
    public var entityTag: String?
    /// The checksum of the manifest that `entityTag` validates, which need not be the installed one.
    public var manifest: Checksum?
    /// The address of the release at which `manifest` was seen; tags of other hosts mean other things.
    public var origin: String?
    /// When `manifest` was last the newest of `origin`.
    public var seenAt: Date?
    /// The address that was asked last, whatever came of it.
    var asked: String?
    /// Why the last check failed; `nil` when it did not.
    var problem: String?

    /// A schedule that lets everything happen at once.
    public init(
        nextCheck: Date? = nil, nextFullSync: Date? = nil, entityTag: String? = nil,
        manifest: Checksum? = nil, origin: String? = nil, seenAt: Date? = nil
    ) {
        self.nextCheck = nextCheck
        self.nextFullSync = nextFullSync
        self.entityTag = entityTag
        self.manifest = manifest
        self.origin = origin
        self.seenAt = seenAt
    }

    /// True when a moment that was planned has come, or lies further off than any plan can:
    /// then the clock was moved.
    static func isDue(_ moment: Date?, now: Date, longestWait: TimeInterval) -> Bool {
        guard let moment else { return true }
        let wait = moment.timeIntervalSince(now)
        return wait <= 0 || wait > longestWait
    }

    /// The kept form: eight fields separated by tabs, times in seconds since 1970.
    ///
    /// A field with control characters, which would spoil the others, counts as absent.
    var text: String {
        func text(_ date: Date?) -> String { date.map { "\($0.timeIntervalSince1970)" } ?? "" }
        return [
            text(nextCheck), text(nextFullSync), entityTag ?? "", manifest?.hex ?? "", origin ?? "",
            text(seenAt), asked ?? "",
            problem?.split { $0.isWhitespace || "\($0)".hasControlCharacters }
                .joined(separator: " ") ?? "",
        ].map { $0.hasControlCharacters ? "" : $0 }.joined(separator: "\t")
    }

    /// Reads the kept form; a damaged one lets everything happen at once.
    ///
    /// Earlier versions wrote three, four or six fields.
    init(text: String) {
        var fields = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard [3, 4, 6, 8].contains(fields.count) else {
            self.init()
            return
        }
        fields += Array(repeating: "", count: 8 - fields.count)
        func date(_ text: String) -> Date? {
            Double(text).map(Date.init(timeIntervalSince1970:))
        }
        self.init(
            nextCheck: date(fields[0]), nextFullSync: date(fields[1]),
            entityTag: EntityTag.isUsable(fields[2]) ? fields[2] : nil,
            manifest: Checksum(hex: fields[3]),
            origin: fields[4].isEmpty ? nil : fields[4], seenAt: date(fields[5]))
        asked = fields[6].isEmpty ? nil : fields[6]
        problem = fields[7].isEmpty ? nil : fields[7]
    }
}

/// How often a device asks, and how hard it tries.
public struct SyncSettings: Sendable, Hashable {
    /// How long to wait between two checks of the manifest.
    public var manifestCooldown: Duration = .seconds(30 * 60)
    /// How long to wait between two full syncs.
    public var fullSyncInterval: Duration = .seconds(7 * 86_400)
    /// How long to wait after a failure.
    public var failureCooldown: Duration = .seconds(60)
    /// By which part of itself a wait is changed at random, so that devices spread out.
    public var jitter: Double = 0.1
    /// The wait before the second try of a request; it doubles with each.
    public var backoff: Duration = .milliseconds(500)
    /// How many bytes of files fetched on demand are kept; above it, what was not used for
    /// longest goes after each installation.
    public var lazyFileQuotaBytes = 512 * 1024 * 1024
    /// The window of time in which a download ends or brings `slowestBytesPerSecond`; otherwise it is
    /// given up, and gone on with at the next try.
    public var downloadDeadline: Duration = .seconds(30)
    /// The rate below which one download counts as stalled.
    ///
    /// A line of 5 kB/s gives each of 16 downloads 312.
    public var slowestBytesPerSecond = 128
    /// The most requests in flight for small blobs.
    ///
    /// Of larger ones there are at most `ServiceLimits.parallelDownloadsMax`, so that memory stays
    /// bounded.
    public var requestsInFlight = ServiceLimits.smallDownloadsMax
    /// How long an older release of the same host is not installed after a newer one was seen there;
    /// force installs it at once.
    public var olderReleaseWait: Duration = .seconds(86_400)
    /// How long the page may take that a redirect of the manifest leads to.
    var pageDeadline: Duration = .seconds(10)

    /// The settings that suit a phone.
    public init() {}

    /// The bytes that a download brings in each window of its deadline at the least.
    var bytesMinPerDeadline: Int {
        max(1, Int(downloadDeadline.seconds * Double(slowestBytesPerSecond)))
    }
}

extension Duration {
    var seconds: TimeInterval {
        let (seconds, attoseconds) = components
        return TimeInterval(seconds) + TimeInterval(attoseconds) * 1e-18
    }
}
