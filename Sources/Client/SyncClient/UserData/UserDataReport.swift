public import Foundation

/// How a sync of user data ended, and what it moved.
public struct UserDataReport: Sendable, Hashable {
    /// What was in the way; `nil` when both sides have the same.
    public var problem: String?
    /// True when the task that asked was cancelled; the next call may ask at once.
    public var isCancelled = false
    /// True when the user has to sign in again.
    public var needsSignIn = false
    /// True when the account was deleted; `Account.startOver` takes its data to a new one, and
    /// `UserStore.export` writes it to a file.
    public var isAccountGone = false
    /// True when this device's disk was in the way.
    public var couldNotSave = false
    /// True when the server keeps no user data.
    public var serverHasNoUserData = false
    /// Conflicts that wait for the user.
    public var conflictCount = 0
    /// Changes that the server refused, and that wait for the user.
    public var refusedCount = 0
    /// When to try again; `nil` when there is nothing to wait for.
    public var retryAt: Date?
    /// Requests sent.
    public var requests = 0
    /// Bytes of bodies sent, as they crossed the network.
    public var sentBytes = 0
    /// Bytes of bodies received, unpacked.
    public var receivedBytes = 0
    /// Changes and answers that the server took in.
    public var pushed = 0
    /// Records and answers that came from the server.
    public var pulled = 0

    /// Nothing moved yet.
    public init() {}

    static let cancelled = {
        var report = UserDataReport()
        report.problem = "cancelled"
        report.isCancelled = true
        return report
    }()
}
