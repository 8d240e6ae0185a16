import Foundation

/// A write-ahead log without a database: SQLite deletes it when it creates a new database.
enum OrphanedLog {
    /// Renames a log without its database, so that SQLite does not delete it.
    ///
    /// A user who finds the database can restore both. The log is checked first: another process that creates the
    /// database at this moment writes its first page before the log.
    /// - Throws: `StoreError` `storage` when it cannot be renamed; then nothing may be opened.
    static func rename(besides database: URL) throws {
        let log = database.path + "-wal"
        guard size(log) > 0, size(database.path) == 0 else { return }
        let name = "\(log).\(UUID().uuidString.lowercased())"
        do {
            try FileManager.default.moveItem(atPath: log, toPath: name)
        } catch {
            throw StoreError(
                .storage,
                "\(log) has changes of a database that is gone. Put \(database.path) back, or move"
                    + " the log away.", cause: error)
        }
        // The index of the log; SQLite makes it anew.
        try? FileManager.default.removeItem(atPath: database.path + "-shm")
    }

    private static func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.size] as? Int ?? 0
    }
}
