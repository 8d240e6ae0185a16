public import Foundation
import Logging

/// Wakes the app, or the service, to sync while nobody looks.
public protocol BackgroundScheduler: Sendable {
    /// Asks to be woken once, not before a moment; a later call takes the place of an earlier one.
    ///
    /// - Throws: An error of the system when it does not allow it.
    func schedule(earliest: Date) throws
}

/// The result of one wake.
public struct BackgroundReport: Sendable, Hashable {
    /// The result of the sync of user data.
    public var userData: UserDataReport
    /// The result of the sync of content; `nil` when there is none, or the time was over before it.
    public var content: SyncReport?
    /// The reason why the next wake could not be scheduled; `nil` when it was.
    ///
    /// The sync itself is not touched by it. Schedule again when the app is next in the foreground.
    public var schedulingProblem: String?
    /// True when the system ended the wake before everything was done.
    public var wasCancelled = false

    /// True when everything that was to be synced was.
    public var isSuccess: Bool {
        if case .failed = content?.outcome { return false }
        return userData.problem == nil && !wasCancelled
    }
}

/// Syncs each time that a scheduler wakes the app, and schedules the next time.
public struct BackgroundSync: Sendable {
    /// The least time between two runs, in seconds, as systems allow it.
    public static let intervalMin: TimeInterval = 15 * 60
    /// The longest time between two runs, in seconds, however long a server asks to wait.
    public static let intervalMax: TimeInterval = 24 * 60 * 60

    private let userData: UserDataSync
    private let content: ContentSync?
    private let scheduler: any BackgroundScheduler
    private let clock: @Sendable () -> Date
    private let logger = Logger(label: "underway.background")

    /// Describes what to sync.
    ///
    /// - Parameters:
    ///   - userData: Synced first: what the user did must leave the device.
    ///   - content: Synced after it, when it is due.
    ///   - scheduler: Asked for the next time.
    ///   - clock: The wall clock.
    public init(
        userData: UserDataSync, content: ContentSync? = nil,
        scheduler: any BackgroundScheduler, clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.userData = userData
        self.content = content
        self.scheduler = scheduler
        self.clock = clock
    }

    /// Schedules the next wake.
    ///
    /// Call it once the app is set up and whenever it leaves the foreground: nothing wakes an app that
    /// never asked, and a system that refused may allow it now.
    /// - Throws: An error of the scheduler.
    public func schedule() throws { try scheduler.schedule(earliest: next(nil)) }

    /// Syncs once, whether or not the next wake can be scheduled.
    ///
    /// The next wake is scheduled before anything else, so that a run that is killed has a successor.
    /// A sync that runs already is joined. When the task is cancelled, as the system does when the time
    /// is over, everything stays on the device, and the next run goes on from there.
    /// - Returns: The results; never throws.
    @discardableResult
    public func wake() async -> BackgroundReport {
        _ = scheduleNext(nil)
        var report = BackgroundReport(userData: await userData.sync())
        if !Task.isCancelled { report.content = await content?.run() }
        report.wasCancelled = Task.isCancelled
        report.schedulingProblem = scheduleNext(report.userData.retryAt)
        return report
    }

    /// - Returns: The reason when the scheduler refused.
    private func scheduleNext(_ retryAt: Date?) -> String? {
        do {
            try scheduler.schedule(earliest: next(retryAt))
            return nil
        } catch {
            logger.warning("no next wake", metadata: ["reason": "\(error)"])
            return "The next wake cannot be scheduled: \(error)"
        }
    }

    /// The moment of the next run: after the interval, or when a failure is to be retried, if that is
    /// later.
    func next(_ retryAt: Date?) -> Date {
        let now = clock()
        let earliest = now + Self.intervalMin
        return min(max(earliest, retryAt ?? earliest), now + Self.intervalMax)
    }
}
