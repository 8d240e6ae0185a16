import Foundation
import GRDB
import ServiceAPI
import Synchronization

/// A detector of a database that was restored from a backup without notice.
///
/// A random mark is stored in the database and in a file beside the server's key, and both change
/// together every few minutes. A backup has an older mark than the file: then the server's
/// generation grows, and sessions of earlier generations may prove themselves by their tokens.
final class InstanceMark: Sendable {
    /// The content of the file: the marks that the database may have, and the greatest generation
    /// so far.
    private struct Contents: Codable {
        var mark: String
        /// The next mark, written to the file before the database: the database has it after a kill
        /// between the two.
        var nextMark: String?
        var generation: Int64
    }

    private static let markSetting = "instanceMark"
    private static let generationSetting = "generation"

    private let file: URL?
    private let renewedAt = Mutex<Int64>(0)

    /// - Parameter file: The file of the mark; `nil` for a service in memory.
    init(file: URL?) { self.file = file }

    // MARK: Generation

    /// Returns the server's generation: 0, and one more after each restore.
    static func generation(in database: Database) throws -> Int64 {
        try setting(generationSetting, in: database).flatMap { Int64($0) } ?? 0
    }

    private static func setting(_ name: String, in database: Database) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM setting WHERE name = ?"),
            arguments: [name])
    }

    private static func set(_ name: String, _ value: String, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
            arguments: [name, value])
    }

    // MARK: At the start

    /// Compares the marks, and begins another generation when the database went back.
    ///
    /// - Parameter database: The service's.
    /// - Returns: True when the database is not the one that the file was last written for, or a
    ///   restore was declared: then the journal must be replayed.
    /// - Throws: An error of the file system or the database.
    func compare(with database: UserDatabase) async throws -> Bool {
        guard let contents = try read() else { return try await hasMark(database) }
        return try await database.write { database in
            let generation = try Self.generation(in: database)
            let mark = try Self.setting(Self.markSetting, in: database) ?? ""
            if mark == contents.mark || mark == contents.nextMark {
                return generation != contents.generation
            }
            try Self.set(
                Self.generationSetting, String(max(generation, contents.generation) + 1),
                in: database)
            return true
        }
    }

    /// Returns whether the database has a mark: without its file it came from elsewhere, at an
    /// unknown age.
    private func hasMark(_ database: UserDatabase) async throws -> Bool {
        guard file != nil else { return false }
        return try await database.write { database in
            guard try Self.setting(Self.markSetting, in: database) != nil else { return false }
            let generation = try Self.generation(in: database)
            try Self.set(Self.generationSetting, String(generation + 1), in: database)
            return true
        }
    }

    // MARK: Every few minutes

    /// Changes both marks when the last change is some minutes old.
    ///
    /// - Parameters:
    ///   - database: The service's.
    ///   - now: In milliseconds since 1970.
    /// - Throws: An error of the file system or the database.
    func renew(in database: UserDatabase, now: Int64) async throws {
        let isDue = renewedAt.withLock { last in
            let isDue = last == 0 || abs(now - last) >= ServiceLimits.instanceMarkSeconds * 1000
            if isDue { last = now }
            return isDue
        }
        guard isDue, let file else { return }
        let next = RandomText.make(bytes: 12)
        try await database.write { database in
            let generation = try Self.generation(in: database)
            let mark = try Self.setting(Self.markSetting, in: database) ?? ""
            // The file first: whenever the server is killed, the file names the database's mark.
            try Self.write(
                Contents(mark: mark, nextMark: next, generation: generation), to: file)
            try Self.set(Self.markSetting, next, in: database)
        }
        try await database.write { database in
            // Another server that starts while this one ends may have changed it meanwhile.
            let mark = try Self.setting(Self.markSetting, in: database) ?? ""
            let generation = try Self.generation(in: database)
            try Self.write(Contents(mark: mark, generation: generation), to: file)
        }
    }

    private func read() throws -> Contents? {
        guard let file, FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try JSONDecoder().decode(Contents.self, from: try Data(contentsOf: file))
        } catch {
            throw UserServiceSetupError(
                path: file.path,
                "\(file.path) does not hold the mark of the database (it is empty, damaged or"
                    + " unreadable). Move it away: the server then treats its database as restored, and"
                    + " devices compare what they have.")
        }
    }

    private static func write(_ contents: Contents, to file: URL) throws {
        try DurableFile.replace(file, with: try JSONEncoder().encode(contents))
    }
}
