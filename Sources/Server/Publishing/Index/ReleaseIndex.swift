import ContentModel

/// The publisher's memory of a release directory, so that neither unchanged sources nor
/// unchanged served files are read again, as git does with its index.
///
/// It is a cache: without it, everything is read once and the result is the same.
struct ReleaseIndex: Sendable, Equatable {
    /// The path in the release directory, in a folder that is not served.
    static let path = ".underway/index"

    var release = 0
    var manifestChecksum: Checksum
    var manifestStamp: FileStamp
    /// The checksum of those settings that change how units are built.
    var settingsChecksum: Checksum?
    /// The checksum of the declared versions of the app for which everything was checked; `nil` for none.
    var supportChecksum: Checksum?
    var contentBaseURL: String?
    /// The devices that get the release; `nil` for all.
    var rollout: Rollout?
    /// True when the last publish saw files or folders under readable names that no unit owns.
    var hasStrayFiles = false
    var listings = RecordTable<FolderListing>()
    var units = RecordTable<IndexedUnit>()
}

/// The form of an index on the disk: a line that names the version, what is remembered as numbers
/// and texts after their length, and a sum of all of that.
///
/// An index of another version, or one that is damaged at any place, counts as none: everything is
/// then read again.
extension ReleaseIndex {
    /// The line that names the version; an index of another one is not read.
    static let header = Array("underway-index 6\n".utf8)

    var bytes: [UInt8] {
        var writer = IndexWriter(Self.header, capacity: 512 * (units.count + listings.count) + 1024)
        writer.add(release)
        writer.add(manifestChecksum.hex)
        writer.add(manifestStamp)
        writer.add(settingsChecksum?.hex ?? "")
        writer.add(supportChecksum?.hex ?? "")
        writer.add(contentBaseURL ?? "")
        writer.add(rollout.map { String(decoding: $0.json.canonicalBytes, as: UTF8.self) } ?? "")
        writer.add(hasStrayFiles ? 1 : 0)
        listings.write(to: &writer)
        units.write(to: &writer)
        writer.seal()
        return writer.bytes
    }

    /// Puts the sum of all bytes behind them.
    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        var writer = IndexWriter(bytes)
        writer.seal()
        return writer.bytes
    }

    /// Reads an index; `nil` when it is damaged or of another version.
    init?(_ bytes: [UInt8]) {
        let read = bytes.withUnsafeBytes { raw -> ReleaseIndex? in
            let end = raw.count - MemoryLayout<UInt64>.size
            guard end >= Self.header.count, raw.starts(with: Self.header) else { return nil }
            let sum = raw.loadUnaligned(fromByteOffset: end, as: UInt64.self)
            guard WordSum.of(UnsafeRawBufferPointer(rebasing: raw[..<end])).littleEndian == sum
            else { return nil }
            var reader = IndexReader(
                UnsafeRawBufferPointer(rebasing: raw[Self.header.count..<end]))
            // The sum was right: what does not fit was written by a program that is unknown.
            return try? ReleaseIndex(from: &reader, in: bytes)
        }
        guard let read else { return nil }
        self = read
    }

    private init(
        from reader: inout IndexReader, in bytes: [UInt8]
    ) throws(IndexReader.Damage) {
        let release = try reader.number()
        let checksum = try reader.checksum()
        self.init(
            release: release, manifestChecksum: checksum, manifestStamp: try reader.stamp())
        settingsChecksum = Checksum(hex: try reader.text())
        supportChecksum = Checksum(hex: try reader.text())
        let baseURL = try reader.text()
        contentBaseURL = baseURL.isEmpty ? nil : baseURL
        let rolloutText = try reader.text()
        if !rolloutText.isEmpty {
            guard let rollout = Rollout(json: Array(rolloutText.utf8)) else { throw .init() }
            self.rollout = rollout
        }
        hasStrayFiles = try reader.number() != 0
        listings = try RecordTable(from: &reader, in: bytes, offset: Self.header.count)
        units = try RecordTable(from: &reader, in: bytes, offset: Self.header.count)
        guard reader.isAtEnd else { throw .init() }
    }
}
