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
    /// The reason why the two sides may differ, to translate by its code; `nil` when they are equal.
    public var error: ServiceError?
    /// True when the calling task was cancelled; the next call may follow at once.
    public var isCancelled = false
    /// True when the user has to sign in again.
    public var needsSignIn = false
    /// True when the account was deleted; `Account.startOver` takes its data to a new one, and
    /// `UserStore.export` writes it to a file.
    public var isAccountGone = false
    /// True when the account was joined with another one: the user signs in to that one, and what waits here is
    /// settled there.
    public var isAccountMoved = false
    /// True when this device's disk failed.
    public var couldNotSave = false
    /// True when the server stores no user data.
    public var serverHasNoUserData = false
    /// The conflicts that wait for the user.
    public var conflictCount = 0
    /// The changes that the server refused, and that wait for the user.
    public var rejectedCount = 0
    /// The time of the next retry; `nil` when none is planned.
    public var retryAt: Date?
    /// The requests sent.
    public var requests = 0
    /// The bytes of bodies sent, as they crossed the network.
    public var sentBytes = 0
    /// The bytes of bodies received, decompressed.
    public var receivedBytes = 0
    /// The changes and answers that the server acknowledged.
    public var pushed = 0
    /// The records and answers that came from the server.
    public var pulled = 0

    /// The text of ``error`` in English; one word, `offline`, where there simply is no network.
    public var problem: String? { error?.summary }

    /// Makes a report of nothing.
    public init() {}

    static let cancelled = {
        var report = UserDataReport()
        report.error = ServiceError(
            .cancelled, "The sync was cancelled. Sync again; nothing is lost.")
        report.isCancelled = true
        return report
    }()
}
