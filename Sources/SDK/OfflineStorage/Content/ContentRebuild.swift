import ContentModel
import Foundation
import GRDB

/// A rebuild of the content database from the undamaged rows of a damaged one.
///
/// Only verified rows are copied: blobs and manifests by their checksums, other rows by the schema. A repair never
/// removes a document that could be shown before, even without a network for the others.
struct ContentRebuild {
    let files: ContentFiles

    /// Builds the database that replaces a damaged one.
    ///
    /// - Throws: `DatabaseError` or `StoreError` when it cannot be written; nothing has changed then.
    func run(replacing damaged: URL) throws {
        let new = files.unfinished()
        defer {
            // The finished one has a second name.
            try? FileManager.default.removeItem(at: new)
        }
        PrivateFiles.create(new)
        let target = try DatabaseQueue(path: new.path, configuration: DeviceDatabase.configuration)
        try Schema.migrator.migrate(target)
        // From a file that cannot even be opened nothing is copied.
        if let source = try? DatabaseQueue(path: damaged.path, configuration: Self.tolerant) {
            try salvage(source, into: target)
        }
        try target.close()
        try files.adopt(new, after: damaged)
    }

    /// The settings with which SQLite opens a truncated database.
    private static var tolerant: Configuration {
        var configuration = DeviceDatabase.configuration
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
        }
        return configuration
    }

    private func salvage(_ source: DatabaseQueue, into target: DatabaseQueue) throws {
        try target.write { target in
            try source.inDatabase { source in
                try Salvage(source: source, target: target).run()
            }
        }
    }
}

/// One pass over a damaged database.
private struct Salvage {
    let source: Database
    let target: Database

    /// Copies all tables in an order in which entries find their generation and blob.
    func run() throws {
        let tables = try String.fetchAll(
            target,
            sql: """
                SELECT name FROM sqlite_master WHERE type = 'table'
                    AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
                    AND name NOT IN ('blob', 'generation', 'entry', 'question')
                """)
        for table in ["blob", "generation", "entry"] + tables { try copy(table) }
        try completeEntries()
        try target.execute(
            sql: """
                UPDATE generation SET state = 'current' WHERE state = 'lastGood'
                    AND NOT EXISTS (SELECT 1 FROM generation WHERE state = 'current')
                """)
    }

    /// Copies the rows of a table, also from its end if reading from its start fails.
    private func copy(_ table: String) throws {
        for order in ["", " ORDER BY rowid DESC", " ORDER BY 1 DESC, 2 DESC, 3 DESC"] {
            do {
                let rows = try Row.fetchCursor(source, sql: "SELECT * FROM \(table)\(order)")
                while let row = try rows.next() { try insert(row, into: table) }
                return
            } catch is DatabaseError {
                // A failed write is a StoreError; this is the damage.
                continue
            }
        }
    }

    private func insert(_ row: Row, into table: String) throws {
        var values = Dictionary(row.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
        switch table {
        case "blob": guard isWhole(values, "checksum", "bytes") else { return }
        case "generation": values = withWholeManifest(values)
        case "setting" where String.fromDatabaseValue(values["name"] ?? .null) == "schedule": return
        default: break
        }
        let names = values.keys.sorted()
        let columns = names.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
        let places = names.map { _ in "?" }.joined(separator: ", ")
        do {
            try target.cachedStatement(
                sql: "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(places))"
            ).execute(arguments: StatementArguments(names.map { values[$0] ?? .null }))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            // A row that the schema does not admit is damaged, or refers to a damaged one.
            return
        } catch let error as DatabaseError {
            throw StoreError(
                .storage, "The database cannot be repaired. Make room and try again.", cause: error)
        }
    }

    private func isWhole(
        _ values: [String: DatabaseValue], _ checksum: String, _ bytes: String
    ) -> Bool {
        guard let hex = String.fromDatabaseValue(values[checksum] ?? .null),
            let data = Data.fromDatabaseValue(values[bytes] ?? .null)
        else { return false }
        return Checksum(of: [UInt8](data)).hex == hex
    }

    /// Replaces a damaged manifest of a generation by an empty one, so that the next sync treats the published release
    /// as new; the generation's documents remain.
    private func withWholeManifest(_ values: [String: DatabaseValue]) -> [String: DatabaseValue] {
        guard !isWhole(values, "manifestChecksum", "manifest") else { return values }
        let release = Int.fromDatabaseValue(values["release"] ?? .null) ?? 0
        let manifest = Manifest(release: max(0, release)).canonicalBytes
        var values = values
        values["manifest"] = Data(manifest).databaseValue
        values["manifestChecksum"] = Checksum(of: manifest).hex.databaseValue
        return values
    }

    /// Inserts the lost entries of the documents of a manifest.
    private func completeEntries() throws {
        let rows = try Row.fetchAll(target, sql: "SELECT id, manifest FROM generation")
        for row in rows {
            guard let id = Int64.fromDatabaseValue(row["id"]),
                let bytes = Data.fromDatabaseValue(row["manifest"]),
                // A manifest that this version cannot read names nothing that it could show.
                let manifest = try? ReleaseReader.manifest([UInt8](bytes)).manifest
            else { continue }
            for document in manifest.eagerDocuments {
                try target.cachedStatement(
                    sql: """
                        INSERT OR IGNORE INTO entry (generation, kind, key, checksum)
                        SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM blob WHERE checksum = ?4)
                            AND NOT EXISTS (
                                SELECT 1 FROM refusal
                                WHERE generation = ?1 AND kind = ?2 AND key = ?3)
                        """
                ).execute(arguments: [
                    id, document.kind.rawValue, document.key, document.checksum.hex,
                ])
            }
        }
    }
}
