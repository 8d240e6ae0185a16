package import ContentModel
package import Foundation
import ServiceAPI
import WebTransfer

/// The times of the next checks, stored between runs.
package struct SyncSchedule: Hashable, Sendable {
    /// The time before which only a forced sync requests the manifest at `asked`.
    package var nextCheck: Date?
    /// The time from which a sync verifies and repairs everything that is stored.
    package var nextFullSync: Date?
    /// The validator of the manifest that was last processed.
    package var validator: String?
    /// The checksum of the manifest that `validator` validates, which need not be the installed one.
    package var manifest: Checksum?
    /// The address of the release at which `manifest` was seen; tags of other hosts have other meanings.
    package var origin: String?
    /// The time at which `manifest` was last the newest of `origin`.
    package var seenAt: Date?
    /// The address of the last request, with or without success.
    var asked: String?
    /// The failure of the last check; `nil` when it succeeded.
    var problem: SyncError?

    /// Creates a schedule, by default one without any waits.
    package init(
        nextCheck: Date? = nil, nextFullSync: Date? = nil, validator: String? = nil,
        manifest: Checksum? = nil, origin: String? = nil, seenAt: Date? = nil
    ) {
        self.nextCheck = nextCheck
        self.nextFullSync = nextFullSync
        self.validator = validator
        self.manifest = manifest
        self.origin = origin
        self.seenAt = seenAt
    }

    /// Returns true when a planned moment has come, or is further away than any plan allows, because the clock was
    /// changed.
    static func isDue(_ moment: Date?, now: Date, longestWait: TimeInterval) -> Bool {
        guard let moment else { return true }
        let wait = moment.timeIntervalSince(now)
        return wait <= 0 || wait > longestWait
    }

    /// The stored form: JSON with a version.
    private struct Stored: Codable {
        var version = 1
        var nextCheck: Date?
        var nextFullSync: Date?
        var validator: String?
        var manifest: String?
        var origin: String?
        var seenAt: Date?
        var asked: String?
        var problem: Problem?

        struct Problem: Codable {
            var code: String
            var message: String
        }
    }

    /// The stored form.
    var text: String {
        let stored = Stored(
            nextCheck: nextCheck, nextFullSync: nextFullSync, validator: validator,
            manifest: manifest?.hex, origin: origin, seenAt: seenAt, asked: asked,
            problem: problem.map { .init(code: $0.code.rawValue, message: Self.line($0.message)) })
        // No member can fail to encode; without a stored form everything happens at once.
        return (try? JSONEncoder().encode(stored)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Returns a text as one line: a system's message may have several.
    private static func line(_ text: String) -> String {
        text.split { $0.isWhitespace || "\($0)".hasControlCharacters }.joined(separator: " ")
    }

    /// Parses the stored form; a damaged one, and one of another version, give a schedule without waits.
    init(text: String) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)),
            stored.version == 1
        else {
            self.init()
            return
        }
        self.init(
            nextCheck: stored.nextCheck, nextFullSync: stored.nextFullSync,
            validator: stored.validator.flatMap { EntityTag.isUsable($0) ? $0 : nil },
            manifest: stored.manifest.flatMap { Checksum(hex: $0) }, origin: stored.origin,
            seenAt: stored.seenAt)
        asked = stored.asked
        problem = stored.problem.map { SyncError(SyncError.Code(rawValue: $0.code), $0.message) }
    }
}

/// The intervals of polls, and the bounds of downloads.
///
/// ```swift
/// var settings = SyncSettings()
/// settings.manifestCooldown = .seconds(3600)
/// settings.lazyFileQuotaBytes = 128 << 20
/// ```
public struct SyncSettings: Sendable, Hashable {
    /// The interval between two checks of the manifest.
    public var manifestCooldown: Duration = .seconds(30 * 60)
    /// The interval between two full syncs.
    public var fullSyncInterval: Duration = .seconds(7 * 86_400)
    /// The interval before a retry after a failure.
    public var failureCooldown: Duration = .seconds(60)
    /// The fraction by which an interval is varied at random, so that devices do not poll in step.
    public var jitter: Double = 0.1
    /// The wait before the first retry of a request; it doubles with each.
    public var backoff: Duration = .milliseconds(500)
    /// The quota of files fetched on demand, in bytes; after each installation, the least recently used are removed
    /// until the rest fits.
    public var lazyFileQuotaBytes = 512 * 1024 * 1024
    /// The window of time in which a download must end or reach `slowestBytesPerSecond`; otherwise it is cancelled, and
    /// the next attempt resumes it.
    public var downloadDeadline: Duration = .seconds(30)
    /// The rate in bytes per second below which a download counts as stalled.
    ///
    /// A line of 5 kB/s gives each of 16 downloads 312 bytes per second.
    public var slowestBytesPerSecond = 128
    /// The maximum number of requests in flight for small blobs.
    ///
    /// For larger ones the maximum is `ServiceLimits.parallelDownloadsMax`, which bounds memory.
    public var requestsInFlight = ServiceLimits.smallDownloadsMax
    /// The interval before a device installs an older release of a host that offered a newer one before; a forced sync
    /// installs it at once.
    public var olderReleaseWait: Duration = .seconds(86_400)
    /// The time limit of the page that a redirect of the manifest leads to.
    var pageDeadline: Duration = .seconds(10)

    /// Creates the settings for a phone.
    public init() {}

    /// The minimum number of bytes of a download in each window of its deadline.
    var bytesMinPerDeadline: Int {
        let bytes = downloadDeadline.seconds * Double(slowestBytesPerSecond)
        return bytes >= 1 ? Int(exactly: bytes.rounded(.down)) ?? .max : 1
    }

    /// The settings within the bounds of waits and their sums: from zero to a year, and a jitter from 0 to 1.
    var bounded: SyncSettings {
        func wait(_ duration: Duration) -> Duration {
            min(max(duration, .zero), .seconds(365 * 24 * 60 * 60))
        }
        var settings = self
        settings.manifestCooldown = wait(manifestCooldown)
        settings.fullSyncInterval = wait(fullSyncInterval)
        settings.failureCooldown = wait(failureCooldown)
        settings.backoff = wait(backoff)
        settings.downloadDeadline = wait(downloadDeadline)
        settings.olderReleaseWait = wait(olderReleaseWait)
        settings.jitter = jitter.isNaN ? 0 : min(max(jitter, 0), 1)
        return settings
    }
}

extension Duration {
    var seconds: TimeInterval {
        let (seconds, attoseconds) = components
        return TimeInterval(seconds) + TimeInterval(attoseconds) * 1e-18
    }
}
