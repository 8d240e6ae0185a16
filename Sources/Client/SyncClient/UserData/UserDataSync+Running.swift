package import Foundation
import OfflineStorage
import RemoteAssets
package import UserData

extension UserDataSync {
    /// A reason for a running sync to look at the machine.
    package enum Signal: Sendable {
        /// The app changed something, and the machine may want to send it.
        case changed
        /// A time came that was waited for.
        case woken
        /// Somebody asks for news.
        case wanted
    }

    /// Asks the running `run` to look for news now, as when a screen appears.
    public nonisolated func wantSync() { wishes.continuation.yield() }

    /// Sends each change as it is made, looks for news now and then, and tries again after failures,
    /// until it is cancelled.
    ///
    /// When to try again is decided by the store's machine alone.
    /// - Parameter pullInterval: How long to wait between two looks for news.
    public func run(pullInterval: Duration = .seconds(15 * 60)) async {
        // What does not fit follows signals that are still to be looked at.
        let (signals, continuation) = AsyncStream.makeStream(
            of: Signal.self, bufferingPolicy: .bufferingOldest(16))
        let appEffects = store.appEffects()
        let wanted = wishes.stream
        begin(pullInterval: pullInterval)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await effects in appEffects {
                    if let signal = Signal(effects) { continuation.yield(signal) }
                }
            }
            group.addTask { for await _ in wanted { continuation.yield(.wanted) } }
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

    /// Begins a run: from now on the machine stays started.
    package func begin(pullInterval: Duration) {
        runCount += 1
        timing = RunTiming(pullInterval: pullInterval.seconds)
    }

    /// Ends a run; the machine stops when it was the last and nothing is exchanged.
    package func end() {
        runCount -= 1
        // A store that cannot be written says so by its own errors.
        if runCount == 0, !isExchanging { _ = try? take(.stopped) }
    }

    /// Carries out what the machine wants after a signal.
    ///
    /// - Returns: The seconds to sleep before `woken`; `nil` when somebody sleeps early enough.
    package func follow(_ signal: Signal) async -> TimeInterval? {
        if await exchange(after: signal) != nil { timing.looked(now: clock()) }
        return timing.sleep(retryAt: store.nextTry, now: clock())
    }

    private func exchange(after signal: Signal) async -> UserDataReport? {
        // A store that takes nothing says so in the report of a sync.
        guard let isPreparing = try? needsPreparation(signal) else { return await sync() }
        if isPreparing { return await sync() }
        guard store.requestInFlight != nil else { return nil }
        return await runs.value(anew: true) { await self.exchangeOnce(preparing: false) }
    }

    private func needsPreparation(_ signal: Signal) throws -> Bool {
        switch signal {
        case .changed: return false
        case .wanted: return try take(.syncWanted).contains(.prepare)
        case .woken:
            let effects = try take(.timeCame)
            guard effects.isEmpty, store.nextTry == nil, timing.isPullDue(now: clock()) else {
                return effects.contains(.prepare)
            }
            return try take(.syncWanted).contains(.prepare)
        }
    }
}

extension UserDataSync.Signal {
    /// The signal of the effects of what an app did; `nil` when nothing is to be done now.
    ///
    /// An empty list says that somebody signed in or out.
    package init?(_ effects: [DeviceMachine.Effect]) {
        guard !effects.isEmpty else {
            self = .wanted
            return
        }
        guard effects.request != nil else { return nil }
        self = .changed
    }
}
