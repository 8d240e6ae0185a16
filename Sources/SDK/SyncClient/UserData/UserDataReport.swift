public import Foundation

/// The result of a sync of user data, and the traffic that it caused.
///
/// ```swift
/// func banner(_ report: UserDataReport) -> String? {
///     if report.needsSignIn { return "Sign in again." }
///     if report.conflictCount > 0 { return "\(report.conflictCount) changes need a decision." }
///     return report.problem
/// }
/// print(banner(UserDataReport()) ?? "Everything is synced.")
/// ```
public struct UserDataReport: Sendable, Hashable {
    /// The reason why server and device may differ, to translate by its code; `nil` when they are equal.
    public var error: ServiceError?
    /// True when the calling task was cancelled; the next call may follow at once.
    public var isCancelled = false
    /// True when the user must sign in again.
    public var needsSignIn = false
    /// True when the account was deleted; `Account.startOver` moves its data to a new one, and `UserStore.export`
    /// writes it to a file.
    public var isAccountGone = false
    /// True when the account was joined with another one: the user signs in to that one, and pending changes are
    /// resolved there.
    public var isAccountMoved = false
    /// True when the device's disk failed.
    public var couldNotSave = false
    /// True when the server stores no user data.
    public var serverHasNoUserData = false
    /// The number of conflicts that await the user.
    public var conflictCount = 0
    /// The number of changes that the server rejected and that await the user.
    public var rejectedCount = 0
    /// The time of the next retry; `nil` when none is planned.
    public var retryAt: Date?
    /// The number of requests sent.
    public var requests = 0
    /// The bytes of bodies sent, as they crossed the network.
    public var sentBytes = 0
    /// The bytes of bodies received, decompressed.
    public var receivedBytes = 0
    /// The number of changes and answers that the server acknowledged.
    public var pushed = 0
    /// The number of records and answers received from the server.
    public var pulled = 0

    /// The text of ``error`` in English; the single word `offline` when there is no network.
    public var problem: String? { error?.summary }

    /// Creates an empty report.
    public init() {}

    static let cancelled = {
        var report = UserDataReport()
        report.error = ServiceError(
            .cancelled, "The sync was cancelled. Sync again; nothing is lost.")
        report.isCancelled = true
        return report
    }()
}
