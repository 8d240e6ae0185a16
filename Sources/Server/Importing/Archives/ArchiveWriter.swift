import CArchive
import Publishing

/// A writer of zip archives.
enum ArchiveWriter {
    /// Returns an archive of files, in their order and with a fixed time.
    ///
    /// - Throws: `PublishingError` `unwritable`.
    static func bytes(_ files: [(name: String, bytes: [UInt8])]) throws -> [UInt8] {
        let package = try Files.makeTemporary()
        defer { Files.remove(package) }
        guard let writer = underway_zip_create(package) else { throw Files.unwritable(package) }
        var isSound = true
        for (name, bytes) in files {
            isSound = underway_zip_add(writer, name, bytes, bytes.count) == 0 && isSound
        }
        guard underway_zip_finish(writer) == 0, isSound else { throw Files.unwritable(package) }
        return try Files.read(package, limit: .max)
    }
}
