public import Foundation
import GRDB

/// What a device keeps: complete, verified generations of content, and files fetched on demand.
///
/// Two processes may use one store. Every change is one transaction, so a kill at any moment
/// leaves a complete generation. All calls block for a moment: milliseconds for reads.
///
/// Each document is answered from the current generation, else from the last good one, else from the app's
/// bundle; bytes are compared with their checksum each time. What is not right is passed over, and the next
/// sync repairs it (``needsRepair``).
public struct OfflineStore: Sendable {
    let database: StoreDatabase
    /// Files that were fetched on demand, and downloads that have not ended.
    let files: FileCabinet
    let contentFiles: ContentFiles
    let repair: RepairFlag
    let appVersion: String
    /// The banks whose rows were compared with their blobs.
    let verifiedBanks = VerifiedContent()
    /// The files fetched on demand that were compared with their checksums.
    let verifiedFiles = VerifiedContent()
    /// The third source, after the installed generations.
    let bundled = BundledContent()

    /// Opens the store in a folder, making it if there is none.
    ///
    /// A store always opens. Where the disk is full or the folder cannot be written, what is there is read,
    /// and ``access`` says why nothing can be saved. What is damaged is left out, and the next sync repairs
    /// it. Only the user that runs the app can read its files.
    /// - Parameters:
    ///   - folder: For this store alone.
    ///   - appVersion: The version of the app's build; when it changes, what an older decoder
    ///     refused gets another chance. ``AppVersion`` says which one it is when none is named.
    /// - Throws: `StoreError` when there is not even memory for an empty store.
    public init(folder: URL, appVersion: String = AppVersion.ofMainBundle) throws {
        files = FileCabinet(folder: folder)
        let contentFiles = ContentFiles(folder: folder)
        let repair = RepairFlag(folder: folder)
        database = try StoreDatabase(
            StoreDatabase.Source(
                kind: .content, migrator: Schema.migrator, file: { contentFiles.newest },
                open: { try Self.open(contentFiles, repair) },
                damageFound: repair.raise))
        self.contentFiles = contentFiles
        self.repair = repair
        self.appVersion = appVersion
        do {
            try forgetRefusals(ifOlderThan: appVersion)
        } catch is StoreError {
            // It is done at the first start that can write.
        }
    }

    /// Opens the newest database; one that cannot be opened is rebuilt first.
    private static func open(
        _ files: ContentFiles, _ repair: RepairFlag
    ) throws -> StoreDatabase.Opened {
        try PrivateFiles.makeFolder(files.folder)
        let file = files.newest
        do {
            return try open(file, files)
        } catch let error as DatabaseError
            where StoreError(error, file, .content).code == .damaged
        {
            repair.raise()
            try ContentRebuild(files: files).run(replacing: file)
            let rebuilt = files.newest
            repair.noteRebuilt(rebuilt)
            return try open(rebuilt, files)
        }
    }

    private static func open(_ file: URL, _ files: ContentFiles) throws -> StoreDatabase.Opened {
        let pool = try DeviceDatabase.open(file, .mostCommits)
        try migrate(pool, Schema.migrator)
        return StoreDatabase.Opened(
            writer: pool, file: file, isReplaced: files.replacementCheck(of: file))
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
        while try !pool.read(migrator.isComplete) {
            do {
                try migrator.migrate(pool)
            } catch {
                guard attemptsLeft > 0 else { throw error }
                attemptsLeft -= 1
            }
        }
    }

    private func forgetRefusals(ifOlderThan appVersion: String) throws {
        guard try setting("appVersion") != appVersion else { return }
        try liftBans()
        // What cannot be read again now is found when it is asked for.
        try? rereadPartialDocuments()
        try set("appVersion", appVersion)
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

extension DatabaseMigrator {
    /// True when nothing is to be migrated.
    ///
    /// - Throws: `DatabaseError`; `SQLITE_CORRUPT` also for a damaged list of what was migrated.
    func isComplete(_ database: Database) throws -> Bool {
        do {
            return try hasCompletedMigrations(database)
        } catch is RowDecodingError {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "The list of migrations is damaged.")
        }
    }
}
