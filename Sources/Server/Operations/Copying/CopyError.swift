/// The reason why users' data cannot be copied; the target is as it was before.
package struct CopyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of reason.
    package enum Code: Sendable, Hashable {
        /// There is no database at the source.
        case missing
        /// The target has data.
        case notEmpty
        /// A server, or another program, uses a database.
        case inUse
        /// A database is of another version of the program.
        case otherVersion
        /// Something at the source cannot be read or contradicts itself.
        case damaged
        /// The rows that were read back are not those that were read.
        case differs
        /// The target does not accept a row.
        case refusedRow
        /// The login, or the key of tokens, is another one than is needed.
        case wrongCredentials
    }

    /// The kind of reason.
    package var code: Code
    /// The reason and the remedy, without secrets.
    package var message: String
    /// The file or address.
    package var place: String

    package init(_ code: Code, _ message: String, place: String = "") {
        self.code = code
        self.message = message
        self.place = place
    }

    /// The message.
    package var description: String { message }

    /// Reports a contradiction in a table of the source.
    static func damaged(_ table: CopyTable, _ what: String) -> CopyError {
        CopyError(
            .damaged,
            "The source is damaged: \(what) (table \(table.name)). Put its last backup in its place."
                + " Nothing was copied.")
    }
}
