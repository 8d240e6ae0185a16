/// The manner of a transaction.
///
/// ```swift
/// let export = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)
/// ```
public struct TransactionOptions: Sendable, Hashable {
    /// The degree to which concurrent transactions are hidden.
    public enum Isolation: String, Sendable, Hashable, CaseIterable {
        /// Each statement sees what was committed before it.
        case readCommitted = "READ COMMITTED"
        /// All statements see what was committed before the first.
        case repeatableRead = "REPEATABLE READ"
        /// As if one transaction ran after the other.
        case serializable = "SERIALIZABLE"
    }

    /// The isolation; the server's default when it is `nil`.
    public var isolation: Isolation?
    /// True when the server refuses writes.
    public var isReadOnly: Bool
    /// True when a serializable read-only transaction waits until it cannot fail.
    public var isDeferrable: Bool

    /// Describes a transaction.
    public init(
        isolation: Isolation? = nil, isReadOnly: Bool = false, isDeferrable: Bool = false
    ) {
        self.isolation = isolation
        self.isReadOnly = isReadOnly
        self.isDeferrable = isDeferrable
    }

    /// The statement that begins the transaction.
    var begin: PostgresStatement {
        PostgresStatement(
            sql: "BEGIN" + (isolation.map { " ISOLATION LEVEL \($0.rawValue)" } ?? "")
                + (isReadOnly ? " READ ONLY" : "") + (isDeferrable ? " DEFERRABLE" : ""))
    }
}
