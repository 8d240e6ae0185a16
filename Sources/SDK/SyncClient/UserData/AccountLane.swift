import OfflineStorage
import RemoteAssets
import Synchronization

/// The queue of steps that change the user of a store: sign-in, sign-up, move, sign-out and deletion.
///
/// All values of ``Account`` on one store share it within a process; the store detects other processes.
final class AccountLane: Sendable {
    /// The steps; a sync never waits here while it sends or receives.
    let steps = StepQueue()
    /// The renewals of tokens: a token is presented once.
    let renewals = StepQueue()
    /// The request for an account, for which all callers wait together.
    let ensuring = SharedRun<Result<String, any Error>>()
    /// The requests that revoke the tokens of sign-outs.
    let revoking = SharedRun<Void>()

    private init() {}

    private struct Weak {
        weak var lane: AccountLane?
    }

    private static let lanes = Mutex<[String: Weak]>([:])

    /// Returns the lane of a store, which exists as long as it is used.
    static func of(_ store: UserStore) -> AccountLane {
        let place = store.place ?? "\(ObjectIdentifier(store))"
        return lanes.withLock { lanes in
            if let lane = lanes[place]?.lane { return lane }
            lanes = lanes.filter { $0.value.lane != nil }
            let lane = AccountLane()
            lanes[place] = Weak(lane: lane)
            return lane
        }
    }
}

/// A queue of asynchronous steps, in the order of their calls.
final class StepQueue: Sendable {
    private struct Waiter {
        var id: Int
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var isBusy = false
        var waiters: [Waiter] = []
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Performs a step after those before it have ended.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits; an error of the step.
    func run<Value: Sendable>(
        _ step: @Sendable () async throws -> Value
    ) async throws -> Value {
        guard await enter() else { throw CancellationError() }
        defer { leave() }
        return try await step()
    }

    private func enter() async -> Bool {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let entered: Bool? = state.withLock { state in
                    // The handler of a task that was cancelled before finds nobody.
                    if Task.isCancelled { return false }
                    guard state.isBusy else {
                        state.isBusy = true
                        return true
                    }
                    state.waiters.append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let entered { continuation.resume(returning: entered) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(returning: false)
        }
    }

    private func leave() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiters.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.waiters.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}
