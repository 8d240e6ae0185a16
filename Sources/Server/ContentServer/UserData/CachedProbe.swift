/// A look at something that costs, whose result holds for some seconds: however many ask, one looks.
actor CachedProbe<Value: Sendable> {
    private let lifetime: Duration
    private let look: @Sendable () async -> Value
    private var last: (value: Value, until: ContinuousClock.Instant)?
    private var running: Task<Value, Never>?

    /// Creates a probe that has not looked yet.
    ///
    /// - Parameters:
    ///   - lifetime: The time for which a result holds.
    ///   - look: The look.
    init(lifetime: Duration, _ look: @escaping @Sendable () async -> Value) {
        self.lifetime = lifetime
        self.look = look
    }

    /// Looks, waits for a look that began, or returns a recent result.
    func value(now: ContinuousClock.Instant = .now) async -> Value {
        if let last, last.until > now { return last.value }
        if let running { return await running.value }
        let task = Task { await look() }
        running = task
        let value = await task.value
        running = nil
        last = (value, now.advanced(by: lifetime))
        return value
    }
}
