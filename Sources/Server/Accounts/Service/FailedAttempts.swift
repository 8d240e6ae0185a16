import Synchronization

/// A counter of failures by name over a sliding minute, in bounded memory.
///
/// An attempt counts as failed from its beginning, so that many at once do not slip through, and no
/// longer once it succeeded.
final class FailedAttempts: Sendable {
    private struct State {
        var window: Int64 = 0
        var current: [String: Int] = [:]
        var former: [String: Int] = [:]
    }

    /// The names that a window remembers; beyond it a new window begins early.
    private static let namesMax = 50_000

    private let rule: AttemptRule
    private let state = Mutex(State())

    /// - Parameters:
    ///   - countMax: The most failures in a window.
    ///   - windowSeconds: The length of the window.
    init(_ countMax: Int, windowSeconds: Int64 = 60) {
        rule = AttemptRule(countMax: countMax, windowMilliseconds: windowSeconds * 1000)
    }

    /// Begins an attempt.
    ///
    /// - Parameters:
    ///   - name: The name that it counts against.
    ///   - now: In milliseconds since 1970; it may jump.
    /// - Returns: `nil` when it is allowed; else the seconds to wait.
    func begin(_ name: String, now: Int64) -> Int? {
        state.withLock { state in
            advance(&state, to: now)
            var counts = AttemptCounts(window: state.window)
            counts.current = state.current[name, default: 0]
            counts.former = state.former[name, default: 0]
            if let seconds = rule.wait(counts, now: now) { return seconds }
            state.current[name, default: 0] += 1
            return nil
        }
    }

    /// Withdraws an attempt that succeeded.
    func succeeded(_ name: String) {
        state.withLock { state in
            guard let count = state.current[name] else { return }
            state.current[name] = count > 1 ? count - 1 : nil
        }
    }

    private func advance(_ state: inout State, to now: Int64) {
        let window = rule.window(at: now)
        if window != state.window {
            state.former = window == state.window + 1 ? state.current : [:]
            state.current = [:]
            state.window = window
        } else if state.current.count >= Self.namesMax {
            state.former = state.current
            state.current = [:]
        }
    }
}
