import Foundation
import GRDB

extension StoreError {
    /// Translates an error of SQLite into a code and a remedy, without SQLite's own words.
    ///
    /// | code of SQLite | code | remedy |
    /// |---|---|---|
    /// | `FULL` | `storage` | make room |
    /// | `READONLY`, `CANTOPEN`, `PERM`, `AUTH` | `storage` | let this user write |
    /// | `BUSY`, `LOCKED`, `PROTOCOL` | `storage` | end the other program |
    /// | `ABORT`, `INTERRUPT` | `storage` | try again in the foreground |
    /// | `IOERR_READ`, `IOERR_SHORT_READ` and the like, of content | `damaged` | the next sync |
    /// | other `IOERR`, `NOMEM` | `storage` | make room, check the disk |
    /// | `CORRUPT`, `NOTADB`; `FORMAT`, for a store of before 0.1.0 | `damaged` | the store's own |
    /// | others | as the store says | the store's own |
    init(_ error: DatabaseError, _ file: URL, _ kind: StoreDatabase.Kind) {
        self.init(error, path: file.path, kind)
    }

    /// Translates an error of a database whose file is not known; `nil` for other errors.
    package init?(ofDatabase error: any Error) {
        guard let error = error as? DatabaseError else { return nil }
        self.init(error, path: "The device's database", .userData)
    }

    /// Translates an error of a database or file; `nil` for other errors.
    package init?(ofSystem error: any Error) {
        if let error = StoreError(ofDatabase: error) {
            self = error
        } else if error is CocoaError || error is POSIXError {
            self.init(
                .storage,
                "A file of this device cannot be read or written. Make room, or let this user write"
                    + " there.", cause: error)
        } else {
            return nil
        }
    }

    private init(_ error: DatabaseError, path: String, _ kind: StoreDatabase.Kind) {
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                .storage, "The disk is full: \(path) cannot be written. Make room and try again.")
        case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH:
            self.init(
                .storage,
                "\(path) cannot be written. Let this user write there, or name another folder.")
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            self.init(.storage, "Another program is using \(path). End it, or try again.")
        case .SQLITE_ABORT, .SQLITE_INTERRUPT:
            self.init(.storage, "The app was suspended; \(path) is as it was. Try again.")
        case .SQLITE_IOERR where kind == .content && error.isUnreadable:
            self.init(.damaged, "A part of \(path) cannot be read. \(kind.remedy)")
        case .SQLITE_IOERR, .SQLITE_NOMEM:
            self.init(
                .storage,
                "\(path) cannot be read or written. Make room, check the disk, and try again.")
        case .SQLITE_FORMAT:
            self.init(
                .damaged,
                "\(path) was made before 0.1.0 of Underway, and this version does not read it. \(kind.remedy)"
            )
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.damaged, "\(path) is damaged. \(kind.remedy)")
        default:
            // Content that behaves strangely can be fetched again; what a user did cannot.
            self.init(
                kind == .content ? .damaged : .storage,
                "\(path) cannot be used (code \(error.extendedResultCode.rawValue)). \(kind.remedy)"
            )
        }
        cause = error
    }
}

extension DatabaseError {
    /// True when a part of the file is missing, or the disk cannot read it.
    fileprivate var isUnreadable: Bool {
        [.SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ, .SQLITE_IOERR_CORRUPTFS, .SQLITE_IOERR_DATA]
            .contains(extendedResultCode)
    }
}
