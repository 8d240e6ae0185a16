public import Foundation
import GRDB

/// What a device keeps: complete, verified generations of content, and files fetched on demand.
///
/// Two processes may use one store. Every change is one transaction, so a kill at any moment
/// leaves a complete generation. All calls block for a moment: milliseconds for reads.
public struct OfflineStore: Sendable {
    let database: any DatabaseWriter
    /// Files that were fetched on demand, and downloads that have not ended.
    let files: FileCabinet

    /// Opens the store in a folder, making it if there is none.
    ///
    /// A database that cannot be read is set aside as `content.sqlite.damaged` and a new one
    /// made: content can be fetched again, a crash at each start cannot be mended. Only the user
    /// that runs the app can read its files.
    /// - Parameters:
    ///   - folder: For this store alone.
    ///   - appVersion: The version of the app's build; when it changes, what an older decoder
    ///     refused gets another chance.
    /// - Throws: `StoreError` `storage` when the folder cannot be written.
    public init(folder: URL, appVersion: String = "") throws {
        files = try FileCabinet(folder: folder)
        let file = folder.appending(path: "content.sqlite")
        do {
            database = try Self.open(file)
        } catch let error as DatabaseError
            where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            try Self.setAside(file.path)
            database = try Self.open(file)
        }
        try forgetRefusals(ifOlderThan: appVersion)
    }

    private static func open(_ file: URL) throws -> DatabasePool {
        let pool = try DeviceDatabase.open(file, .mostCommits)
        try migrate(pool, Schema.migrator)
        return pool
    }

    /// Opens a database, also when another process opens the same new one at this moment.
    ///
    /// Whoever turns a new file to WAL needs it alone, and for that SQLite does not wait by itself.
    static func pool(_ path: String, _ configuration: Configuration) throws -> DatabasePool {
        var attemptsLeft = 500
        while true {
            do {
                return try DatabasePool(path: path, configuration: configuration)
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && attemptsLeft > 0
            {
                attemptsLeft -= 1
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }

    /// Brings the schema up to date, also when another process does the same at this moment.
    ///
    /// Each migration is one transaction, but which are missing is looked up before it: whoever
    /// comes second fails, and finds one more of them done when it looks again.
    static func migrate(_ pool: any DatabaseWriter, _ migrator: DatabaseMigrator) throws {
        var attemptsLeft = migrator.migrations.count
        while try !pool.read(migrator.hasCompletedMigrations) {
            do {
                try migrator.migrate(pool)
            } catch {
                guard attemptsLeft > 0 else { throw error }
                attemptsLeft -= 1
            }
        }
    }

    private static func setAside(_ path: String) throws {
        let manager = FileManager.default
        for suffix in DeviceDatabase.suffixes where manager.fileExists(atPath: path + suffix) {
            let target = path + ".damaged" + suffix
            // An older damaged file makes room for this one.
            try? manager.removeItem(atPath: target)
            try manager.moveItem(atPath: path + suffix, toPath: target)
        }
    }

    private func forgetRefusals(ifOlderThan appVersion: String) throws {
        guard try setting("appVersion") != appVersion else { return }
        try liftBans()
        // What cannot be read again now is found when it is asked for.
        try? rereadPartialDocuments()
        try set("appVersion", appVersion)
    }

    /// Lets the next sync be a full one, which reads everything again and repairs it.
    func requestRepair() throws {
        try database.write { database in
            try database.execute(sql: "DELETE FROM setting WHERE name = 'schedule'")
        }
    }

    /// A small value that a sync keeps between runs.
    public func setting(_ name: String) throws -> String? {
        try database.read { database in
            try String.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
        }
    }

    /// Keeps a small value.
    public func set(_ name: String, _ value: String) throws {
        try database.write { try Self.set(name, value, in: $0) }
    }

    static func set(_ name: String, _ value: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
            arguments: [name, value])
    }
}
