import CLibpq

/// A connection in use; it belongs to the thread of the closure that received it, and each of its functions blocks that
/// thread until the server replies.
///
/// ```swift
/// let count = try await pool.use { connection in
///     try connection.query("SELECT count(*) AS n FROM account").first?.value("n", as: Int.self)
/// }
/// print(count ?? 0)
/// ```
public final class PostgresConnection {
    let wire: LibpqConnection
    var names: StatementNames
    /// True while prepared names are used.
    var usesNames = true
    /// The number of round trips: statements sent together, whose results were awaited.
    package internal(set) var roundTripCount = 0

    init(_ wire: LibpqConnection, namesMax: Int) {
        self.wire = wire
        names = StatementNames(max: namesMax)
    }

    /// Executes one statement.
    ///
    /// - Throws: `PostgresError`; `CancellationError` if the task was cancelled.
    @discardableResult
    public func query(_ statement: PostgresStatement) throws -> PostgresResult {
        guard let result = try pipeline([statement]).first else {
            throw PostgresError(.protocolViolation, .executing)
        }
        return result
    }

    /// Executes statements in order, in one round trip.
    ///
    /// Outside of a transaction they are one transaction.
    ///
    /// - Returns: The result of each statement.
    /// - Throws: `PostgresError` of the first statement that fails, with its `statementIndex`; later statements are
    ///   skipped. `CancellationError` if the task was cancelled.
    @discardableResult
    public func pipeline(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
        try outcomes(of: statements).map { outcome in
            switch outcome {
            case .result(let result): return result
            case .failure(let error): throw error
            // A failure precedes it in the list.
            case .skipped: throw PostgresError(.protocolViolation, .executing)
            }
        }
    }

    /// Executes statements in order, in one round trip, and returns the outcome of each.
    ///
    /// - Throws: `PostgresError` only if the connection was lost or a parameter cannot be encoded;
    ///   `CancellationError` if the task was cancelled.
    public func outcomes(of statements: [PostgresStatement]) throws -> [StatementOutcome] {
        try checkCancellation()
        return try run(statements, .executing)
    }

    /// Executes a script of several statements without parameters.
    ///
    /// Outside of a transaction it is one transaction.
    ///
    /// - Throws: `PostgresError` of the failed statement; `CancellationError` if the task was cancelled.
    public func execute(script: String) throws {
        try checkCancellation()
        try checkText(script)
        wire.restartDeadline()
        guard unsafe PQsendQuery(wire.pointer, script) == 1 else { throw wire.lost(.executing) }
        try wire.flush(.executing)
        var failure: PostgresError?
        while let result = try wire.nextResult(.executing) {
            if let error = result.failure(.executing) {
                failure = failure ?? error
                if result.endsSession { wire.isBroken = true }
            } else if result.isCopy {
                // Nothing here provides or takes the rows.
                wire.isBroken = true
                throw PostgresError(.misplacedStatement, .executing)
            }
            if wire.isBroken { break }
        }
        if let failure { throw failure }
        if wire.isBroken { throw wire.lost(.executing) }
    }

    /// The number of the server's process, as in `pg_stat_activity`; behind a pooler, that of another process.
    public var serverProcess: Int { Int(unsafe PQbackendPID(wire.pointer)) }

    /// The server's version, such as 150018.
    public var serverVersion: Int { Int(unsafe PQserverVersion(wire.pointer)) }

    /// True when the connection is encrypted.
    public var isEncrypted: Bool { unsafe PQsslInUse(wire.pointer) == 1 }

    /// True while a transaction is open, including a failed one.
    public var isInTransaction: Bool {
        unsafe PQtransactionStatus(wire.pointer) != PQTRANS_IDLE
    }
}

/// The outcome of one statement of a pipeline.
public enum StatementOutcome: Sendable {
    /// The statement was executed.
    case result(PostgresResult)
    /// The statement failed.
    case failure(PostgresError)
    /// An earlier statement failed.
    case skipped
}

extension PostgresConnection {
    /// - Throws: `CancellationError` when the task that uses this connection was cancelled.
    func checkCancellation() throws {
        if wire.interrupt.isRequested { throw CancellationError() }
        if wire.isBroken { throw wire.lost(.executing) }
    }

    func checkText(_ sql: String) throws(PostgresError) {
        // libpq would send only what precedes a NUL.
        guard !sql.utf8.contains(0) else {
            throw PostgresError(.characterNotInRepertoire, .encoding)
        }
    }
}

extension LibpqResult {
    var isCopy: Bool {
        [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(status)
    }
}
