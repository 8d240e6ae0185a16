import ContentModel

/// What publishing remembers of a release directory, so that neither unchanged sources nor
/// unchanged served files are read again; kept as git keeps its index.
///
/// It is a cache: without it, everything is read once and the result is the same.
struct ReleaseIndex: Sendable, Equatable {
    /// Kept in a folder that is not served.
    static let path = ".underway/index"

    var release = 0
    var manifestChecksum: Checksum
    var manifestStamp: FileStamp
    /// What the settings said that changes how units are built.
    var settingsChecksum: Checksum?
    var contentBaseURL: String?
    var units: [String: IndexedUnit] = [:]
    var listings: [String: FolderListing] = [:]
}

/// A unit as it was last built.
struct IndexedUnit: Sendable, Equatable {
    var step: PublishStep
    var name: String
    /// Empty when the unit must be built again.
    var sources: [SourceFile] = []
    /// Its part of the manifest, as canonical JSON without `contentUpdatedAt`.
    var fragment: [UInt8]
    /// When an exam last changed.
    var updatedAt: String?
    var files: [IndexedFile]

    var key: String { "\(step.rawValue)/\(name)" }
}

/// A served file as it was last written.
struct IndexedFile: Sendable, Equatable {
    var path: String
    var checksum: Checksum
    var size: Int
    /// `nil` when the served file has not been looked at.
    var stamp: FileStamp?
}

extension ReleaseIndex {
    /// Its number changes with what is checked too, so that everything is checked once by each version.
    private static let header = "underway-index 2"
    private static let footer = "end"

    /// One line a thing, its fields parted by tabs; no path or JSON holds a raw tab.
    var bytes: [UInt8] {
        var writer = LineWriter()
        writer.bytes.reserveCapacity(600 * units.count)
        writer.line(Self.header)
        writer.line(
            "r", "\(release)", manifestChecksum.hex, stamp: manifestStamp,
            settingsChecksum?.hex ?? "", contentBaseURL ?? "")
        for (path, listing) in listings {
            writer.line("d", path, stamp: listing.stamp, listing.names.joined(separator: "/"))
        }
        let unseen = FileStamp(size: -1, modified: 0, inode: 0)
        for unit in units.values {
            writer.line("u", unit.step.rawValue, unit.name, unit.updatedAt ?? "")
            for source in unit.sources { writer.line("s", source.path, stamp: source.stamp) }
            for file in unit.files {
                writer.line(
                    "f", file.path, file.checksum.hex, "\(file.size)", stamp: file.stamp ?? unseen)
            }
            writer.bytes += "m\t".utf8
            writer.bytes += unit.fragment
            writer.bytes.append(UInt8(ascii: "\n"))
        }
        writer.line(Self.footer)
        return writer.bytes
    }

    /// Reads an index; `nil` when it is damaged or of another version.
    init?(_ bytes: [UInt8]) {
        var lines = LineReader(bytes)
        guard lines.next(), lines.text(0) == Self.header, lines.next(), lines.text(0) == "r",
            lines.count == 8, let checksum = Checksum(hex: lines.text(2))
        else { return nil }
        self.init(
            release: lines.number(1), manifestChecksum: checksum, manifestStamp: lines.stamp(3),
            settingsChecksum: Checksum(hex: lines.text(6)))
        contentBaseURL = lines.text(7).isEmpty ? nil : lines.text(7)
        var unit: IndexedUnit?
        while lines.next() {
            switch lines.text(0) {
            case "d" where lines.count == 6:
                let names = lines.text(5).split(separator: "/").map(String.init)
                listings[lines.text(1)] = FolderListing(stamp: lines.stamp(2), names: names)
            case "u" where lines.count == 4:
                if let unit { units[unit.key] = unit }
                guard let step = PublishStep(rawValue: lines.text(1)) else { return nil }
                unit = IndexedUnit(step: step, name: lines.text(2), fragment: [], files: [])
                unit?.updatedAt = lines.text(3).isEmpty ? nil : lines.text(3)
            case "s" where lines.count == 5:
                unit?.sources.append(SourceFile(path: lines.text(1), stamp: lines.stamp(2)))
            case "f" where lines.count == 7:
                guard let checksum = lines.checksum(2) else { return nil }
                let stamp = lines.stamp(4)
                unit?.files.append(
                    IndexedFile(
                        path: lines.text(1), checksum: checksum, size: lines.number(3),
                        stamp: stamp.size < 0 ? nil : stamp))
            case "m" where lines.count == 2: unit?.fragment = lines.bytes(1)
            case Self.footer:
                if let unit { units[unit.key] = unit }
                return
            default: return nil
            }
        }
        return nil
    }
}

private struct LineWriter {
    var bytes: [UInt8] = []

    /// Writes fields, a stamp as three of them, and more fields.
    mutating func line(_ fields: String..., stamp: FileStamp? = nil, _ more: String...) {
        let start = bytes.count
        for field in fields { add(field.utf8, start) }
        if let stamp {
            for number in [stamp.size, stamp.modified, stamp.inode] { add("\(number)".utf8, start) }
        }
        for field in more { add(field.utf8, start) }
        bytes.append(UInt8(ascii: "\n"))
    }

    private mutating func add(_ field: String.UTF8View, _ start: Int) {
        if bytes.count > start { bytes.append(UInt8(ascii: "\t")) }
        bytes.append(contentsOf: field)
    }
}

/// Walks over lines of tab-separated fields without making a string of what is not asked for.
private struct LineReader {
    private let content: [UInt8]
    private var offset = 0
    private var fields: [Range<Int>] = []

    init(_ content: [UInt8]) { self.content = content }

    var count: Int { fields.count }

    /// Goes to the next line; false at the end.
    mutating func next() -> Bool {
        guard offset < content.count else { return false }
        fields.removeAll(keepingCapacity: true)
        content.withUnsafeBufferPointer { bytes in
            var start = offset
            var end = offset
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") {
                if bytes[end] == UInt8(ascii: "\t") {
                    fields.append(start..<end)
                    start = end + 1
                }
                end += 1
            }
            fields.append(start..<end)
            offset = end + 1
        }
        return true
    }

    func bytes(_ field: Int) -> [UInt8] { Array(content[fields[field]]) }

    func text(_ field: Int) -> String {
        content.withUnsafeBufferPointer { String(decoding: $0[fields[field]], as: UTF8.self) }
    }

    func checksum(_ field: Int) -> Checksum? {
        content.withUnsafeBufferPointer { Checksum(hexBytes: $0[fields[field]]) }
    }

    func number(_ field: Int) -> Int {
        content.withUnsafeBufferPointer { bytes in
            var value = 0
            var isNegative = false
            for byte in bytes[fields[field]] {
                if byte == UInt8(ascii: "-") {
                    isNegative = true
                } else {
                    value = value &* 10 &+ Int(byte &- 0x30)
                }
            }
            return isNegative ? -value : value
        }
    }

    func stamp(_ field: Int) -> FileStamp {
        FileStamp(
            size: number(field), modified: number(field + 1), inode: number(field + 2))
    }
}
