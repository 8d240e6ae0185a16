// Refused: risks causing data races
import BackgroundTasks
import SyncClient

/// The system's task goes to another task of Swift without a guard.
func register(_ sync: @escaping @Sendable () -> BackgroundSync) {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: "sync", using: nil) { task in
        let work = Task {
            let report = await sync().wake()
            task.setTaskCompleted(success: report.isSuccess)
        }
        task.expirationHandler = { work.cancel() }
    }
}
