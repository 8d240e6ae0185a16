import CArchive
import ContentModel

/// A reader of zip archives with limits, in memory alone.
///
/// Names that could leave a folder, links, encrypted entries and excessive compression are
/// rejected.
struct ZipArchive {
    /// The limits of an archive.
    enum Limits {
        /// The most entries.
        static let entriesMax: Int64 = 50_000
        /// The most bytes of all entries together.
        static let bytesMax = 1024 * 1024 * 1024
        /// The largest compression ratio of an entry of more than a mebibyte.
        static let ratioMax: UInt64 = 250
    }

    /// The readable entries by name.
    private(set) var files: [String: [UInt8]] = [:]
    /// The names in the order of the archive.
    private(set) var names: [String] = []
    /// The rejected entries with their reasons.
    private(set) var refused: [(name: String, reason: String)] = []

    /// True when entries may have names that are no path of a content folder.
    private let allowsAnyName: Bool

    /// Reads a whole archive.
    ///
    /// - Parameters:
    ///   - bytes: The archive.
    ///   - file: The file, for messages.
    ///   - allowsAnyName: Whether names only find parts, and never become those of files.
    /// - Throws: `ImportError` when it is not an archive or exceeds the limits.
    init(_ bytes: [UInt8], file: String, allowsAnyName: Bool = false) throws(ImportError) {
        let outcome: Result<ZipArchive, ImportError> = bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                let zip = underway_zip_open(base, buffer.count)
            else {
                return .failure(ImportError(file, "is not a zip archive, or is damaged"))
            }
            defer { underway_zip_close(zip) }
            var archive = ZipArchive(allowsAnyName: allowsAnyName)
            do throws(ImportError) {
                try archive.read(zip, file: file)
                return .success(archive)
            } catch {
                return .failure(error)
            }
        }
        self = try outcome.get()
    }

    private init(allowsAnyName: Bool) { self.allowsAnyName = allowsAnyName }

    private mutating func read(_ zip: OpaquePointer, file: String) throws(ImportError) {
        let count = underway_zip_count(zip)
        guard count <= Limits.entriesMax else {
            throw ImportError(
                file, "has \(count) entries, at most \(Limits.entriesMax) are allowed")
        }
        var left = Limits.bytesMax
        for index in 0..<max(0, count) {
            var entry = underway_zip_entry()
            guard underway_zip_stat(zip, index, &entry) == 0, let raw = entry.name else {
                refused.append(("entry \(index)", "it cannot be read"))
                continue
            }
            let name = String(cString: raw)
            if name.hasSuffix("/") { continue }
            if let reason = objection(name, entry) {
                refused.append((name, reason))
                continue
            }
            guard files[name] == nil else {
                refused.append((name, "the name stands twice in the archive"))
                continue
            }
            guard entry.size <= UInt64(left) else {
                throw ImportError(
                    file, "holds more than \(Limits.bytesMax) bytes when unpacked")
            }
            // What is damaged costs as much as what is whole.
            left -= Int(entry.size)
            guard let content = Self.content(zip, index, capacity: Int(entry.size)) else {
                refused.append((name, "it is damaged"))
                continue
            }
            files[name] = content
            names.append(name)
        }
    }

    /// Returns the reason to reject an entry; `nil` for a valid one.
    private func objection(_ name: String, _ entry: underway_zip_entry) -> String? {
        if entry.is_special != 0 { return "it is a link" }
        if entry.is_encrypted != 0 { return "it is encrypted" }
        if !allowsAnyName, ContentPath(name) == nil { return "its name is not a safe path" }
        let swells =
            entry.size > 1024 * 1024
            && entry.size / max(entry.compressed_size, 1) > Limits.ratioMax
        if swells { return "it swells more than \(Limits.ratioMax) times" }
        if entry.size > UInt64(ContentLimits.fileBytesMax) { return "it is too large" }
        return nil
    }

    private static func content(
        _ zip: OpaquePointer, _ index: Int64, capacity: Int
    ) -> [UInt8]? {
        var isWhole = false
        let bytes = [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            let read = underway_zip_read(zip, index, base, capacity)
            isWhole = read == Int64(capacity)
            count = isWhole ? capacity : 0
        }
        return isWhole ? bytes : nil
    }
}

/// A decompressor of Zstandard.
enum Zstandard {
    /// Decompresses a whole frame; `nil` when it is damaged or exceeds the limit.
    static func decompressed(
        _ bytes: [UInt8], limit: Int = ContentLimits.fileBytesMax
    ) -> [UInt8]? {
        var capacity = min(max(bytes.count * 4, 64 * 1024), limit)
        while true {
            var read: Int64 = -1
            let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                guard let base = buffer.baseAddress else { return }
                read = underway_zstd(bytes, bytes.count, base, capacity)
                count = max(0, Int(read))
            }
            if read >= 0 { return output }
            guard read == -2, capacity < limit else { return nil }
            capacity = min(capacity * 4, limit)
        }
    }
}
