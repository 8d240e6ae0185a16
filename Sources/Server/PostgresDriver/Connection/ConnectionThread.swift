/// A connection and the thread on which alone it is used.
actor ConnectionThread {
    /// A check of a connection before it is used.
    enum Trial: Sendable {
        case none
        /// Checks whether the server has sent something; if so, queries it with this time limit.
        case look(Duration)
        /// Queries the server with this time limit.
        case question(Duration)
    }

    /// An end of a use.
    enum Outcome<Value: Sendable>: Sendable {
        /// The connection failed its check; nothing was done.
        case dead
        case finished(Result<Value, any Error>, isUsable: Bool)
    }

    nonisolated let interrupt = Interrupt()
    /// The time when the connection was opened.
    nonisolated let openedAt = ContinuousClock.now
    private let executor = QueueExecutor(label: "postgres connection")
    private var connection: PostgresConnection?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        unsafe executor.asUnownedSerialExecutor()
    }

    /// Connects.
    ///
    /// - Throws: `PostgresError` in phase `connecting`; `CancellationError`.
    nonisolated func open(
        _ address: PostgresAddress, replyTimeout: Duration, namesMax: Int
    ) async throws {
        try await interruptible {
            try await self.connect(address, replyTimeout: replyTimeout, namesMax: namesMax)
        }
    }

    /// Runs a closure with the connection; when the task is cancelled, its statement is cancelled.
    nonisolated func use<Value: Sendable>(
        trial: Trial = .none, unnamed: Bool = false,
        _ body: @Sendable (PostgresConnection) throws -> Value
    ) async -> Outcome<Value> {
        await interruptible { await self.run(trial: trial, unnamed: unnamed, body) }
    }

    /// Closes the connection.
    func close() { connection = nil }

    private func connect(
        _ address: PostgresAddress, replyTimeout: Duration, namesMax: Int
    ) throws {
        connection = PostgresConnection(
            try LibpqConnection.connect(
                address, interrupt: interrupt, replyTimeout: replyTimeout),
            namesMax: namesMax)
    }

    private func run<Value: Sendable>(
        trial: Trial, unnamed: Bool, _ body: @Sendable (PostgresConnection) throws -> Value
    ) -> Outcome<Value> {
        guard let connection, connection.passes(trial) else { return .dead }
        connection.wire.beginUse()
        connection.usesNames = !unnamed
        let result: Result<Value, any Error>
        do {
            result = .success(try body(connection))
        } catch let error as PostgresError where interrupt.isRequested && error.isOfCancellation {
            result = .failure(CancellationError())
        } catch {
            result = .failure(error)
        }
        return .finished(result, isUsable: connection.restore())
    }

    private nonisolated func interruptible<Value: Sendable>(
        _ body: () async throws -> Value
    ) async rethrows -> Value {
        let token = interrupt.begin()
        defer { interrupt.end() }
        return try await withTaskCancellationHandler(operation: body) {
            interrupt.request(token)
        }
    }
}

extension PostgresError {
    /// True for what a cancelled statement ends with.
    fileprivate var isOfCancellation: Bool {
        !isOutcomeUnknown && (code == .statementCancelled || code.meansConnectionLost)
    }
}

extension PostgresConnection {
    fileprivate func passes(_ trial: ConnectionThread.Trial) -> Bool {
        if wire.isBroken { return false }
        switch (trial, wire.arrival()) {
        case (.none, _), (.look, .nothing): return true
        case (_, .end): return false
        case (.look(let limit), .something), (.question(let limit), _):
            return answers(within: limit)
        }
    }

    private func answers(within limit: Duration) -> Bool {
        let usual = wire.replyTimeout
        wire.replyTimeout = limit
        defer { wire.replyTimeout = usual }
        return succeeds("SELECT 1")
    }

    /// Ends an open transaction, and confirms that a cancellation is over.
    ///
    /// - Returns: False when the connection must be closed.
    fileprivate func restore() -> Bool {
        guard !wire.isBroken else { return false }
        let wasCancelled = wire.isCancelled
        wire.endUse()
        return (!isInTransaction || succeeds("ROLLBACK")) && (!wasCancelled || succeeds("SELECT 1"))
    }

    private func succeeds(_ statement: PostgresStatement) -> Bool {
        // The connection is closed otherwise, which is all that a failure means here.
        guard let outcomes = try? run([statement], .executing), case .result? = outcomes.first
        else {
            return false
        }
        return true
    }
}
