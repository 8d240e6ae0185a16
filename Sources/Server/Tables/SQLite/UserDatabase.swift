import Foundation
package import GRDB

/// The server's database of users: one SQLite file, many readers, one writer.
package struct UserDatabase: Sendable {
    /// The connections; only `write`, upkeep at the start, and tests write through them.
    package let connections: any DatabaseWriter
    private let writer: SQLiteWriter
    /// The file; `nil` for a database in memory.
    private let file: OpenedFile?

    /// Opens a database file, or creates one that only its owner can read.
    ///
    /// - Parameter path: The file; its folder must exist.
    /// - Throws: `SetupError`, whose message names the remedy.
    package init(path: String) throws {
        try Self.checkNoLostLog(path)
        if !FileManager.default.fileExists(atPath: path) {
            // SQLite gives its other files the rights of this one; it says itself if there is none.
            _ = FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA secure_delete = ON")
        }
        do {
            try Self.checkMigrations(path)
            let pool = try DatabasePool(path: path, configuration: configuration)
            // An answer to a device is a promise: it must outlive a power loss. Only now, since a pool
            // sets NORMAL after it has prepared its connections.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try self.init(pool, file: OpenedFile(path: path))
        } catch let error as DatabaseError {
            throw SetupError(error, path: path)
        } catch StorageError.outdatedSchema(let migration) {
            throw SetupError(path: path, Self.refusal(of: path, migration))
        }
    }

    /// Refuses a file of another version before a pool changes its mode.
    ///
    /// - Throws: `StorageError` `outdatedSchema`, or `DatabaseError`.
    private static func checkMigrations(_ path: String) throws {
        guard bytes(path) > 0 else { return }
        let queue = try DatabaseQueue(path: path, configuration: readOnly)
        if let name = try queue.read(UserSchema.firstUnknownMigration) {
            throw StorageError.outdatedSchema(name)
        }
    }

    private static var readOnly: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        return configuration
    }

    private static func bytes(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.size] as? Int ?? 0
    }

    /// Returns the sentence that refuses a file with a migration that this version does not know.
    private static func refusal(of path: String, _ migration: String) -> String {
        if let early = UserSchema.beforeRelease(migration) {
            return "\(path) \(early.origin) \(early.remedy) Nothing was changed."
        }
        return "\(path) was written by a later version of this program. Start that version, or put"
            + " a backup of before in its place. Nothing was changed."
    }

    /// Refuses to make a new database beside the log of another one, whose newest writes SQLite would remove with it.
    private static func checkNoLostLog(_ path: String) throws {
        guard bytes(path) == 0, bytes(path + "-wal") > 0 else { return }
        throw SetupError(
            path: path,
            "\(path) is missing or empty, but its log \(path)-wal is there, with what was written last. Put the file"
                + " back beside it; or, to begin anew, move the log away. Nothing was changed.")
    }

    /// Opens the database of an existing server for an operator's command, without changing its tables.
    ///
    /// - Parameter path: The file.
    /// - Returns: The database.
    /// - Throws: `SetupError`, also for a file of an earlier version or of another program.
    package static func ofServer(path: String) throws -> UserDatabase {
        let isCurrent: Bool
        do {
            isCurrent = try DatabaseQueue(path: path, configuration: readOnly).read {
                // One of another version is named by what opens the file.
                try UserSchema.migrator.hasCompletedMigrations($0)
                    || UserSchema.firstUnknownMigration(in: $0) != nil
            }
        } catch let error as DatabaseError {
            throw SetupError(error, path: path)
        }
        guard isCurrent else {
            throw SetupError(
                path: path,
                "\(path) is of an earlier version of this program, or of another one. `underway serve` of this version"
                    + " brings it up to date when it starts. Nothing was changed.")
        }
        return try UserDatabase(path: path)
    }

    /// Creates a database in memory, for tests.
    package static func inMemory() throws -> UserDatabase { try UserDatabase(DatabaseQueue()) }

    /// Brings a database up to date.
    ///
    /// - Throws: `StorageError` `outdatedSchema` for one of a later version or of one before 0.1.0, which stays as it
    ///   is; or an error of the database.
    init(_ connections: any DatabaseWriter, file: OpenedFile? = nil) throws {
        if let name = try connections.read(UserSchema.firstUnknownMigration) {
            throw StorageError.outdatedSchema(name)
        }
        try UserSchema.migrator.migrate(connections)
        self.connections = connections
        writer = SQLiteWriter(connections)
        self.file = file
    }

    /// Reads in a transaction of its own, beside the writer.
    ///
    /// - Throws: The error of `body`, or `StorageError` for an error of the database.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await notingDamage { try await connections.read(body) }
    }

    /// Returns the reason why the database cannot serve; `nil` if it is readable, is still the file at its path, and
    /// has the tables of this version.
    package func obstacle() async -> StorageObstacle? {
        switch file?.fault {
        case .isGone: return .fileIsGone
        case .isDamaged: return .fileIsDamaged
        case nil: break
        }
        // Why it cannot be read is told whoever asks for something.
        let isCurrent = try? await read { try UserSchema.firstUnknownMigration(in: $0) == nil }
        return isCurrent == true ? nil : .noAnswer
    }

    /// Refuses to write into a file that nobody will find again, or that is damaged.
    ///
    /// - Throws: `StorageError` `unavailable` or `damaged`.
    private func checkFile() throws {
        switch file?.fault {
        case .isGone: throw StorageError.unavailable
        case .isDamaged: throw StorageError.damaged("database")
        case nil: break
        }
    }

    private func notingDamage<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await StorageError.naming(body)
        } catch let error as StorageError {
            if case .damaged("database") = error { file?.noteDamage() }
            throw error
        }
    }

    /// Writes in a transaction of its own, queued behind all other writers.
    ///
    /// - Throws: The error of `body`, after which nothing is written; or `StorageError`: `busy` when too many writers
    ///   wait (retry later), or the meaning of a database error.
    package func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try checkFile()
        return try await notingDamage { try await writer.write(together: false, body) }
    }

    /// Writes in a transaction that others may share.
    ///
    /// - Parameter body: The writes. It must undo its own writes before it throws, and may run again.
    /// - Returns: The result of `body`, once it is committed.
    /// - Throws: The error of `body`, or `StorageError`: `busy` when too many writers wait (retry later), or the
    ///   meaning of a database error.
    package func writeTogether<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try checkFile()
        return try await notingDamage { try await writer.write(together: true, body) }
    }
}
