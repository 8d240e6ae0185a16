import Accounts
package import Foundation
package import ServiceAPI
package import UserData

/// The service for the content versions that devices report with their exchanges.
package struct UptakeService: Sendable {
    private static let dayMilliseconds: Int64 = 86_400_000
    let storage: UptakeStorage
    private let clock: @Sendable () -> Date
    private let remembered = RememberedReports()

    package init(_ storage: UptakeStorage, clock: @escaping @Sendable () -> Date) {
        self.storage = storage
        self.clock = clock
    }

    /// Stores a device's content, unless the device reported the same to this process today.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - user: The account.
    ///   - client: The device.
    ///   - newest: The release that this server serves; a device that claims a later one counts as a device that is
    ///     offered an older release. `nil` for a server without content.
    /// - Throws: `StorageError`; the next report is then stored.
    package func note(
        _ content: InstalledContent, of user: String, client: ClientID, newest: Int? = nil
    ) async throws {
        var content = content
        if let newest, content.release > newest {
            content = InstalledContent(release: newest, obstacle: .olderRelease)
        }
        let now = clock().millisecondsSince1970
        let report = RememberedReports.Report(content: content, day: now / Self.dayMilliseconds)
        let device = RememberedReports.Device(user: user, client: client)
        guard remembered.isNew(report, of: device) else { return }
        try await storage.note(content, of: user, client: client, now: now)
        remembered.insert(report, of: device)
    }

    /// Counts the devices of the last days.
    ///
    /// - Throws: `StorageError`.
    package func uptake() async throws -> Uptake {
        let days = Int64(ServiceLimits.uptakeDays)
        let start = clock().millisecondsSince1970 - days * Self.dayMilliseconds
        return Uptake(try await storage.counts(since: start))
    }

    /// Returns the spread of the last releases, the newest first.
    ///
    /// - Throws: `StorageError`.
    package func spread() async throws -> [ReleaseSpread] {
        try await storage.spread(limit: ServiceLimits.releaseSpreadMax)
    }
}
