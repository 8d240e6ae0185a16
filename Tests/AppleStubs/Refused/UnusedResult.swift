// Refused: result of call to 'register' is unused
import SyncClient

/// An identifier that the app's Info.plist lacks would go unnoticed.
func register(_ sync: BackgroundSync) {
    AppRefreshScheduler(identifier: "sync").register { sync }
}
