import Foundation
import PostgresDriver

/// Backups by PostgreSQL's own programs, as an operator makes them.
extension PostgresServer {
    /// The server's folder, which the programs' user may write.
    private var place: String { socketAddress().hosts[0].name }

    private func connection(_ database: String) -> [String] {
        ["--host=\(place)", "--port=\(port)", "--username=postgres", "--dbname=\(database)"]
    }

    /// Returns a database as statements, with an INSERT for each row.
    public func script(of database: String) throws -> String {
        let file = "\(place)/script-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Programs.run(
            try Programs.postgres("pg_dump"),
            connection(database) + ["--inserts", "--file=\(file)"], folder: place)
        return String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
    }

    /// Makes a backup of a database with `pg_dump`, and returns its file.
    public func backUp(_ database: String) throws -> String {
        let file = "\(place)/backup-\(UUID().uuidString)"
        try Programs.run(
            try Programs.postgres("pg_dump"),
            connection(database) + ["--format=custom", "--file=\(file)"], folder: place)
        return file
    }

    /// Restores a backup into an empty database with `pg_restore`.
    public func restore(_ backup: String, to database: String) throws {
        try Programs.run(
            try Programs.postgres("pg_restore"),
            connection(database) + ["--exit-on-error", "--single-transaction", backup],
            folder: place)
    }
}
