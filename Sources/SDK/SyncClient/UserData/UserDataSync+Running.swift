package import Foundation
import OfflineStorage
import RemoteAssets
package import UserData

extension UserDataSync {
    /// A signal for a running sync to check the machine.
    package enum Signal: Sendable {
        /// The app changed something, and the machine may want to send it.
        case changed
        /// The time of a sleeper has come.
        case woken
        /// The app or a schedule requests a poll.
        case wanted
    }

    /// The minimum interval between two polls of a `run`; a shorter one is raised to it.
    public static let pullIntervalMin = Duration.seconds(10)
    /// The maximum interval between two polls of a `run`; a longer one is reduced to it.
    public static let pullIntervalMax = Duration.seconds(30 * 24 * 60 * 60)

    /// Requests a poll from the `run` under way, for example when a screen appears.
    public nonisolated func requestSync() { syncRequests.continuation.yield() }

    /// Sends each change as it is made, polls the server at intervals, and retries after failures, until the task is
    /// cancelled.
    ///
    /// The store's machine alone decides the time of a retry.
    /// - Parameter pullInterval: The interval between two polls, from ``pullIntervalMin`` to ``pullIntervalMax``.
    public func run(pullInterval: Duration = .seconds(15 * 60)) async {
        // A signal that does not fit is covered by those that are buffered.
        let (signals, continuation) = AsyncStream.makeStream(
            of: Signal.self, bufferingPolicy: .bufferingOldest(16))
        let appEffects = store.appEffects()
        let requested = syncRequests.stream
        begin(pullInterval: pullInterval)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await effects in appEffects {
                    if let signal = Signal(effects) { continuation.yield(signal) }
                }
            }
            group.addTask { for await _ in requested { continuation.yield(.wanted) } }
            continuation.yield(.wanted)
            for await signal in signals {
                guard let wait = await follow(signal) else { continue }
                group.addTask {
                    // Cancelled at the end of the run.
                    try? await Task.sleep(for: .seconds(wait))
                    continuation.yield(.woken)
                }
            }
            group.cancelAll()
        }
        end()
    }

    /// Begins a run; the machine remains started from now on.
    package func begin(pullInterval: Duration) {
        runCount += 1
        timing = RunTiming(pullInterval: pullInterval.seconds)
    }

    /// Ends a run; the machine stops when it was the last and nothing is exchanged.
    package func end() {
        runCount -= 1
        // A store that cannot be written reports its own errors.
        if runCount == 0, !isExchanging { _ = try? handle(.stopped) }
    }

    /// Performs the machine's requests after a signal.
    ///
    /// - Returns: The seconds to sleep before `woken`; `nil` when an earlier sleeper suffices.
    package func follow(_ signal: Signal) async -> TimeInterval? {
        if await exchange(after: signal) != nil { timing.polled(now: clock()) }
        let nextPoll = store.nextTry ?? timing.nextPoll
        if status.nextPoll != nextPoll { statusValue.update { $0.nextPoll = nextPoll } }
        return timing.sleep(retryAt: store.nextTry, now: clock())
    }

    private func exchange(after signal: Signal) async -> UserDataReport? {
        // A store that cannot be written is reported by the sync.
        guard let isPreparing = try? needsPreparation(signal) else { return await sync() }
        if isPreparing { return await sync() }
        guard store.requestInFlight != nil else { return nil }
        return await runs.value(anew: true) { await self.exchangeOnce(preparing: false) }
    }

    private func needsPreparation(_ signal: Signal) throws -> Bool {
        switch signal {
        case .changed: return false
        case .wanted: return try handle(.syncWanted).contains(.prepare)
        case .woken:
            let effects = try handle(.timeCame)
            guard effects.isEmpty, store.nextTry == nil, timing.isPullDue(now: clock()) else {
                return effects.contains(.prepare)
            }
            return try handle(.syncWanted).contains(.prepare)
        }
    }
}

extension UserDataSync.Signal {
    /// Converts the effects of an app's write; `nil` when there is nothing to do now.
    ///
    /// An empty list means a sign-in or sign-out.
    package init?(_ effects: [DeviceMachine.Effect]) {
        guard !effects.isEmpty else {
            self = .wanted
            return
        }
        guard effects.request != nil else { return nil }
        self = .changed
    }
}
