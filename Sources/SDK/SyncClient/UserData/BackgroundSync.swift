public import Foundation
import Logging
import RemoteAssets

/// A scheduler that wakes the app, or the service, to sync in the background.
///
/// ```swift
/// struct NoScheduler: BackgroundScheduler {
///     func schedule(earliest: Date) throws { print("not before", earliest) }
/// }
/// try NoScheduler().schedule(earliest: Date())
/// ```
public protocol BackgroundScheduler: Sendable {
    /// Schedules one wake, not before a moment; a later call replaces an earlier one.
    ///
    /// - Throws: An error of the system if it does not allow background work.
    func schedule(earliest: Date) throws
}

/// The result of one wake.
///
/// ```swift
/// func problems(_ report: BackgroundReport) -> [String] {
///     [report.userData.problem, report.schedulingProblem].compactMap { $0 }
/// }
/// print(problems(BackgroundReport(userData: UserDataReport())))  // []
/// ```
public struct BackgroundReport: Sendable, Hashable {
    /// The result of the sync of user data.
    public var userData: UserDataReport
    /// The result of the sync of content; `nil` when there is none, or the time ended before it ran.
    public var content: SyncReport?
    /// The reason why the next wake could not be scheduled; `nil` when it was.
    ///
    /// The sync itself is not affected. Schedule again when the app next enters the foreground.
    public var schedulingError: SyncError?
    /// True when the system ended the wake before all syncs had ended.
    public var wasCancelled: Bool

    /// Creates the result of a wake.
    public init(
        userData: UserDataReport, content: SyncReport? = nil, schedulingError: SyncError? = nil,
        wasCancelled: Bool = false
    ) {
        self.userData = userData
        self.content = content
        self.schedulingError = schedulingError
        self.wasCancelled = wasCancelled
    }

    /// The message of ``schedulingError``.
    public var schedulingProblem: String? { schedulingError?.message }

    /// True when everything was synced.
    public var isSuccess: Bool {
        if case .failed = content?.outcome { return false }
        return userData.error == nil && !wasCancelled
    }
}

/// A sync of user data and content at each wake, which schedules the next one.
///
/// ```swift
/// struct NoScheduler: BackgroundScheduler {
///     func schedule(earliest: Date) throws {}
/// }
/// let folder = URL.temporaryDirectory.appending(path: "cards")
/// let userData = try UserStore(folder: folder)
/// let server = try URL(address: "https://host.example")
/// let transport = HTTPTransport()
/// let account = Account(
///     store: userData, secrets: try FileSecretStore(folder: folder.appending(path: "secrets")),
///     transport: transport, serverURL: server)
/// let background = BackgroundSync(
///     userData: UserDataSync(
///         store: userData, account: account, transport: transport, serverURL: server),
///     scheduler: NoScheduler())
/// try background.schedule()
/// print(await background.wake().isSuccess)
/// ```
public struct BackgroundSync: Sendable {
    /// The minimum interval between two runs, in seconds, as systems allow it.
    public static let intervalMin: TimeInterval = 15 * 60
    /// The maximum interval between two runs, in seconds, even if a server requests a longer one.
    public static let intervalMax: TimeInterval = 24 * 60 * 60

    private let userData: UserDataSync
    private let content: ContentSync?
    private let scheduler: any BackgroundScheduler
    private let clock: @Sendable () -> Date
    private let logger = SDKLogger.make(.background)

    /// Creates a background sync of user data and content with a scheduler.
    ///
    /// - Parameters:
    ///   - userData: The sync of user data, which runs first: the user's changes must leave the device.
    ///   - content: The sync of content, which follows when it is due.
    ///   - scheduler: The scheduler of the next wake.
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
    /// Call it after setup and whenever the app leaves the foreground: the system wakes only an app that requested it,
    /// and a system that refused may allow it now.
    /// - Throws: An error of the scheduler.
    public func schedule() throws { try scheduler.schedule(earliest: next(nil)) }

    /// Syncs once, whether or not the next wake can be scheduled.
    ///
    /// It schedules the next wake first, so that a killed run has a successor, and joins a sync under way. When the
    /// system cancels the task at the end of its time, all data remains on the device, and the next run resumes.
    /// - Returns: The results; never throws.
    @discardableResult
    public func wake() async -> BackgroundReport {
        _ = scheduleNext(nil)
        var report = BackgroundReport(userData: await userData.sync())
        if !Task.isCancelled { report.content = await content?.sync() }
        report.wasCancelled = Task.isCancelled
        report.schedulingError = scheduleNext(report.userData.retryAt)
        return report
    }

    /// Schedules the next wake.
    ///
    /// - Returns: The reason if the scheduler refused.
    private func scheduleNext(_ retryAt: Date?) -> SyncError? {
        do {
            try scheduler.schedule(earliest: next(retryAt))
            return nil
        } catch {
            logger.debug("no next wake", metadata: ["reason": "\(error)"])
            return SyncError(
                .notScheduled,
                "The next wake cannot be scheduled: \(error). Allow background refresh, and open the app"
                    + " to schedule it.", cause: error)
        }
    }

    /// Returns the time of the next run: after the interval, or at the retry of a failure, if that is later.
    func next(_ retryAt: Date?) -> Date {
        let now = clock()
        let earliest = now + Self.intervalMin
        return min(max(earliest, retryAt ?? earliest), now + Self.intervalMax)
    }
}
