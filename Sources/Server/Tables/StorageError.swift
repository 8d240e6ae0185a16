/// The reason why something cannot be done to an account, now or at all; nothing was written.
package enum StorageError: Error, Hashable {
    /// The account was deleted, or never was.
    case noAccount
    /// Something that the server wrote cannot be read again.
    case damaged(String)
    /// Another writer was waited for too long, or too many wait: it may work in a moment.
    case busy
    /// The storage takes nothing for now: its disk is full or fails, or it may not be written.
    case unavailable
    /// The tables are of another version of the program; the text names what differs, for the log.
    case outdatedSchema(String)
    /// The database refuses what the program does: a privilege or a policy is missing, or the program is wrong. The
    /// text names the failure without any value, for the log; nobody should try again.
    case refused(String)
}
