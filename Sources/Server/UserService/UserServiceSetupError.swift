import GRDB

/// Why the users' service cannot start: a file or folder, and what its operator should do.
public struct UserServiceSetupError: Error, Sendable, CustomStringConvertible {
    /// The file that is wrong.
    public var path: String
    /// What is wrong with it and what to do, with the path.
    public var message: String

    /// The message.
    public var description: String { message }

    init(path: String, _ message: String) {
        self.path = path
        self.message = message
    }

    /// What a database that cannot be opened means for its operator.
    init(_ error: DatabaseError, path: String) {
        let reason =
            switch error.resultCode {
            case .SQLITE_FULL: "the disk is full. Make room"
            case .SQLITE_NOTADB, .SQLITE_CORRUPT:
                "it is damaged. Keep it, and put the last backup in its place"
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM:
                "the server may not write there. Let its user own the file and its folder"
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                "another program holds it. End that first"
            default:
                "the disk failed or the file is of another program (SQLite code"
                    + " \(error.extendedResultCode.rawValue))"
            }
        self.init(path: path, "\(path) cannot be opened: \(reason). Nothing was changed.")
    }
}
