import Foundation
import GRDB

/// The suspension of all stores of this process: they have no locks while the system suspends the app.
///
/// iOS terminates an app that is suspended while it has a lock on a file in an app group's container
/// (`0xdead10cc`). Such an app calls ``begin()`` when it is about to be suspended, and ``end()`` when it
/// runs again:
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
    /// Interrupts transactions in progress, and refuses writes from now on.
    ///
    /// A write throws ``StoreError`` `storage` meanwhile and has no effect; earlier commits are safe.
    public static func begin() {
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Lets stores write again.
    public static func end() {
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}
