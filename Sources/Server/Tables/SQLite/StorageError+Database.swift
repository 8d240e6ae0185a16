import GRDB

extension StorageError {
    /// Says what a failure of SQLite means for the ledger; `nil` for a mistake of the program.
    init?(_ error: DatabaseError) {
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_INTERRUPT: self = .busy
        case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM,
            .SQLITE_NOMEM:
            self = .unavailable
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: self = .damaged("database")
        case .SQLITE_SCHEMA: self = .outdatedSchema("schema")
        case .SQLITE_ERROR:
            // SQLite has no code of its own for a table or column that is not there.
            let message = error.message ?? ""
            let signs = ["no such table", "no such column", "has no column", "cannot modify"]
            guard signs.contains(where: message.contains) else { return nil }
            self = .outdatedSchema(message)
        default: return nil
        }
    }

    /// Runs a body whose failures of the database become those of the ledger.
    ///
    /// - Throws: `StorageError`, or what else the body throws.
    static func naming<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as DatabaseError {
            throw StorageError(error) ?? error
        }
    }
}
