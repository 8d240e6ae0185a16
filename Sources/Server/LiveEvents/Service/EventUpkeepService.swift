import Accounts
package import Foundation
package import Logging
import ServiceLifecycle

/// The service that updates the ranking of events from the database, and freezes ended events.
package struct EventUpkeepService: Service {
    let events: EventService
    let clock: @Sendable () -> Date
    let logger: Logger

    package init(events: EventService, clock: @escaping @Sendable () -> Date, logger: Logger) {
        self.events = events
        self.clock = clock
        self.logger = logger
    }

    func run() async throws {
        // Cancelled at shutdown; the next start, or another process, goes on.
        try? await cancelWhenGracefulShutdown {
            var follower = EventFollower(events, uptime: UpkeepClock.processUptime)
            var obstacle: String?
            while !Task.isCancelled {
                let reason = await step(&follower)
                if let reason, reason != obstacle {
                    logger.error("events are not up to date", metadata: ["reason": "\(reason)"])
                }
                obstacle = reason
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Takes a step.
    ///
    /// - Returns: The reason why it was not finished.
    private func step(_ follower: inout EventFollower) async -> String? {
        do {
            try await follower.step(now: clock())
            return nil
        } catch is CancellationError {
            return nil
        } catch {
            return "\(error)"
        }
    }
}
