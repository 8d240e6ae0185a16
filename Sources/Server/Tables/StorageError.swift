/// The reason why an operation on an account failed, now or for good; nothing was written.
package enum StorageError: Error, Hashable {
    /// The account was deleted or never existed.
    case noAccount
    /// Stored data cannot be read.
    case damaged(String)
    /// Too many writers wait, or another writer took too long: retry in a moment.
    case busy
    /// The storage accepts no writes: its disk is full or fails, or it is read-only.
    case unavailable
    /// The tables are of another version of the program; the text names the difference, for the log.
    case outdatedSchema(String)
    /// The database rejects the statement: a privilege or a policy is missing, or the program is wrong. The text names
    /// the failure without any value, for the log; a retry fails again.
    case refused(String)
}
