import Foundation
import GRDB

/// The opening of a database when the disk is full or its folder cannot be written.
enum ReadOnlyDatabase {
    /// An error for a database that exists, or may exist, and cannot be read.
    struct Unreadable: Error {}

    /// Opens a database for reading.
    ///
    /// It tries three ways, each with fewer requirements than the one before. The first opens it in place, where a
    /// write-ahead log needs a file of shared memory beside the database. The second opens a copy in the temporary
    /// folder; the third has exclusive access for a moment, without shared memory. The latter two end in memory, so
    /// they cost the size of the database. If there is no database, the result is empty.
    /// - Throws: `DatabaseError` when the database is damaged, `Unreadable` when no way is possible.
    static func open(_ file: URL, _ migrator: DatabaseMigrator) throws -> any DatabaseWriter {
        guard try hasContent(file) else { return try empty(migrator) }
        for attempt in [inPlace, copied, alone] {
            do {
                return try attempt(file, migrator)
            } catch let error as DatabaseError where error.isDamage {
                throw error
            } catch {
                // The next way needs less.
                continue
            }
        }
        throw Unreadable()
    }

    private static func hasContent(_ file: URL) throws -> Bool {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            if attributes[.type] as? FileAttributeType == .typeDirectory { throw Unreadable() }
            return (attributes[.size] as? Int ?? 0) > 0
        } catch let error as CocoaError where error.code == .fileReadNoPermission {
            throw Unreadable()
        } catch is CocoaError {
            return false
        }
    }

    /// Returns an empty database in memory.
    static func empty(_ migrator: DatabaseMigrator) throws -> any DatabaseWriter {
        let queue = try DatabaseQueue(configuration: DeviceDatabase.configuration)
        try migrator.migrate(queue)
        return queue
    }

    private static func inPlace(
        _ file: URL, _ migrator: DatabaseMigrator
    ) throws -> any DatabaseWriter {
        let queue = try DatabaseQueue(path: file.path, configuration: readOnly)
        guard try queue.read(migrator.isComplete) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return queue
    }

    private static func copied(
        _ file: URL, _ migrator: DatabaseMigrator
    ) throws -> any DatabaseWriter {
        let manager = FileManager.default
        let folder = manager.temporaryDirectory.appending(path: "underway-\(UUID().uuidString)")
        try PrivateFiles.makeFolder(folder)
        // A copy that stays behind is removed by the system.
        defer { try? manager.removeItem(at: folder) }
        let copy = folder.appending(path: "copy.sqlite")
        for suffix in ["", "-wal"] where manager.fileExists(atPath: file.path + suffix) {
            try manager.copyItem(atPath: file.path + suffix, toPath: copy.path + suffix)
            PrivateFiles.tighten(URL(fileURLWithPath: copy.path + suffix))
        }
        return try inMemory(DatabaseQueue(path: copy.path), migrator)
    }

    private static func alone(
        _ file: URL, _ migrator: DatabaseMigrator
    ) throws -> any DatabaseWriter {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // Without other connections the index of the write-ahead log needs no file.
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        }
        return try inMemory(
            DatabaseQueue(path: file.path, configuration: configuration), migrator)
    }

    private static func inMemory(
        _ source: DatabaseQueue, _ migrator: DatabaseMigrator
    ) throws -> any DatabaseWriter {
        let queue = try DatabaseQueue(configuration: DeviceDatabase.configuration)
        try source.backup(to: queue)
        try source.close()
        try migrator.migrate(queue)
        return queue
    }

    private static var readOnly: Configuration {
        var configuration = DeviceDatabase.configuration
        configuration.readonly = true
        return configuration
    }
}

extension DatabaseError {
    /// True when the file is not a complete database.
    var isDamage: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }
}
