public import ContentModel
public import Foundation
import GRDB

/// The files beside the database: those fetched on demand, and downloads that have not ended.
struct LazyFileStorage: Sendable {
    let files: URL
    let partials: URL

    init(folder: URL) {
        files = folder.appending(path: "files", directoryHint: .isDirectory)
        partials = folder.appending(path: "partial", directoryHint: .isDirectory)
        for folder in [folder, files, partials] {
            // The first file in a folder that cannot be made throws.
            try? PrivateFiles.makeFolder(folder)
        }
        for folder in [files, partials] { PrivateFiles.tightenFolder(folder) }
    }

    func file(_ checksum: Checksum) -> URL { files.appending(path: checksum.hex) }
    func partial(_ checksum: Checksum) -> URL { partials.appending(path: checksum.hex) }

    /// Returns all files, complete and partial.
    func all() -> [URL] {
        [files, partials].flatMap { folder in
            // A folder that cannot be listed is cleaned another time.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.map { folder.appending(path: $0) }
        }
    }
}

extension OfflineStore {
    /// Returns the file that collects the bytes of a download until it is verified.
    package func partialFile(_ checksum: Checksum) -> URL { files.partial(checksum) }

    /// Returns a file that was fetched on demand, or that the bundle contains.
    ///
    /// At its first use in a process, the store verifies a fetched file by its checksum. A damaged file counts as
    /// missing, so that it is fetched again.
    /// - Parameters:
    ///   - checksum: The checksum of the file.
    ///   - now: The time of use; a clean-up removes the least recently used files first.
    /// - Returns: The file; `nil` when it is not on this device.
    /// - Throws: Nothing today; later versions may throw ``StoreError``.
    public func lazyFile(_ checksum: Checksum, now: Date = Date()) throws -> URL? {
        let file = files.file(checksum)
        guard isWhole(file, checksum) else { return bundled.file(checksum) }
        do {
            try database.write { database in
                try database.execute(
                    sql: "UPDATE lazyFile SET lastUsedAt = ? WHERE checksum = ?",
                    arguments: [now.timeIntervalSince1970, checksum.hex])
            }
        } catch is StoreError {
            // A time of use that cannot be saved must not hide the file.
        }
        return file
    }

    private func isWhole(_ file: URL, _ checksum: Checksum) -> Bool {
        guard FileManager.default.fileExists(atPath: file.path) else { return false }
        if verifiedFiles.contains(checksum) { return true }
        guard let data = FileManager.default.contents(atPath: file.path),
            Checksum(of: [UInt8](data)) == checksum
        else { return false }
        verifiedFiles.insert(checksum)
        return true
    }

    /// Moves a verified download to the files fetched on demand.
    package func keepLazyFile(
        _ download: URL, as checksum: Checksum, size: Int, now: Date
    ) throws -> URL {
        let target = files.file(checksum)
        try moveFile(download, over: target)
        PrivateFiles.tighten(target)
        try database.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO lazyFile VALUES (?, ?, ?)",
                arguments: [checksum.hex, size, now.timeIntervalSince1970])
        }
        return target
    }

    private func moveFile(_ source: URL, over target: URL) throws {
        // The same bytes: another process may have been faster.
        try? FileManager.default.removeItem(at: target)
        do {
            try FileManager.default.moveItem(at: source, to: target)
        } catch {
            throw StoreError(
                .storage,
                "\(files.files.path) cannot be written. Make room, or let this user write there.",
                cause: error)
        }
    }

    /// Removes a damaged file that was fetched on demand.
    package func discardLazyFile(_ checksum: Checksum) throws {
        verifiedFiles.remove(checksum)
        // A missing file need not be removed.
        try? FileManager.default.removeItem(at: files.file(checksum))
        try database.write { database in
            try database.execute(
                sql: "DELETE FROM lazyFile WHERE checksum = ?", arguments: [checksum.hex])
        }
    }

    /// Returns the checksums of files fetched on demand that are damaged or missing.
    package func damagedLazyFiles() throws -> [Checksum] {
        let known = try database.read { database in
            try String.fetchAll(database, sql: "SELECT checksum FROM lazyFile")
        }
        return known.compactMap { Checksum(hex: $0) }.filter { checksum in
            let data = FileManager.default.contents(atPath: files.file(checksum).path)
            return data.map { Checksum(of: [UInt8]($0)) } != checksum
        }
    }

    /// Removes files that no installed generation names and old downloads, then the least recently used files, until at
    /// most `quotaBytes` are left.
    ///
    /// - Returns: The number of bytes that were freed.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    @discardableResult
    public func cleanUpLazyFiles(quotaBytes: Int) throws -> Int {
        let rows = try database.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM lazyFile ORDER BY lastUsedAt")
        }
        // Most devices have none most of the time, and need not read their manifests for that.
        let present = files.all()
        guard !rows.isEmpty || !present.isEmpty else { return 0 }
        let named = try namedLazyFiles()
        for file in present where !named.contains(file.lastPathComponent) {
            // A crash between moving a file and noting it leaves a file that no row names.
            try? FileManager.default.removeItem(at: file)
        }
        var total = rows.reduce(0) { $0 + ($1["size"] as Int) }
        var freed = 0
        for row in rows {
            let hex: String = row["checksum"]
            let isOrphan = !named.contains(hex)
            guard isOrphan || total > quotaBytes, let checksum = Checksum(hex: hex) else {
                continue
            }
            try discardLazyFile(checksum)
            total -= row["size"] as Int
            freed += row["size"] as Int
        }
        return freed
    }

    /// Returns the size in bytes of each file that was fetched on demand, by checksum; files of the bundle are not
    /// included, since they cannot be removed.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func fetchedFiles() throws -> [Checksum: Int] {
        let rows = try database.read { database in
            try Row.fetchAll(database, sql: "SELECT checksum, size FROM lazyFile")
        }
        return rows.reduce(into: [:]) { sizes, row in
            if let checksum = Checksum(hex: row["checksum"] as String), !bundled.ships(checksum) {
                sizes[checksum] = row["size"] as Int
            }
        }
    }

    /// Removes files that were fetched on demand; the next use fetches them again.
    ///
    /// - Parameter checksums: The files; other files, and files of the bundle, are not removed.
    /// - Returns: The number of bytes that were freed.
    /// - Throws: ``StoreError`` `storage` or `damaged`; files removed before the failure are not restored.
    @discardableResult
    public func removeFetchedFiles(_ checksums: Set<Checksum>) throws -> Int {
        var freed = 0
        for (checksum, size) in try fetchedFiles() where checksums.contains(checksum) {
            try discardLazyFile(checksum)
            freed += size
        }
        return freed
    }

    private func namedLazyFiles() throws -> Set<String> {
        let manifests = try database.read { database in
            try Data.fetchAll(database, sql: "SELECT manifest FROM generation")
        }
        return manifests.reduce(into: []) { names, data in
            // A damaged manifest names no files; they are fetched again.
            let manifest = try? ReleaseReader.manifest([UInt8](data)).manifest
            names.formUnion(manifest?.lazyChecksums.map(\.hex) ?? [])
        }
    }
}
