import Foundation
import GRDB

/// The opening of a device's databases.
enum DeviceDatabase {
    /// The commits that a power loss may undo.
    enum Durability {
        /// None: the database has data that exists nowhere else.
        case everyCommit
        /// The last ones, which a sync restores.
        case mostCommits
    }

    /// The suffixes of the files that make up a database.
    static let suffixes = ["", "-wal", "-shm"]

    /// Opens a database whose files only their owner can read, creating it if needed.
    ///
    /// While the app is suspended, the database has no lock
    /// (``StoreSuspension``).
    /// - Throws: `DatabaseError`.
    static func open(_ file: URL, _ durability: Durability) throws -> DatabasePool {
        // SQLite gives the other files the permissions of this one.
        PrivateFiles.create(file)
        let pool = try OfflineStore.pool(file.path, configuration)
        // Also where a file cannot be made private before it has its name.
        for suffix in suffixes { PrivateFiles.tighten(file.appending(suffix: suffix)) }
        // Only now: a pool sets NORMAL, which suits content, after it has prepared its connections.
        if durability == .everyCommit {
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        }
        return pool
    }

    /// The settings of every connection.
    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.observesSuspensionNotifications = true
        configuration.prepareDatabase { database in
            // On Apple platforms a plain fsync leaves the data in the drive's cache. Elsewhere both are
            // without effect.
            try database.execute(sql: "PRAGMA fullfsync = ON")
            try database.execute(sql: "PRAGMA checkpoint_fullfsync = ON")
        }
        return configuration
    }

    /// Excludes a database from the backups of the device, if the platform supports it.
    ///
    /// A device restored from a backup would continue with old sequence numbers.
    static func excludeFromBackups(_ file: URL) {
        #if canImport(Darwin)
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        for suffix in suffixes {
            var file = file.appending(suffix: suffix)
            // A volume without this attribute has no backups of the system either.
            try? file.setResourceValues(values)
        }
        #endif
    }
}

extension URL {
    /// Returns the file beside this one whose name is longer by the suffix.
    fileprivate func appending(suffix: String) -> URL {
        suffix.isEmpty
            ? self : deletingLastPathComponent().appending(path: lastPathComponent + suffix)
    }
}
