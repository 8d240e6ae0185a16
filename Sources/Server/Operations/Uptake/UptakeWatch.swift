package import Foundation
package import Logging
import ServiceAPI
import Synchronization
package import Telemetry

/// The devices on each release, for the server's metrics, counted on request, at most every 30 seconds.
package final class UptakeWatch: Sendable {
    private static let lifetime: TimeInterval = 30

    private struct Count {
        var samples: [MetricSample] = []
        var at = Date.distantPast
    }

    private let uptake: UptakeService
    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let newest = Mutex(Count())

    package init(_ uptake: UptakeService, clock: @escaping @Sendable () -> Date, logger: Logger) {
        self.uptake = uptake
        self.clock = clock
        self.logger = logger
    }

    /// Returns the devices by release and obstacle; none while the database cannot count them.
    package func samples() async -> [MetricSample] {
        let now = clock()
        let known = newest.withLock { abs(now.timeIntervalSince($0.at)) < Self.lifetime ? $0 : nil }
        if let known { return known.samples }
        var count = Count(at: now)
        do {
            count.samples = try await uptake.uptake().counts.map(MetricSample.init)
        } catch {
            // No number is better than an old one.
            logger.warning("devices were not counted", metadata: ["reason": "\(error)"])
        }
        newest.withLock { $0 = count }
        return count.samples
    }
}

extension MetricSample {
    fileprivate init(_ count: UptakeCount) {
        self.init(
            "underway_devices", Double(count.devices),
            labels: [
                ("release", count.release.map { String($0) } ?? "other"),
                ("obstacle", count.obstacle?.rawValue ?? "none"),
            ])
    }
}
