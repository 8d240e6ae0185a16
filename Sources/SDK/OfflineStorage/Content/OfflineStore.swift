public import Foundation
import GRDB

/// The content of a device: complete, verified generations, and files fetched on demand.
///
/// Two processes may use one store. Every change is one transaction, so a process killed at any moment leaves a
/// complete generation.
///
/// The store reads each document from the current generation, else from the last good one, else from the app's bundle,
/// and verifies its checksum each time. It skips damaged documents, and the next sync repairs them (``needsRepair``).
///
/// Calls block: milliseconds for reads, seconds when a large store is opened or a bundle installed. On the
/// main actor use ``open(at:appVersion:)`` and ``perform(_:)``.
///
/// ```swift
/// let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
/// let store = try await OfflineStore.open(at: folder)
/// let test = try await store.perform { try $0.blueprint(.placement(language: "es")) }
/// print(test.value.title, "of release", test.freshness.release)
/// ```
public struct OfflineStore: Sendable {
    let database: StoreDatabase
    /// The files that were fetched on demand, and downloads in progress.
    let files: LazyFileStorage
    let contentFiles: ContentFiles
    let repair: RepairFlag
    package let appVersion: String
    /// The banks whose rows were compared with their blobs.
    let verifiedBanks = VerifiedContent()
    /// The banks that were decoded last.
    let decodedBanks = DecodedBanks()
    /// The files fetched on demand that were compared with their checksums.
    let verifiedFiles = VerifiedContent()
    /// The third source, after the installed generations.
    let bundled = BundledContent()
    /// The listeners of installations, fallbacks, damage and repairs in this process.
    let changes: Listeners<Void>
    /// The folder of a store in memory, removed with the last copy of the store.
    private let temporary: TemporaryStoreFolder?

    /// Opens the store in a folder, creating it if needed.
    ///
    /// A store always opens. When the disk is full or the folder cannot be written, it is read-only, and ``access`` has
    /// the reason. Damaged documents are skipped until the next sync repairs them. Only the owner can read the files.
    ///
    /// Blocks during migrations and repairs; ``open(at:appVersion:)`` does not.
    /// - Parameters:
    ///   - folder: A folder of this store alone, in Application Support.
    ///   - appVersion: The version of the app's build; when it changes, documents that an older decoder
    ///     refused are retried. The default is that of the main bundle (``AppVersion``).
    /// - Throws: ``StoreError`` `storage` when memory does not suffice for an empty store.
    public init(folder: URL, appVersion: String = AppVersion.ofMainBundle) throws {
        files = LazyFileStorage(folder: folder)
        let contentFiles = ContentFiles(folder: folder)
        let changes = Listeners<Void>()
        let repair = RepairFlag(folder: folder) { changes.send(()) }
        database = try StoreDatabase(
            StoreDatabase.Source(
                kind: .content, migrator: Schema.migrator, file: { contentFiles.newest },
                open: { try Self.open(contentFiles, repair) },
                damageFound: repair.raise))
        self.contentFiles = contentFiles
        self.repair = repair
        self.changes = changes
        self.appVersion = appVersion
        temporary = nil
        do {
            try forgetRefusals(ifOlderThan: appVersion)
        } catch is StoreError {
            // It is done at the first start that can write.
        }
    }

    /// Creates a store of an open database, with files in a temporary folder.
    init(
        _ writer: any DatabaseWriter, temporary: TemporaryStoreFolder, appVersion: String
    ) throws {
        files = LazyFileStorage(folder: temporary.url)
        contentFiles = ContentFiles(folder: temporary.url)
        let changes = Listeners<Void>()
        repair = RepairFlag(folder: temporary.url) { changes.send(()) }
        self.changes = changes
        database = StoreDatabase(writer, .content, Schema.migrator)
        self.appVersion = appVersion
        self.temporary = temporary
        try forgetRefusals(ifOlderThan: appVersion)
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
    /// Switching a new file to WAL needs exclusive access, which SQLite's busy timeout does not cover.
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

    /// Migrates the schema, also when another process does the same at this moment.
    ///
    /// Each migration is one transaction, but the list of missing ones is read before it: the second process fails,
    /// rereads the list and finds one more done.
    /// - Throws: `DatabaseError`; `SQLITE_FORMAT` for a database of a version before 0.1.0, which is not changed.
    static func migrate(_ pool: any DatabaseWriter, _ migrator: DatabaseMigrator) throws {
        var attemptsLeft = migrator.migrations.count
        while try !pool.read(migrator.isComplete) {
            try pool.read(migrator.checkBaseline)
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
        // A damaged document is found when it is read.
        try? rereadPartialDocuments()
        try set("appVersion", appVersion)
    }

    /// Returns a small value that was saved under a name.
    package func setting(_ name: String) throws -> String? {
        try database.read { database in
            try String.fetchOne(
                database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
        }
    }

    /// Saves a small value under a name.
    package func set(_ name: String, _ value: String) throws {
        try database.write { try Self.set(name, value, in: $0) }
    }

    static func set(_ name: String, _ value: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
            arguments: [name, value])
    }
}

extension DatabaseMigrator {
    /// Returns true when all migrations are done.
    ///
    /// - Throws: `DatabaseError`; `SQLITE_CORRUPT` also for a damaged list of migrations.
    func isComplete(_ database: Database) throws -> Bool {
        do {
            return try hasCompletedMigrations(database)
        } catch is RowDecodingError {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "The list of migrations is damaged.")
        }
    }

    /// Checks that the database is new or began with the first migration.
    ///
    /// - Throws: `DatabaseError` `SQLITE_FORMAT`, which SQLite itself does not use.
    fileprivate func checkBaseline(_ database: Database) throws {
        let applied = try appliedIdentifiers(database)
        guard let first = migrations.first, !applied.isEmpty, !applied.contains(first) else {
            return
        }
        throw DatabaseError(
            resultCode: .SQLITE_FORMAT, message: "The tables are of a version before \(first).")
    }
}
