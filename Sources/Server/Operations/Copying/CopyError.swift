/// The reason why users' data cannot be copied; the target is unchanged.
package struct CopyError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of reason.
    package enum Code: Sendable, Hashable {
        /// The source has no database.
        case missing
        /// The target is not empty.
        case notEmpty
        /// A server or another program is using a database.
        case inUse
        /// A database is of another version of the program.
        case otherVersion
        /// Data of the source is unreadable or contradictory.
        case damaged
        /// The rows of the target differ from those of the source.
        case differs
        /// The target rejects a row.
        case refusedRow
        /// The login or the token key is the wrong one.
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
