import Foundation
import GRDB

/// Releases the locks of all stores of this process while the system suspends the app.
///
/// iOS ends an app that is suspended while it holds a lock on a file in an app group's container
/// (`0xdead10cc`). Such an app calls ``begin()`` when it is about to be suspended, and ``end()`` when it
/// runs again:
///
/// ```swift apple
/// .onChange(of: phase) { _, phase in
///     if phase == .background { StoreSuspension.begin() } else { StoreSuspension.end() }
/// }
/// ```
///
/// A background task calls ``end()`` at its start and ``begin()`` at its end.
public enum StoreSuspension {
    /// Interrupts transactions under way, and refuses writes from now on.
    ///
    /// A write throws meanwhile and has no effect; what was written before is safe.
    public static func begin() {
        NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    }

    /// Lets stores write again.
    public static func end() {
        NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    }
}
