import Accounts
package import Foundation
import GRDB
import Tables

/// The folder of a server's users, with its SQLite database, as one end of a copy.
///
/// ```swift
/// let folder = UserFolder(URL(fileURLWithPath: "/var/lib/underway/users"))
/// let accounts = try folder.read { try DatabaseCopy.sum(of: .accounts, in: $0).rows }
/// print(accounts)
/// ```
package struct UserFolder: Sendable {
    /// The database.
    package let file: URL
    /// The folder of the token key, with the files that survive a restore of the database.
    package let keys: URL
    private let folder: URL

    /// Creates the end of a copy at a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of users.
    ///   - keys: The folder of `token-key`; `nil` for the folder of users.
    package init(_ folder: URL, keys: URL? = nil) {
        self.folder = folder
        self.keys = keys ?? folder
        file = folder.appending(path: "users.sqlite")
    }

    /// Returns the fingerprint of the token key; `nil` without a key.
    ///
    /// - Throws: `SetupError` for a file without a key.
    package func keyPrint() throws -> String? {
        let file = keys.appending(path: "token-key")
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        return ServerKey.print(of: try ServerKey.read(in: keys))
    }

    // MARK: Source

    /// Reads the database while no other program can use it.
    ///
    /// - Throws: `CopyError`, `SetupError` for an unreadable file, or the error of `body`.
    package func read<Value>(_ body: (any CopySource) throws -> Value) throws -> Value {
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw CopyError(
                .missing, "There is no database of users in \(folder.path).", place: file.path)
        }
        return try naming(file) {
            let connection = try open(file)
            let value = try connection.read { database in
                try check(database)
                return try body(SQLiteCopy(database, keys: keys))
            }
            try connection.close()
            return value
        }
    }

    /// Checks the version, and that SQLite finds no damage.
    private func check(_ database: Database) throws {
        if let later = try UserSchema.firstUnknownMigration(in: database) {
            let early = UserSchema.beforeRelease(later).map { "\($0.origin) \($0.remedy)" }
            let problem =
                early
                ?? "was written by a later version of this program (\"\(later)\"). Copy it with that version."
            throw CopyError(
                .otherVersion, "\(file.path) \(problem) Nothing was copied.", place: file.path)
        }
        guard try UserSchema.migrator.hasCompletedMigrations(database) else {
            throw CopyError(
                .otherVersion,
                "\(file.path) is of an earlier version of this program. Start and stop the server of this"
                    + " version on it once, which brings it up to date. Nothing was copied.",
                place: file.path)
        }
        let report = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
        let orphan = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check")
        guard report == "ok", orphan == nil else { throw damage }
    }

    private var damage: CopyError {
        CopyError(
            .damaged,
            "\(file.path) is damaged. Keep it, and put the last backup in its place. Nothing was copied.",
            place: file.path)
    }

    // MARK: Target

    /// Creates the database, which gets its name when it is complete and synced to disk.
    ///
    /// - Throws: `CopyError`, `SetupError` for an unwritable file, or the error of `body`; then no database exists.
    package func make<Value>(_ body: (any CopyTarget) throws -> Value) throws -> Value {
        try checkNone()
        for folder in [folder, keys] {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        let draft = folder.appending(path: "users.sqlite.copy")
        try naming(draft) { try removeLeftOver(draft) }
        do {
            let value = try naming(draft) { try write(draft, body) }
            try checkNone()
            guard rename(draft.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            try DurableFile.synchronizeFolder(of: file)
            return value
        } catch {
            // Another run removes what stays.
            try? removeFiles(of: draft)
            throw error
        }
    }

    private func checkNone() throws {
        for suffix in ["", "-wal", "-shm", "-journal"]
        where FileManager.default.fileExists(atPath: file.path + suffix) {
            throw CopyError(
                .notEmpty,
                "There is \(file.path + suffix) already. Name another folder, or move it away."
                    + " Nothing was copied.", place: file.path + suffix)
        }
    }

    /// Removes what a killed copy left, unless a copy is at it.
    private func removeLeftOver(_ draft: URL) throws {
        guard FileManager.default.fileExists(atPath: draft.path) else { return }
        do {
            let connection = try open(draft)
            try connection.write { try $0.execute(sql: "PRAGMA user_version = 1") }
            try connection.close()
        } catch let error as DatabaseError where error.resultCode != .SQLITE_BUSY {
            // A file that was cut anywhere is no database.
        }
        try removeFiles(of: draft)
    }

    private func removeFiles(of draft: URL) throws {
        for suffix in ["", "-journal", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: draft.path + suffix) {
            try FileManager.default.removeItem(atPath: draft.path + suffix)
        }
    }

    private func write<Value>(_ draft: URL, _ body: (any CopyTarget) throws -> Value) throws
        -> Value
    {
        guard
            FileManager.default.createFile(
                atPath: draft.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteNoPermission) }
        let connection = try open(draft)
        try UserSchema.migrator.migrate(connection)
        let value = try connection.write { database in
            try body(SQLiteCopy(database, keys: keys))
        }
        try connection.close()
        return value
    }

    // MARK: Connections

    /// Opens a connection that shares the file with no other, and waits for none.
    private func open(_ file: URL) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            try database.execute(sql: "PRAGMA synchronous = FULL")
        }
        return try DatabaseQueue(path: file.path, configuration: configuration)
    }

    private func naming<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                throw CopyError(
                    .inUse,
                    "Another program uses \(file.path). Stop the server (and other copies), and try again."
                        + " Nothing was copied.", place: file.path)
            case .SQLITE_CONSTRAINT:
                throw CopyError(
                    .refusedRow,
                    "The target refuses a row: \(error.message ?? "a constraint"). Nothing was copied.",
                    place: file.path)
            default: throw SetupError(error, path: file.path)
            }
        }
    }
}
