package import GRDB

/// A failure to start the user service, with the file or folder and the remedy for the operator.
package struct SetupError: Error, Sendable, CustomStringConvertible {
    /// The file or folder.
    package var path: String
    /// A description of the failure and the remedy, with the path.
    package var message: String

    /// The message.
    package var description: String { message }

    /// Creates a failure.
    package init(path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    /// Translates a failure to open the database to a message for the operator.
    package init(_ error: DatabaseError, path: String) {
        let reason =
            switch error.resultCode {
            case .SQLITE_FULL: "the disk is full. Make room"
            case .SQLITE_NOTADB, .SQLITE_CORRUPT:
                "it is damaged. Keep it, and put the last backup in its place"
            case .SQLITE_IOERR where error.isUnreadable:
                "the disk does not give a part of it. Check the disk, or put the last backup in its place"
            case .SQLITE_NOMEM: "there is not enough memory. End other programs, and try again"
            case .SQLITE_IOERR:
                "it, or a file beside it, cannot be written; the disk is full or failed. Make room,"
                    + " check the disk, and try again"
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
                "the server may not write there. Let its user own the file and its folder"
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                "another program holds it. End that first"
            default:
                "it is of another program or version (code \(error.extendedResultCode.rawValue))."
                    + " Name another folder with --data"
            }
        self.init(path: path, "\(path) cannot be opened: \(reason). Nothing was changed.")
    }
}

extension DatabaseError {
    /// True when a part of the file is missing, or the disk does not return it.
    fileprivate var isUnreadable: Bool {
        [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS, .SQLITE_IOERR_DATA]
            .contains(extendedResultCode)
    }
}
