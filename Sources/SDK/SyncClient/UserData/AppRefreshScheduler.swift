#if canImport(BackgroundTasks) && (os(iOS) || os(tvOS) || os(visionOS))
import BackgroundTasks
public import Foundation

/// The scheduler of Background App Refresh.
///
/// It was compiled against declarations written from the documentation of `BGTaskScheduler`, never by Apple's own
/// compiler. The identifier must be in `BGTaskSchedulerPermittedIdentifiers` of the app's Info.plist. A SwiftUI app
/// uses `.backgroundTask(.appRefresh(identifier))` instead of ``register(_:)``.
///
/// ```swift
/// #if os(iOS)
/// let scheduler = AppRefreshScheduler(identifier: "org.example.quiz.refresh")
/// try scheduler.schedule(earliest: Date(timeIntervalSinceNow: 3600))
/// #endif
/// ```
public struct AppRefreshScheduler: BackgroundScheduler {
    private let identifier: String

    /// Creates a scheduler of one task.
    ///
    /// - Parameter identifier: The identifier in the app's Info.plist.
    public init(identifier: String) { self.identifier = identifier }

    /// Registers the function that runs when the system wakes the app.
    ///
    /// Call it once, before the app has finished launching.
    /// - Parameter sync: Returns the sync to run when the system wakes the app.
    /// - Returns: False when the app's Info.plist lacks the identifier.
    public func register(_ sync: @escaping @Sendable () -> BackgroundSync) -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
            // The system's class is not Sendable. Only its completion goes to another task, is
            // called once, and nothing else uses the object after this closure.
            nonisolated(unsafe) let task = task
            let run = BackgroundRun { task.setTaskCompleted(success: $0) }
            task.expirationHandler = { run.expire() }
            run.start { await sync().wake().isSuccess }
        }
    }

    /// Submits a request to wake the app, not before a moment.
    public func schedule(earliest: Date) throws {
        let request = BGAppRefreshTaskRequest(identifier: identifier)
        request.earliestBeginDate = earliest
        try BGTaskScheduler.shared.submit(request)
    }
}
#endif
