public import Foundation
public import Observation
public import Underway

/// The status line of a screen: the freshness of the content, pending changes and decisions.
public struct FreshnessScreen: Sendable, Hashable {
    /// The end of the last check for content in this process.
    public enum LastCheck: Sendable, Hashable {
        /// The content is the newest.
        case upToDate(Date)
        /// New content was installed.
        case installed(Date)
        /// The host did not reply.
        case offline
        /// The check failed.
        case failed
    }

    /// The age in days from which content counts as old.
    public static let daysUntilOld = 14

    /// The time of the screen.
    public var now: Date
    /// The freshness of the content; `nil` without any.
    public var content: ContentFreshness?
    /// True on a device with a server.
    public var canCheck: Bool
    /// True while a check is under way.
    public var isChecking: Bool
    /// The progress of the download under way; `nil` without one, and while its size is unknown.
    public var download: SyncProgress?
    /// The end of the last check; `nil` before one.
    public var lastCheck: LastCheck?
    /// The number of changes and answers that were not sent.
    public var unsentCount: Int
    /// True when the last attempt to send them failed.
    public var isSendingFailed = false
    /// The number of changes that the server rejected.
    public var rejectedCount: Int
    /// The number of conflicts that the learner must resolve.
    public var conflictCount: Int
    /// True when the learner must sign in again before any data is sent.
    public var needsSignIn: Bool

    /// True when the account was joined with another one, to which the learner must sign in.
    public var isAccountMoved = false

    /// The number of pending decisions of the learner: the badge of the inbox.
    public var waitingCount: Int { conflictCount + rejectedCount }

    /// True for content that was downloaded long ago, and without any content.
    public var isOld: Bool {
        guard let content else { return true }
        guard content.source == .downloaded else { return false }
        return content.age(now: now) > Double(Self.daysUntilOld) * 86_400
    }
}

/// The model of the status line.
@MainActor @Observable
public final class FreshnessModel {
    /// The line; `nil` before the first ``load()``.
    public private(set) var screen: FreshnessScreen?
    @ObservationIgnored private let services: StudyServices

    /// Creates the model.
    public init(_ services: StudyServices) { self.services = services }

    /// Loads the line.
    public func load() async { screen = await FreshnessScreen(services) }

    /// Checks the host for new content, sends pending changes, and reloads the line.
    public func checkNow() async {
        screen?.isChecking = true
        await services.sync?.syncNow()
        await load()
    }
}

extension FreshnessScreen {
    /// Loads the line of a device; unreadable parts are omitted, since the screen below it reports them.
    ///
    /// - Parameters:
    ///   - services: The device.
    ///   - isStarting: True when a check was started that may not run yet.
    public init(_ services: StudyServices, isStarting: Bool = false) async {
        let content = try? await services.content.perform { try $0.freshness() }
        let status = try? await services.userData.perform { try $0.status() }
        var rejectedCount = status?.rejectedCount ?? 0
        if rejectedCount > 0,
            let rejected = try? await services.userData.perform({ try $0.rejected() })
        {
            // The inbox lists the learner's own, and the number leads there.
            rejectedCount = rejected.count { $0.operation.key.isUsersOwn }
        }
        let check = services.sync?.contentStatus
        self.init(
            now: services.clock(), content: content ?? nil, canCheck: check != nil,
            isChecking: check.map { isStarting || $0.isRunning } ?? false,
            download: check.flatMap {
                $0.isRunning && $0.progress.fractionDone != nil ? $0.progress : nil
            },
            lastCheck: check.flatMap { LastCheck($0) }, unsentCount: status?.waitingCount ?? 0,
            isSendingFailed: status?.lastTry?.problem != nil,
            rejectedCount: rejectedCount, conflictCount: status?.conflictCount ?? 0,
            needsSignIn: status?.needsSignIn ?? false,
            isAccountMoved: status?.isAccountMoved ?? false)
    }
}

extension FreshnessScreen.LastCheck {
    /// Reads the state of a sync; `nil` before its first end, and for one that was not due.
    init?(_ status: SyncStatus<SyncReport>) {
        switch status.lastReport?.outcome {
        case .failed(let error)? where error.code == .offline: self = .offline
        case .failed?: self = .failed
        case .installed?:
            guard let end = status.lastEnd else { return nil }
            self = .installed(end)
        case .upToDate?, .repaired?:
            guard let end = status.lastEnd else { return nil }
            self = .upToDate(end)
        default: return nil
        }
    }
}
