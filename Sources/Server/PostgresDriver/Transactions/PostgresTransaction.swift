/// An open transaction.
///
/// BEGIN is sent with the first statements, and COMMIT with the last ones: a transaction that reads once and writes
/// once takes two round trips.
///
/// ```swift
/// try await pool.transaction { transaction in
///     let rows = try transaction.query("SELECT position FROM account WHERE number = \(7) FOR UPDATE")
///     let position = try rows[0].value("position", as: Int.self)
///     try transaction.commit(after: [
///         "UPDATE account SET position = \(position + 1) WHERE number = \(7)"
///     ])
/// }
/// ```
public final class PostgresTransaction {
    private enum State {
        case unsent
        case open
        case ended
    }

    private let connection: PostgresConnection
    private let options: TransactionOptions
    private var state = State.unsent
    private var savepoints = 0

    init(_ connection: PostgresConnection, _ options: TransactionOptions) {
        self.connection = connection
        self.options = options
    }

    /// Executes one statement.
    ///
    /// - Throws: `PostgresError`, after which only a rollback to a savepoint rescues the transaction;
    ///   `CancellationError`.
    @discardableResult
    public func query(_ statement: PostgresStatement) throws -> PostgresResult {
        guard let result = try pipeline([statement]).first else {
            throw PostgresError(.protocolViolation, .executing)
        }
        return result
    }

    /// Executes statements in order, in one round trip.
    ///
    /// - Throws: `PostgresError` of the first failed statement, with its `statementIndex`; `CancellationError`.
    @discardableResult
    public func pipeline(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
        precondition(state != .ended, "The transaction was committed.")
        try connection.checkCancellation()
        return try run(statements, .executing)
    }

    /// Executes statements and commits, in one round trip; the closure of the transaction may only return afterwards.
    ///
    /// - Throws: `PostgresError`: nothing was committed, unless `isOutcomeUnknown`; `CancellationError`.
    @discardableResult
    public func commit(after statements: [PostgresStatement] = []) throws -> [PostgresResult] {
        precondition(state != .ended, "The transaction was committed.")
        try connection.checkCancellation()
        var results = try run(statements + ["COMMIT"], .committing)
        state = .ended
        // The server replies to COMMIT of a failed transaction with success, and rolls back.
        guard results.removeLast().commandTag == "COMMIT" else {
            throw PostgresError(.transactionFailed, .executing)
        }
        return results
    }

    /// Runs a part of the transaction, which is rolled back alone if it throws.
    ///
    /// - Throws: The error of `body`; the transaction continues.
    @discardableResult
    public func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        savepoints += 1
        let name = PostgresStatement(sql: "underway_\(savepoints)").sql
        defer { savepoints -= 1 }
        try query("SAVEPOINT \(sql: name)")
        do {
            let value = try body()
            try query("RELEASE SAVEPOINT \(sql: name)")
            return value
        } catch {
            _ = try run(
                ["ROLLBACK TO SAVEPOINT \(sql: name)", "RELEASE SAVEPOINT \(sql: name)"], .executing
            )
            throw error
        }
    }

    /// Executes a script, such as a migration; see ``PostgresConnection/execute(script:)``.
    public func execute(script: String) throws {
        if state == .unsent { try pipeline([]) }
        try connection.execute(script: script)
    }

    /// Calls `body` with each row of a statement; see ``PostgresConnection/forEachRow(of:_:)``.
    @discardableResult
    public func forEachRow(
        of statement: PostgresStatement, _ body: (PostgresRow) throws -> Void
    ) throws -> Int {
        if state == .unsent { try pipeline([]) }
        return try connection.forEachRow(of: statement, body)
    }

    /// Copies rows in; see ``PostgresConnection/copyIn(_:_:)``.
    @discardableResult
    public func copyIn(
        _ statement: PostgresStatement, _ body: (PostgresCopyWriter) throws -> Void
    ) throws -> Int {
        if state == .unsent { try pipeline([]) }
        return try connection.copyIn(statement, body)
    }

    /// Copies rows out; see ``PostgresConnection/copyOut(_:_:)``.
    @discardableResult
    public func copyOut(
        _ statement: PostgresStatement, _ body: ([UInt8]) throws -> Void
    ) throws -> Int {
        if state == .unsent { try pipeline([]) }
        return try connection.copyOut(statement, body)
    }

    /// Sends statements, after BEGIN if it was not sent yet.
    private func run(
        _ statements: [PostgresStatement], _ phase: PostgresError.Phase
    ) throws -> [PostgresResult] {
        let prefix = state == .unsent ? [options.begin] : []
        state = .open
        var results: [PostgresResult] = []
        for outcome in try connection.run(prefix + statements, phase) {
            switch outcome {
            case .result(let result): results.append(result)
            case .failure(var error):
                error.statementIndex = error.statementIndex.map { $0 - prefix.count }
                throw error
            case .skipped: throw PostgresError(.protocolViolation, phase)
            }
        }
        return Array(results.dropFirst(prefix.count))
    }

    /// Commits what the closure has not committed itself.
    func finish() throws {
        switch state {
        case .unsent: state = .ended
        case .open: try commit()
        case .ended: break
        }
    }

    /// Rolls back.
    ///
    /// A failure to do so shows in the state of the connection, which is closed then.
    func abandon() {
        guard state == .open, !connection.wire.isBroken, connection.isInTransaction else { return }
        state = .ended
        connection.wire.ignoresInterrupt = true
        // A transaction that stays open closes its connection.
        _ = try? connection.run(["ROLLBACK"], .executing)
    }
}

extension PostgresConnection {
    /// Runs a closure in a transaction, which commits when the closure returns and rolls back when it throws.
    ///
    /// - Throws: The error of `body`; `PostgresError`; `CancellationError`.
    @discardableResult
    public func transaction<Value>(
        _ options: TransactionOptions = TransactionOptions(),
        _ body: (PostgresTransaction) throws -> Value
    ) throws -> Value {
        let transaction = PostgresTransaction(self, options)
        do {
            let value = try body(transaction)
            try transaction.finish()
            return value
        } catch {
            transaction.abandon()
            throw error
        }
    }
}
