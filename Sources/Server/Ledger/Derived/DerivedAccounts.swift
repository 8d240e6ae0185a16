package import Tables

/// The accounts for which rows are derived from answers.
package enum DerivedAccounts {
    /// The SQL query of the next accounts after `:member` by number, except deleted ones.
    package static let next = """
        SELECT number, id FROM {account} WHERE number > :member AND deleted_at IS NULL
        ORDER BY number LIMIT :limit
        """

    /// The statement of ``next``.
    package static let page = Statement(next)

    /// The statement that marks the user for the next refresh of the boards.
    package static let noting = Statement("INSERT INTO {board_change} (member) VALUES ({me})")
}
