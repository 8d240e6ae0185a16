package import Foundation
import Synchronization

/// A guard of upkeep, which must not delete old data while the clock may be wrong.
///
/// It stores the time of the last upkeep in a file. A clock more than two days ahead of it, after downtime or a wrong
/// setting, must stay consistent for a day of running before upkeep deletes anything. Otherwise a clock that is years
/// ahead for an hour would delete accounts and the audit log.
package final class UpkeepClock: Sendable {
    private static let toleranceMilliseconds: Int64 = 2 * 86_400_000
    private static let patience = Duration.seconds(86_400)

    private struct State {
        /// The wall clock at the last upkeep that could delete; `nil` before the first one ever.
        var last: Int64?
        /// The uptime at which the clock was first seen to be ahead.
        var aheadSince: Duration?
        /// The wall clock then.
        var aheadFrom: Int64 = 0
    }

    private let file: URL?
    private let uptime: @Sendable () -> Duration
    private let state: Mutex<State>

    /// Reads the time of the last upkeep.
    ///
    /// - Parameters:
    ///   - file: The file of that time; `nil` for none. An unreadable file counts as missing.
    ///   - uptime: The uptime of the process, which no clock setting changes.
    package init(
        file: URL?, uptime: @escaping @Sendable () -> Duration = UpkeepClock.processUptime
    ) {
        self.file = file
        self.uptime = uptime
        // Without the file the first upkeep counts as that of a new server.
        let text = file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
        let last = text.flatMap {
            Int64($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        state = Mutex(State(last: last))
    }

    private static let start = ContinuousClock.now
    /// The uptime of this process, measured from the first call.
    package static let processUptime: @Sendable () -> Duration = { start.duration(to: .now) }

    /// Returns true when data that is old by the wall clock may be deleted now.
    package func admits(now: Int64) -> Bool {
        let up = uptime()
        let isAdmitted = state.withLock { state in
            guard let last = state.last, now - last > Self.toleranceMilliseconds else {
                (state.last, state.aheadSince) = (now, nil)
                return true
            }
            guard let since = state.aheadSince,
                abs(Self.milliseconds(up - since) - (now - state.aheadFrom)) < 3_600_000
            else {
                // The first look, or the clock was set again meanwhile.
                (state.aheadSince, state.aheadFrom) = (up, now)
                return false
            }
            guard up - since >= Self.patience else { return false }
            (state.last, state.aheadSince) = (now, nil)
            return true
        }
        if isAdmitted { write(now) }
        return isAdmitted
    }

    /// The days by which the clock is ahead of the last upkeep while deletion is suspended; otherwise `nil`.
    package var daysAhead: Int? {
        state.withLock { state in
            guard state.aheadSince != nil, let last = state.last else { return nil }
            return Int((state.aheadFrom - last) / 86_400_000)
        }
    }

    private func write(_ now: Int64) {
        // A time that is lost makes the next start wait for a day.
        if let file { try? DurableFile.replace(file, with: Data("\(now)\n".utf8)) }
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1000
    }
}
