import GRDB

extension StoreError {
    /// What a failed database means for whoever uses the device; `nil` for other errors.
    ///
    /// SQLite's own words never reach a user: they name statements, not remedies.
    package init?(ofDatabase error: any Error) {
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(.storage, "The disk is full: nothing was saved. Make room and try again.")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(
                .storage,
                "The database cannot be opened for writing: nothing was saved. Let this user write in"
                    + " its folder, and look whether the disk is full.")
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            self.init(
                .damaged,
                "The database is damaged; it was left as it is. Move its folder away to begin anew."
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .storage, "Another program uses the database: nothing was saved. Try again.")
        default:
            self.init(
                .storage,
                "The database cannot be read or written (code"
                    + " \(error.extendedResultCode.rawValue)): nothing was saved. Look whether the disk"
                    + " is full or fails.")
        }
    }
}
