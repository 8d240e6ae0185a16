import Foundation
import GRDB

/// The suspension of all stores of this process, which releases their locks while the system suspends the app.
///
/// iOS terminates a suspended app that has a lock on a file in an app group's container (`0xdead10cc`). Such an app
/// calls ``begin()`` just before it is suspended, and ``end()`` when it runs again:
///
/// ```swift
/// func phaseChanged(isInBackground: Bool) {
///     if isInBackground { StoreSuspension.begin() } else { StoreSuspension.end() }
/// }
/// phaseChanged(isInBackground: false)
/// ```
///
/// A background task calls ``end()`` at its start and ``begin()`` at its end.
public enum StoreSuspension {
    /// Interrupts transactions in progress, and rejects writes until ``end()``.
    ///
    /// Until then, a write throws ``StoreError`` `storage` and has no effect; earlier commits are safe.
    public static func begin() {
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Allows stores to write again.
    public static func end() {
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}
