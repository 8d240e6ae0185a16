public import Foundation

#if canImport(BackgroundTasks)
import BackgroundTasks
#endif

/// Wakes the app, or the service, to sync while nobody looks.
public protocol BackgroundScheduler: Sendable {
    /// Asks to be woken once, not before a moment; a later call takes the place of an earlier one.
    ///
    /// - Throws: What the system says when it does not allow it.
    func schedule(earliest: Date) throws
}

/// What is done each time that a scheduler wakes: sync, and ask for the next time.
public struct BackgroundSync: Sendable {
    /// The least time between two runs, in seconds, as systems allow it.
    public static let intervalMin: TimeInterval = 15 * 60
    /// The longest time between two runs, in seconds, however long a server asks to wait.
    public static let intervalMax: TimeInterval = 24 * 60 * 60

    private let userData: UserDataSync
    private let content: ContentSync?
    private let scheduler: any BackgroundScheduler
    private let clock: @Sendable () -> Date

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

    /// Syncs once.
    ///
    /// The next time is asked for before anything else, so that a run that is killed has a successor.
    /// When the task is cancelled, as the system does when the time is over, what was kept stays, and
    /// the next run goes on from there.
    /// - Returns: How the sync of user data ended.
    /// - Throws: What the scheduler throws.
    @discardableResult
    public func wake() async throws -> UserDataReport {
        try scheduler.schedule(earliest: next(nil))
        let report = await userData.sync()
        if !Task.isCancelled { _ = await content?.run() }
        try scheduler.schedule(earliest: next(report.retryAt))
        return report
    }

    /// When to run again: after the interval, or when a failure is to be tried again, if that is later.
    func next(_ retryAt: Date?) -> Date {
        let now = clock()
        let earliest = now + Self.intervalMin
        return min(max(earliest, retryAt ?? earliest), now + Self.intervalMax)
    }
}

#if canImport(BackgroundTasks) && !os(macOS)
/// Background App Refresh.
///
/// Compiled on Apple platforms only, and not verified: written from the documentation of
/// `BGTaskScheduler`. The identifier must stand in `BGTaskSchedulerPermittedIdentifiers`.
public struct AppRefreshScheduler: BackgroundScheduler {
    private let identifier: String

    /// Names the task.
    ///
    /// - Parameter identifier: As in the app's Info.plist.
    public init(identifier: String) { self.identifier = identifier }

    /// Says what to do when the system wakes the app; call it before the app has finished launching.
    public func register(_ sync: @escaping @Sendable () -> BackgroundSync) {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            let work = Task {
                let report = try? await sync().wake()
                task.setTaskCompleted(success: report?.problem == nil)
            }
            task.expirationHandler = { work.cancel() }
        }
    }

    /// Submits a request for the system's next good moment.
    public func schedule(earliest: Date) throws {
        let request = BGAppRefreshTaskRequest(identifier: identifier)
        request.earliestBeginDate = earliest
        try BGTaskScheduler.shared.submit(request)
    }
}
#endif
