public import ContentModel
public import Foundation

/// When a device may ask again; kept in the store between runs.
public struct SyncSchedule: Hashable, Sendable {
    /// Before this, only a forced sync asks for the manifest.
    public var nextCheck: Date?
    /// From this on, a sync reads everything that is stored again and repairs it.
    public var nextFullSync: Date?
    /// The validator of the manifest that was last settled.
    public var entityTag: String?
    /// The checksum of the manifest that `entityTag` validates, which need not be the installed one.
    public var manifest: Checksum?

    /// A schedule that lets everything happen at once.
    public init(
        nextCheck: Date? = nil, nextFullSync: Date? = nil, entityTag: String? = nil,
        manifest: Checksum? = nil
    ) {
        self.nextCheck = nextCheck
        self.nextFullSync = nextFullSync
        self.entityTag = entityTag
        self.manifest = manifest
    }

    /// True when a moment that was planned has come, or lies further off than any plan can:
    /// then the clock was moved.
    static func isDue(_ moment: Date?, now: Date, longestWait: TimeInterval) -> Bool {
        guard let moment else { return true }
        let wait = moment.timeIntervalSince(now)
        return wait <= 0 || wait > longestWait
    }

    /// The kept form: four fields separated by tabs, times in seconds since 1970.
    var text: String {
        let times = [nextCheck, nextFullSync].map { $0.map { "\($0.timeIntervalSince1970)" } ?? "" }
        return (times + [entityTag ?? "", manifest?.hex ?? ""]).joined(separator: "\t")
    }

    /// Reads the kept form; a damaged one lets everything happen at once.
    ///
    /// Earlier versions wrote three fields.
    init(text: String) {
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        guard (3...4).contains(fields.count) else {
            self.init()
            return
        }
        let times = fields.prefix(2).map { Double($0).map(Date.init(timeIntervalSince1970:)) }
        self.init(
            nextCheck: times[0], nextFullSync: times[1],
            entityTag: fields[2].isEmpty ? nil : String(fields[2]),
            manifest: fields.count == 4 ? Checksum(hex: String(fields[3])) : nil)
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
    /// How long a download may take at the least; large ones get a second for each 16 KiB more.
    public var downloadDeadline: Duration = .seconds(30)

    /// The settings that suit a phone.
    public init() {}
}

extension Duration {
    var seconds: TimeInterval {
        let (seconds, attoseconds) = components
        return TimeInterval(seconds) + TimeInterval(attoseconds) * 1e-18
    }
}
