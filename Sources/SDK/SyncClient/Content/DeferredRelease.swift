public import ContentModel
import Foundation

/// A release that this device does not install yet, because its rollout has not reached the device.
///
/// ```swift
/// func line(_ report: SyncReport) -> String? {
///     report.heldRelease.map { "Release \($0.release) comes later: \($0.obstacle)" }
/// }
/// print(line(SyncReport(outcome: .upToDate)) ?? "Nothing is held back.")
/// ```
public struct DeferredRelease: Sendable, Hashable {
    /// The number of the release.
    public var release: Int
    /// The condition of the rollout that this device does not meet.
    public var obstacle: Rollout.Obstacle
    /// The checksum of its manifest.
    package var manifest: Checksum

    package init(release: Int, obstacle: Rollout.Obstacle, manifest: Checksum) {
        self.release = release
        self.obstacle = obstacle
        self.manifest = manifest
    }
}

extension DeferredRelease {
    /// The deferred release with its obstacle, in English.
    var text: String {
        let reason =
            switch obstacle {
            case .paused: "its rollout is paused"
            case .appVersion: "it is for other versions of the app"
            case .share(let percent): "it goes to \(percent) % of the devices so far"
            }
        return "Release \(release) does not come to this device yet: \(reason)."
    }

    /// The stored form: the checksum, the number, the obstacle, and the version of the app for which it was evaluated.
    func text(appVersion: String) -> String {
        let reason =
            switch obstacle {
            case .paused: "paused"
            case .appVersion: "appVersion"
            case .share(let percent): "\(percent)"
            }
        return "\(manifest.hex) \(release) \(reason) \(appVersion)"
    }

    /// Parses the stored form; `nil` for none, a damaged one, or one of another version of the app.
    init?(text: String, appVersion: String) {
        let parts = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[3] == appVersion, let manifest = Checksum(hex: parts[0]),
            let release = Int(parts[1])
        else { return nil }
        let obstacle: Rollout.Obstacle
        switch parts[2] {
        case "paused": obstacle = .paused
        case "appVersion": obstacle = .appVersion
        default:
            guard let percent = Int(parts[2]) else { return nil }
            obstacle = .share(percent: percent)
        }
        self.init(release: release, obstacle: obstacle, manifest: manifest)
    }
}
