import Foundation
package import GRDB

/// The server's database of users: one SQLite file, many readers, one writer.
public struct UserDatabase: Sendable {
    package let writer: any DatabaseWriter

    /// Opens a database file, making it if there is none, for its owner alone.
    ///
    /// - Parameter path: The file; its folder must exist.
    /// - Throws: `UserServiceSetupError`, which says what to do.
    public init(path: String) throws {
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
            let pool = try DatabasePool(path: path, configuration: configuration)
            // An answer to a device is a promise: it must outlive a power loss. Only now, since a pool
            // sets NORMAL after it has prepared its connections.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try self.init(writer: pool)
        } catch let error as DatabaseError {
            throw UserServiceSetupError(error, path: path)
        }
    }

    /// A database in memory, for tests.
    package static func inMemory() throws -> UserDatabase {
        try UserDatabase(writer: try DatabaseQueue())
    }

    package init(writer: any DatabaseWriter) throws {
        self.writer = writer
        try UserSchema.migrator.migrate(writer)
    }
}
