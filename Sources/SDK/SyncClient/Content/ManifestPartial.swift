import ContentModel
import Foundation
import OfflineStorage
import WebTransfer

/// The start of a manifest whose transfer was interrupted, from which the next attempt resumes.
///
/// It needs a strong validator: `If-Range` then returns the remainder of the same bytes, or all of other ones.
struct ManifestPartial: Equatable, Sendable {
    /// The entity tag of the complete manifest.
    var entityTag: String
    /// The length of the complete manifest in bytes, if the host stated it.
    var length: Int?
    /// The time at which its first byte arrived, by the device's clock.
    var since: Date
    var bytes: [UInt8]

    /// Returns its file between attempts and runs, which is removed with other old downloads.
    static func file(of address: String, in store: OfflineStore) -> URL {
        store.partialFile(Checksum(of: Array("the manifest of \(address)".utf8)))
    }

    /// Creates a start; `nil` if it is unusable.
    init?(entityTag: String?, length: Int? = nil, since: Date, bytes: [UInt8]) {
        guard let entityTag, Self.isStrong(entityTag), !bytes.isEmpty else { return nil }
        self.entityTag = entityTag
        self.length = length
        self.since = since
        self.bytes = bytes
    }

    /// Reads a file; `nil` when there is none.
    init?(_ file: URL) {
        guard let data = FileManager.default.contents(atPath: file.path),
            let end = data.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let head = String(decoding: data[..<end], as: UTF8.self)
            .split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard head.count == 3, let since = Double(head[2]) else { return nil }
        self.init(
            entityTag: head[0], length: Int(head[1]), since: Date(timeIntervalSince1970: since),
            bytes: [UInt8](data[data.index(after: end)...]))
    }

    /// Returns false when the remainder is of a manifest of another length.
    func fits(_ total: Int?) -> Bool {
        guard let length, let total else { return true }
        return length == total
    }

    /// Returns true for a start so recent that the host probably has no other manifest since.
    func isFresh(now: Date) -> Bool {
        (0...Self.freshSecondsMax).contains(now.timeIntervalSince(since))
    }

    /// The maximum time between two attempts of one run, in seconds.
    private static let freshSecondsMax: TimeInterval = 60

    func save(to file: URL) {
        let fields = [
            entityTag, length.map { "\($0)" } ?? "", "\(since.timeIntervalSince1970)",
        ]
        // A start that cannot be saved costs a download.
        let head = fields.joined(separator: "\t") + "\n"
        try? Data(Array(head.utf8) + bytes).write(to: file, options: .atomic)
    }

    static func discard(_ file: URL) {
        // Mostly there is none.
        try? FileManager.default.removeItem(at: file)
    }

    /// Returns true for a strong validator (RFC 9110, section 8.8.3).
    private static func isStrong(_ tag: String) -> Bool {
        tag.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") && EntityTag.isUsable(tag)
    }
}
