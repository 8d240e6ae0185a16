package import Accounts

/// A database of users that a copy reads, within a transaction that the caller opened.
package protocol CopySource {
    /// Passes on the rows of a table one at a time, in the order that both databases have in common.
    ///
    /// - Throws: `CopyError`, what `body` throws, or an error of the database.
    func forEachRow(of table: CopyTable, _ body: (CopyRow) throws -> Void) throws

    /// Reads the revocations that a later restore must not undo.
    func revocations() throws -> [Revocation]

    /// Reads the marks by which server processes know the database.
    func marks() throws -> [String]
}

/// A database of users that a copy writes; nobody else sees anything of it before the caller commits.
package protocol CopyTarget: CopySource {
    /// Writes a row; it may wait in memory until `finish`.
    func write(_ row: CopyRow, to table: CopyTable) throws

    /// Writes what waits of a table.
    func finish(_ table: CopyTable) throws

    /// Adds revocations to those that are there.
    func add(_ revocations: [Revocation]) throws

    /// Lets server processes know the copy as the database that they had.
    func adopt(marks: [String]) throws

    /// Makes what follows from the rows.
    func complete() throws
}
