/// A failure of the database or of its connection.
///
/// The description names the code, the phase, and the table, column and constraint, but never a value, a statement
/// or a password. The server's own message may quote values, so it is hidden: `serverMessage?.reveal()` is for
/// a developer at a terminal.
///
/// ```swift
/// do {
///     try await pool.transaction { try $0.query("SELECT 1") }
/// } catch let error as PostgresError where error.isOutcomeUnknown {
///     print("Read whether the transaction was committed before you repeat it.")
/// } catch let error as PostgresError {
///     print(error)  // PostgreSQL 23505 while executing a statement, constraint account_pkey
/// }
/// ```
public struct PostgresError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible
{
    /// The phase in which it happened.
    public enum Phase: String, Sendable, Hashable, CaseIterable {
        /// Waiting for a connection of the pool.
        case waiting
        /// Connecting and authenticating.
        case connecting
        /// Encoding a parameter; nothing was sent.
        case encoding
        /// Executing a statement.
        case executing
        /// Committing: COMMIT was sent, and no reply arrived.
        case committing
        /// Copying rows in or out.
        case copying
        /// Waiting for notifications.
        case listening
    }

    /// The condition.
    public var code: SQLState
    /// The phase in which it happened.
    public var phase: Phase
    /// The position of the statement in its pipeline, from 0.
    public var statementIndex: Int?
    /// The schema of the table or type.
    public var schema: String?
    /// The table.
    public var table: String?
    /// The column.
    public var column: String?
    /// The constraint or unique index.
    public var constraint: String?
    /// The data type.
    public var dataType: String?
    /// The server's message, which may quote values.
    public var serverMessage: HiddenText?
    /// The underlying failure.
    public var cause: (any Error)?

    /// Creates a failure.
    public init(_ code: SQLState, _ phase: Phase, cause: (any Error)? = nil) {
        self.code = code
        self.phase = phase
        self.cause = cause
    }

    /// True when the connection was lost between COMMIT and its reply: the transaction may have been committed.
    public var isOutcomeUnknown: Bool { phase == .committing }

    /// The code, the phase and the names.
    public var description: String {
        let names = [
            ("schema", schema), ("table", table), ("column", column), ("constraint", constraint),
            ("type", dataType), ("statement", statementIndex.map { "\($0)" }),
        ]
        return "PostgreSQL \(code) while \(Self.gerunds[phase] ?? phase.rawValue)"
            + names.map { name, value in value.map { ", \(name) \($0)" } ?? "" }.joined()
    }

    /// The description.
    public var debugDescription: String { description }

    private static let gerunds: [Phase: String] = [
        .waiting: "waiting for a connection", .connecting: "connecting",
        .encoding: "encoding a parameter", .executing: "executing a statement",
        .committing: "committing (the outcome is unknown)", .copying: "copying rows",
        .listening: "waiting for notifications",
    ]
}
