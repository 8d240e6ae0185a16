package import Accounts

/// A database of users that a copy reads, within a transaction of the caller.
package protocol CopySource {
    /// Calls `body` with each row of a table, in the order that both databases share.
    ///
    /// - Throws: `CopyError`, the error of `body`, or an error of the database.
    func forEachRow(of table: CopyTable, _ body: (CopyRow) throws -> Void) throws

    /// Reads the revocations that must survive a later restore.
    func revocations() throws -> [Revocation]

    /// Reads the marks by which server processes recognise the database.
    func marks() throws -> [String]
}

/// A database of users that a copy writes; its rows are invisible to others until the caller commits.
package protocol CopyTarget: CopySource {
    /// Writes a row, which may be buffered until `finish`.
    func write(_ row: CopyRow, to table: CopyTable) throws

    /// Writes the buffered rows of a table.
    func finish(_ table: CopyTable) throws

    /// Adds revocations to the existing ones.
    func add(_ revocations: [Revocation]) throws

    /// Stores marks, so that server processes recognise the copy as their database.
    func adopt(marks: [String]) throws

    /// Creates the data that is derived from the rows.
    func complete() throws
}
