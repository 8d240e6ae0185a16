import Foundation

/// The time for which a device requests no changesets from a host, after a request without a result.
///
/// It starts with a run whose signatures arrived without a changeset, so a failure of the network does not count
/// against a host.
struct ChangesetPause: Hashable, Sendable {
    /// The duration in seconds; 0 to request one at the next poll.
    var seconds: TimeInterval
    /// True to end the pause when another release is installed, for which the host may have a changeset.
    var endsWithRelease: Bool

    /// A connection broke: the next poll requests a changeset again.
    static let untilNextPoll = ChangesetPause(seconds: 0, endsWithRelease: true)
    /// The host has no changeset of this release, or other bytes under its name.
    static let ofRelease = ChangesetPause(seconds: longestSeconds, endsWithRelease: true)
    private static let longestSeconds: TimeInterval = 7 * 86_400
    private static let secondsOfBusyHost: TimeInterval = 3600

    private init(seconds: TimeInterval, endsWithRelease: Bool) {
        self.seconds = seconds
        self.endsWithRelease = endsWithRelease
    }

    /// Creates the pause for a status other than those of success.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - retryAfter: The wait that the host requests; it is only used for a busy host.
    init(status: Int, retryAfter: Duration?) {
        let isBusy = status >= 500 || [408, 429].contains(status)
        guard isBusy else {
            self = .ofRelease
            return
        }
        self.init(
            seconds: min(retryAfter?.seconds ?? Self.secondsOfBusyHost, Self.longestSeconds),
            endsWithRelease: false)
    }

    /// Returns the stored form: the release, `*` for any, and the second at which the pause ends.
    func text(release: Int, now: Date) -> String {
        "\(endsWithRelease ? "\(release)" : "*") \(now.timeIntervalSince1970 + seconds)"
    }

    /// Returns true while a stored pause lasts; one that is damaged, or ends later than any can, does not.
    static func lasts(_ text: String, release: Int, now: Date) -> Bool {
        let parts = text.split(separator: " ")
        guard parts.count == 2, ["*", "\(release)"].contains(parts[0]), let end = Double(parts[1])
        else { return false }
        let rest = end - now.timeIntervalSince1970
        return rest > 0 && rest <= longestSeconds
    }
}
