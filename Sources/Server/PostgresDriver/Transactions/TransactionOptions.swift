/// The options of a transaction.
///
/// ```swift
/// let export = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)
/// ```
public struct TransactionOptions: Sendable, Hashable {
    /// The isolation from concurrent transactions.
    public enum Isolation: String, Sendable, Hashable, CaseIterable {
        /// Each statement sees all earlier commits.
        case readCommitted = "READ COMMITTED"
        /// All statements see the commits before the first one.
        case repeatableRead = "REPEATABLE READ"
        /// Transactions behave as if they ran one after another.
        case serializable = "SERIALIZABLE"
    }

    /// The isolation; `nil` for the server's default.
    public var isolation: Isolation?
    /// True to let the server reject writes.
    public var isReadOnly: Bool
    /// True to let a serializable read-only transaction wait until it cannot fail.
    public var isDeferrable: Bool

    /// Creates options.
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
