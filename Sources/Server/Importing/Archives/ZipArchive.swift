import CArchive
import ContentModel

/// A reader of zip archives with limits, in memory alone.
///
/// Pictures and clips are unpacked when they are asked for, all else at once. Names that could leave a folder, links, encrypted entries and excessive compression are
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

    /// The readable entries by name, without pictures and clips.
    private(set) var files: [String: [UInt8]] = [:]
    /// The names in the order of the archive.
    private(set) var names: [String] = []
    /// The rejected entries with their reasons.
    private(set) var refused: [(name: String, reason: String)] = []

    /// The pictures and clips, by name.
    private var media: [String: (index: Int64, size: Int)] = [:]
    private let zip: OpenZip

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
        guard let zip = OpenZip(bytes) else {
            throw ImportError(file, .unreadable, "is not a zip archive, or is damaged")
        }
        self.zip = zip
        self.allowsAnyName = allowsAnyName
        try read(file: file, size: bytes.count)
    }

    /// Returns an entry; `nil` if there is none, or it is damaged.
    func bytes(_ name: String) -> [UInt8]? {
        files[name] ?? media[name].flatMap { zip.content($0.index, capacity: $0.size) }
    }

    /// Returns whether there is an entry.
    func contains(_ name: String) -> Bool { files[name] != nil || media[name] != nil }

    private mutating func read(file: String, size: Int) throws(ImportError) {
        let count = zip.count
        guard count <= Limits.entriesMax else {
            throw ImportError(
                file, .limit, "has \(count) entries, at most \(Limits.entriesMax) are allowed")
        }
        var entries: [(index: Int64, name: String, size: Int)] = []
        var seen: Set<String> = []
        var (packed, unpacked): (UInt64, UInt64) = (0, 0)
        for index in 0..<max(0, count) {
            guard let (name, entry) = zip.entry(index) else {
                refused.append(("entry \(index + 1)", "it cannot be read"))
                continue
            }
            if name.hasSuffix("/") { continue }
            packed = packed.addingReportingOverflow(entry.compressed_size).partialValue
            guard packed <= UInt64(size) else {
                throw ImportError(
                    file, .unreadable,
                    "has entries that overlap or are cut off; pack its files anew")
            }
            if let reason = objection(name, entry) {
                refused.append((name, reason))
                continue
            }
            guard seen.insert(name).inserted else {
                refused.append((name, "the name stands twice in the archive"))
                continue
            }
            unpacked += entry.size
            entries.append((index, name, Int(entry.size)))
        }
        guard unpacked <= UInt64(Limits.bytesMax) else {
            throw ImportError(
                file, .limit, "holds more than \(Limits.bytesMax) bytes when unpacked")
        }
        for (index, name, size) in entries { unpack(index, name, size) }
    }

    private mutating func unpack(_ index: Int64, _ name: String, _ size: Int) {
        let ending = name.split(separator: ".").last?.lowercased() ?? ""
        if ImportedMedia.endings.contains(ending) {
            media[name] = (index, size)
        } else if let content = zip.content(index, capacity: size) {
            files[name] = content
        } else {
            let reason = "it is damaged, or not as long as the archive says; pack the files anew"
            return refused.append((name, reason))
        }
        names.append(name)
    }

    /// Returns the reason to reject an entry; `nil` for a valid one.
    private func objection(_ name: String, _ entry: underway_zip_entry) -> String? {
        if entry.is_special != 0 { return "it is a link" }
        if entry.is_encrypted != 0 {
            return "it is encrypted; pack the files without a password"
        }
        if !allowsAnyName, ContentPath(name) == nil { return "its name is not a safe path" }
        let swells =
            entry.size > 1024 * 1024
            && entry.size / max(entry.compressed_size, 1) > Limits.ratioMax
        if swells { return "it swells more than \(Limits.ratioMax) times" }
        if entry.size > UInt64(ContentLimits.fileBytesMax) {
            return
                "it has \(entry.size) bytes, at most \(ContentLimits.fileBytesMax) are allowed; export it in parts"
        }
        return nil
    }

    /// Says why entries that are needed may be missing; empty if all can be read.
    var whyMissing: String {
        refused.first.map { ": \($0.name) was left out, because \($0.reason)" } ?? ""
    }
}

/// An archive that stays open, with its bytes.
private final class OpenZip {
    private let zip: OpaquePointer
    private let copy: UnsafeMutableBufferPointer<UInt8>

    /// Opens an archive; `nil` for bytes that are none.
    init?(_ bytes: [UInt8]) {
        copy = .allocate(capacity: max(1, bytes.count))
        _ = copy.initialize(from: bytes)
        guard let base = copy.baseAddress, let zip = underway_zip_open(base, bytes.count) else {
            copy.deallocate()
            return nil
        }
        self.zip = zip
    }

    deinit {
        underway_zip_close(zip)
        copy.deallocate()
    }

    var count: Int64 { underway_zip_count(zip) }

    func entry(_ index: Int64) -> (name: String, entry: underway_zip_entry)? {
        var entry = underway_zip_entry()
        guard underway_zip_stat(zip, index, &entry) == 0, let name = entry.name else { return nil }
        return (String(cString: name), entry)
    }

    /// Unpacks an entry; `nil` for a damaged one, or one of another length.
    func content(_ index: Int64, capacity: Int) -> [UInt8]? {
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
