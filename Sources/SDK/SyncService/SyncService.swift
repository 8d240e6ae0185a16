#if ServiceLifecycle
public import Foundation
public import ServiceLifecycle
public import SyncClient
import Synchronization

/// The scheduler of a `BackgroundSync` in a long-running program, until its graceful shutdown.
///
/// Its module requires the package's trait `ServiceLifecycle`.
///
/// ```swift
/// import Logging
/// import ServiceLifecycle
/// import SyncService
///
/// let scheduler = ServiceScheduler()
/// scheduler.use(BackgroundSync(userData: userDataSync, scheduler: scheduler))
/// let logger = Logger(label: "sync")
/// try await ServiceGroup(services: [scheduler], logger: logger).run()
/// ```
public final class ServiceScheduler: BackgroundScheduler, Service {
    private struct State {
        var earliest: Date
        var sync: BackgroundSync?
    }

    private let state: Mutex<State>
    private let changes = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let clock: @Sendable () -> Date

    /// Creates a scheduler that waits for a sync.
    ///
    /// - Parameters:
    ///   - start: The time of the first run.
    ///   - clock: The wall clock.
    public init(start: Date = Date(), clock: @escaping @Sendable () -> Date = { Date() }) {
        state = Mutex(State(earliest: start))
        self.clock = clock
    }

    /// Sets the sync; until then, the service only waits.
    public func use(_ sync: BackgroundSync) {
        state.withLock { $0.sync = sync }
        changes.continuation.yield()
    }

    /// Replaces the time of the next run.
    public func schedule(earliest: Date) {
        state.withLock { $0.earliest = earliest }
        changes.continuation.yield()
    }

    /// Runs until the graceful shutdown, which ends a sync at a point from which the next one resumes.
    public func run() async {
        await cancelWhenGracefulShutdown { await self.loop() }
    }

    private func loop() async {
        let signals = changes.continuation
        signals.yield()
        var wakesAt = Date.distantPast
        await withTaskGroup(of: Void.self) { group in
            for await _ in changes.stream {
                let (earliest, sync) = state.withLock { ($0.earliest, $0.sync) }
                guard let sync else { continue }
                let now = clock()
                // A clock that jumps is read again within a minute.
                let wait = min(earliest.timeIntervalSince(now), 60)
                if wait <= 0 {
                    await sync.wake()
                } else if wakesAt <= now || wakesAt > now + wait {
                    wakesAt = now + wait
                    group.addTask {
                        // Cancelled at the shutdown.
                        try? await Task.sleep(for: .seconds(wait))
                        signals.yield()
                    }
                }
            }
            group.cancelAll()
        }
    }
}
#endif
