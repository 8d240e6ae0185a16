/// A condition by its five-character code, from the server or from this driver; an open set.
///
/// Codes of the server are those of appendix A of PostgreSQL's manual. Codes of class `UW` are this driver's own.
///
/// ```swift
/// do {
///     _ = try await pool.query("INSERT INTO account (number) VALUES (\(1))")
/// } catch let error as PostgresError where error.code == .uniqueViolation {
///     print(error.constraint ?? "a unique index")
/// }
/// ```
public struct SQLState: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// Five digits or capital letters.
    public let rawValue: String

    /// Creates a condition.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code.
    public var description: String { rawValue }

    /// The class of the condition: the first two characters.
    public var conditionClass: Substring { rawValue.prefix(2) }

    /// True when the connection is lost, or the server is shutting down: class 08, 57P01 to 57P05.
    public var meansConnectionLost: Bool {
        conditionClass == "08" || rawValue.hasPrefix("57P") || self == .replyOverdue
    }

    /// Returns true for five digits or capital letters.
    static func isCode(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 5
            && text.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
    }
}

extension SQLState {
    /// The server is unreachable, or rejected the connection without a code.
    public static let cannotConnect = SQLState(rawValue: "08001")
    /// The connection was lost.
    public static let connectionLost = SQLState(rawValue: "08006")
    /// The peer does not follow the protocol.
    public static let protocolViolation = SQLState(rawValue: "08P01")
    /// A feature that the server lacks; also "cached plan must not change result type".
    public static let featureNotSupported = SQLState(rawValue: "0A000")
    /// A date that the column's type cannot represent.
    public static let datetimeOverflow = SQLState(rawValue: "22008")
    /// Text with bytes that are invalid in the encoding, such as NUL.
    public static let characterNotInRepertoire = SQLState(rawValue: "22021")
    /// Text that the type cannot parse.
    public static let invalidTextRepresentation = SQLState(rawValue: "22P02")
    /// JSON with a character that text cannot contain, such as `\u0000`.
    public static let untranslatableCharacter = SQLState(rawValue: "22P05")
    /// NULL in a column that allows none.
    public static let notNullViolation = SQLState(rawValue: "23502")
    /// A reference to a row that does not exist.
    public static let foreignKeyViolation = SQLState(rawValue: "23503")
    /// A second row with a unique key.
    public static let uniqueViolation = SQLState(rawValue: "23505")
    /// A row that a CHECK rejects.
    public static let checkViolation = SQLState(rawValue: "23514")
    /// A write that the transaction or the server does not allow.
    public static let readOnlyTransaction = SQLState(rawValue: "25006")
    /// A statement after a failed one in the same transaction; also a COMMIT that rolled back.
    public static let transactionFailed = SQLState(rawValue: "25P02")
    /// A prepared statement that does not exist in the session.
    public static let unknownStatementName = SQLState(rawValue: "26000")
    /// An unknown user or a wrong method of authentication.
    public static let invalidAuthorization = SQLState(rawValue: "28000")
    /// A wrong password.
    public static let invalidPassword = SQLState(rawValue: "28P01")
    /// A database that does not exist.
    public static let unknownDatabase = SQLState(rawValue: "3D000")
    /// A conflict with a concurrent transaction; the whole transaction may be retried.
    public static let serializationFailure = SQLState(rawValue: "40001")
    /// A deadlock; the whole transaction may be retried.
    public static let deadlock = SQLState(rawValue: "40P01")
    /// A privilege or a policy is missing.
    public static let insufficientPrivilege = SQLState(rawValue: "42501")
    /// A statement that cannot be parsed.
    public static let syntaxError = SQLState(rawValue: "42601")
    /// A column that does not exist.
    public static let undefinedColumn = SQLState(rawValue: "42703")
    /// A function that does not exist for these types of arguments.
    public static let undefinedFunction = SQLState(rawValue: "42883")
    /// A table that does not exist.
    public static let undefinedTable = SQLState(rawValue: "42P01")
    /// A second prepared statement of the same name.
    public static let duplicateStatementName = SQLState(rawValue: "42P05")
    /// A full disk.
    public static let diskFull = SQLState(rawValue: "53100")
    /// The server is out of memory.
    public static let outOfMemory = SQLState(rawValue: "53200")
    /// The server has no free connection.
    public static let tooManyConnections = SQLState(rawValue: "53300")
    /// A lock that was not granted in time.
    public static let lockNotAvailable = SQLState(rawValue: "55P03")
    /// A statement that was cancelled, or that exceeded `statement_timeout`.
    public static let statementCancelled = SQLState(rawValue: "57014")
    /// An administrator closed the connection.
    public static let adminShutdown = SQLState(rawValue: "57P01")
    /// The connection was closed because another process of the server crashed.
    public static let crashShutdown = SQLState(rawValue: "57P02")
    /// The server is starting, stopping or recovering.
    public static let cannotConnectNow = SQLState(rawValue: "57P03")
    /// An exception that a function or a script raised.
    public static let raisedException = SQLState(rawValue: "P0001")
    /// Damaged data.
    public static let dataCorrupted = SQLState(rawValue: "XX001")
    /// A damaged index.
    public static let indexCorrupted = SQLState(rawValue: "XX002")

    /// All connections of the pool are in use, and too many callers wait, or the caller waited too long.
    public static let poolBusy = SQLState(rawValue: "UW001")
    /// The pool was closed.
    public static let poolClosed = SQLState(rawValue: "UW002")
    /// The server did not reply in time; the connection was closed.
    public static let replyOverdue = SQLState(rawValue: "UW003")
    /// A statement that its function cannot send, such as COPY in a pipeline.
    public static let misplacedStatement = SQLState(rawValue: "UW004")
}
