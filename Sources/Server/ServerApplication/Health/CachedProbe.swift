import Synchronization

/// A look at something that costs, whose result holds for some seconds: however many ask, one looks, and nobody
/// waits long.
actor CachedProbe<Value: Sendable> {
    private let lifetime: Duration
    private let patience: Duration
    private let overdue: Value
    private let look: @Sendable () async -> Value
    private var last: (value: Value, until: ContinuousClock.Instant)?
    private var running: Task<Value, Never>?

    /// Creates a probe without a result.
    ///
    /// - Parameters:
    ///   - lifetime: The time for which a result is valid.
    ///   - patience: The time limit of a probe; it continues afterwards, and no second one begins while it runs.
    ///   - overdue: The result of a probe that takes longer.
    ///   - look: The probe.
    init(
        lifetime: Duration, patience: Duration, overdue: Value,
        _ look: @escaping @Sendable () async -> Value
    ) {
        self.lifetime = lifetime
        self.patience = patience
        self.overdue = overdue
        self.look = look
    }

    /// Looks, waits for a look that began, or returns a recent result.
    func value(now: ContinuousClock.Instant = .now) async -> Value {
        if let last, last.until > now { return last.value }
        let task = running ?? Task { await look() }
        running = task
        guard let value = await first(of: task) else {
            last = (overdue, now.advanced(by: lifetime))
            return overdue
        }
        if running == task { running = nil }
        last = (value, now.advanced(by: lifetime))
        return value
    }

    /// Returns the value of a task; `nil` when it is overdue.
    private func first(of task: Task<Value, Never>) async -> Value? {
        let isAnswered = Mutex(false)
        return await withCheckedContinuation { continuation in
            let answer = { @Sendable (value: Value?) in
                let isFirst = isAnswered.withLock { known in
                    defer { known = true }
                    return !known
                }
                if isFirst { continuation.resume(returning: value) }
            }
            Task { answer(await task.value) }
            Task { [patience] in
                // Nobody cancels it.
                try? await Task.sleep(for: patience)
                answer(nil)
            }
        }
    }
}
