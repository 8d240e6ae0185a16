package import Tables

/// The accounts for which rows are derived from answers.
package enum DerivedAccounts {
    /// The next accounts behind `:member` in the order of their numbers, without deleted ones, as SQL.
    package static let next = """
        SELECT number, id FROM {account} WHERE number > :member AND deleted_at IS NULL
        ORDER BY number LIMIT :limit
        """

    /// Reads the next accounts, see ``next``.
    package static let page = Statement(next)

    /// Has the next refresh of the boards look at the user.
    package static let noting = Statement("INSERT INTO {board_change} (member) VALUES ({me})")
}
