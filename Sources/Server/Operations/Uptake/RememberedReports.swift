import ServiceAPI
import Synchronization
import UserData

/// The last reports of devices to this process: all but one a day need not be stored.
final class RememberedReports: Sendable {
    struct Device: Hashable {
        var user: String
        var client: ClientID
    }

    struct Report: Hashable {
        var content: InstalledContent
        var day: Int64
    }

    private let reports = Mutex<[Device: Report]>([:])
    private let most: Int

    init(most: Int = ServiceLimits.uptakeRemembered) { self.most = most }

    /// Returns true for a report that differs from the device's last one.
    func isNew(_ report: Report, of device: Device) -> Bool {
        reports.withLock { $0[device] != report }
    }

    /// Remembers a report; when there are too many, all others are forgotten, which costs one more write each.
    func insert(_ report: Report, of device: Device) {
        reports.withLock { reports in
            if reports.count >= most, reports[device] == nil { reports = [:] }
            reports[device] = report
        }
    }
}
