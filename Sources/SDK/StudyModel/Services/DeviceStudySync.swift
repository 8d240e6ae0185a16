public import Foundation
import Synchronization
public import Underway

/// The sync of a device for its screens: content, and user data if the host has a server for it.
public struct DeviceStudySync: Sendable {
    private let content: ContentSync
    private let store: UserStore
    private let userData: UserDataSync?
    private let log: DeviceFile<SyncLog>?
    private let clock: @Sendable () -> Date
    private let lastCheck = LastCheck()

    /// The last run that sent requests to the host; one that was not due does not count.
    private final class LastCheck: Sendable {
        private let value = Mutex<(report: SyncReport, end: Date)?>(nil)

        var last: (report: SyncReport, end: Date)? { value.withLock { $0 } }

        func note(_ report: SyncReport, at end: Date) {
            if case .notDue = report.outcome { return }
            value.withLock { $0 = (report, end) }
        }
    }

    /// Creates the sync of a device from its parts.
    ///
    /// - Parameters:
    ///   - content: The sync of content.
    ///   - store: The learner's data, which determines if there are changes to send.
    ///   - userData: The sync of that data; `nil` for a static host.
    ///   - log: The log of the syncs.
    ///   - clock: The wall clock.
    public init(
        content: ContentSync, store: UserStore, userData: UserDataSync?,
        log: DeviceFile<SyncLog>? = nil, clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.content = content
        self.store = store
        self.userData = userData
        self.log = log
        self.clock = clock
    }

    /// The state of the sync of content, with the report of the last run that asked the host.
    public var contentStatus: SyncStatus<SyncReport> {
        var status = content.status
        if case .notDue? = status.lastReport?.outcome, let last = lastCheck.last {
            (status.lastReport, status.lastEnd) = last
        }
        return status
    }
    /// The state of the sync of user data.
    public var userDataStatus: SyncStatus<UserDataReport>? { userData?.status }

    /// Checks for content, then sends and fetches user data, and regrades answers by corrections; it creates no account
    /// for a learner who has nothing to send.
    public func syncNow() async { await sync(force: true) }

    /// Does the same according to the sync's own schedule.
    public func syncWhenDue() async { await sync(force: false) }

    private func sync(force: Bool) async {
        let contentReport = await content.sync(force: force)
        lastCheck.note(contentReport, at: clock())
        let userDataReport = await exchange()
        // What cannot be written now is applied when a screen reads the bank.
        _ = try? await content.applyCorrections(to: store)
        // Answers of other devices may be enough for a fit; a step that failed is taken after the next session or sync.
        _ = try? await fitMemory()
        guard !Task.isCancelled,
            let entry = SyncLog.Entry(contentReport, userDataReport, date: clock())
        else { return }
        // A log that cannot be written must not stop the sync; the line of freshness says how it ended.
        try? await log?.change { $0.add(entry) }
    }

    private func fitMemory() async throws {
        let now = try await store.perform { [now = clock()] in try $0.present(at: now) }
        try await MemoryFit(store, timeZone: .current, now: now).step()
    }

    private func exchange() async -> UserDataReport? {
        guard let userData else { return nil }
        let waiting = try? await store.perform { try $0.status().waitingCount }
        // A store that cannot be read is reported by the screen; the sync says the same.
        guard store.user != UserStore.localUser || waiting != 0 else { return nil }
        return await userData.sync()
    }

    /// Returns the files of a group by name, fetching those that are not on the device.
    ///
    /// - Throws: `SyncError`.
    public func files(_ group: FileGroup) async throws -> [String: URL] {
        // Somebody asked for these files now, whatever the network costs.
        try await content.files(group, purpose: .content)
    }
}
