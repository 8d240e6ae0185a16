import Foundation
import GRDB

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The identity of a file, independent of its name.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Reads the identity of a file; `nil` if there is none.
    init?(_ file: URL) {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// The reason for an error about a database whose file is no longer at its path: earlier writes are lost too.
package struct LostStoreFile: Error {}

/// A verification of a database by a second connection: SQLite continues to write to a file that was removed or
/// overwritten, and does not notice.
///
/// Only SQLite opens the file, since closing it otherwise would release the locks of this process.
struct FileVerification {
    /// The maximum size of a database that is read as a whole, in bytes; of larger ones the last changes are.
    private static let wholeBytesMax = 64 * 1024 * 1024

    let file: URL
    let identity: FileIdentity

    init(_ file: URL, _ identity: FileIdentity) {
        self.file = file
        self.identity = identity
    }

    /// Verifies that the path still leads to the file; costs one system call.
    ///
    /// - Throws: `StoreError` `storage` with ``LostStoreFile`` as its cause.
    func confirmPlace() throws {
        guard FileIdentity(file) == identity else {
            throw lost("was removed or replaced while it was in use", LostStoreFile())
        }
    }

    /// The maximum number of checks of a file that another process writes at the same time.
    private static let looksMax = 10

    /// Compares the result of `body` on the open connection and on a new one.
    ///
    /// - Throws: `StoreError` `storage`, or `DatabaseError`.
    func confirm<Value: Equatable>(
        _ opened: StoreDatabase.Opened, _ body: (Database) throws -> Value
    ) throws {
        try confirmPlace()
        // What another process writes between the two reads is no loss.
        for _ in 0..<Self.looksMax where try isSame(opened, body) { return }
        throw lost("does not have what was written last")
    }

    private func isSame<Value: Equatable>(
        _ opened: StoreDatabase.Opened, _ body: (Database) throws -> Value
    ) throws -> Bool {
        let known = try opened.writer.read(body)
        // From here on readers see the file, and not the log beside it.
        try opened.writer.writeWithoutTransaction { database in
            _ = try database.checkpoint(.passive)
        }
        var configuration = DeviceDatabase.configuration
        configuration.readonly = true
        let outside = try DatabaseQueue(path: file.path, configuration: configuration)
        let found = try outside.read { database in
            try examine(database)
            return try body(database)
        }
        try outside.close()
        return known == found
    }

    private func examine(_ database: Database) throws {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let pageBytes = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        guard pages * pageBytes <= Self.wholeBytesMax else { return }
        guard try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok" else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
    }

    private func lost(_ what: String, _ cause: (any Error)? = nil) -> StoreError {
        StoreError(
            .storage,
            "\(file.path) \(what). Start again; leave the files of the store alone meanwhile.",
            cause: cause)
    }
}
