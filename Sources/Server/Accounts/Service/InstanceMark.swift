package import Foundation
import ServiceAPI
import Synchronization
import Tables

/// A detector of a database that was restored from a backup without a declaration.
///
/// The database and a file beside the server's key store a random mark; both change together every few minutes. A
/// backup has an older mark than the file. The server's generation then increases, and sessions of earlier generations
/// may prove themselves by their tokens.
package final class InstanceMark: Sendable {
    /// The content of the file: the possible marks of the database, and the greatest generation so far.
    package struct Contents: Codable, Sendable, Hashable {
        /// The mark of the database when the file was written.
        package var mark: String
        /// The next mark, written to the file before the database; after a crash between both writes, the database may
        /// have it.
        package var nextMark: String?
        /// The generation of the database when the file was written.
        package var generation: Int64

        package init(mark: String, nextMark: String? = nil, generation: Int64) {
            self.mark = mark
            self.nextMark = nextMark
            self.generation = generation
        }
    }

    private let file: URL?
    private let renewedAt = Mutex<Int64>(0)

    /// - Parameter file: The file of the mark; `nil` for a service in memory.
    package init(file: URL?) { self.file = file }

    /// True without a file: marks are then neither compared nor renewed.
    package var isAbsent: Bool { file == nil }

    /// Returns true once every few minutes, and never without a file.
    package func isDue(now: Int64) -> Bool {
        guard file != nil else { return false }
        return renewedAt.withLock { last in
            let isDue = last == 0 || abs(now - last) >= ServiceLimits.instanceMarkSeconds * 1000
            if isDue { last = now }
            return isDue
        }
    }

    /// Reads the file; `nil` if it does not exist.
    ///
    /// - Throws: `SetupError` if it contains no mark.
    package func read() throws -> Contents? {
        guard let file, FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try JSONDecoder().decode(Contents.self, from: try Data(contentsOf: file))
        } catch {
            throw SetupError(
                path: file.path,
                "\(file.path) does not hold the mark of the database (it is empty, damaged or"
                    + " unreadable). Move it away: the server then treats its database as restored, and"
                    + " devices compare what they have.")
        }
    }

    /// Replaces the file; it is synced to disk on return.
    ///
    /// - Throws: An error of the file system.
    package func write(_ contents: Contents) throws {
        guard let file else { return }
        try DurableFile.replace(file, with: try JSONEncoder().encode(contents))
    }
}

/// The mark and the generation of a database, compared with the file of the mark.
package struct MarkComparison: Sendable, Hashable {
    /// The next generation; `nil` if the database's generation continues.
    package var nextGeneration: Int64?
    /// True when the database may differ from the one that the file was written for, or a restore was declared; the
    /// journal must then be replayed.
    package var isRestored = false

    /// Compares the file's marks with the database's.
    ///
    /// | file | database | then |
    /// |---|---|---|
    /// | none | no mark | a new database |
    /// | none | a mark | from elsewhere, at an unknown age: restored |
    /// | its mark or the next | the file's generation | the same database |
    /// | its mark or the next | another generation | a declared restore |
    /// | another mark | any | restored |
    package init(file: InstanceMark.Contents?, mark: String?, generation: Int64) {
        guard let file else {
            guard mark != nil else { return }
            (nextGeneration, isRestored) = (generation + 1, true)
            return
        }
        let mark = mark ?? ""
        if mark == file.mark || mark == file.nextMark {
            isRestored = generation != file.generation
        } else {
            (nextGeneration, isRestored) = (max(generation, file.generation) + 1, true)
        }
    }
}
