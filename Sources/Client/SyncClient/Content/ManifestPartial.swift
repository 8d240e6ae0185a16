import ContentModel
import Foundation
import OfflineStore
import WebTransfer

/// The start of a manifest whose transfer broke, so that the next try goes on where it stopped.
///
/// It is of use only with a strong validator: `If-Range` then gives the rest of the same bytes, or all
/// of other ones.
struct ManifestPartial: Equatable, Sendable {
    /// The entity tag of the whole manifest.
    var entityTag: String
    /// The length of the whole manifest in bytes, where the host said it.
    var length: Int?
    var bytes: [UInt8]

    /// Where it is kept between tries and runs; it goes with other old downloads.
    static func file(of address: String, in store: OfflineStore) -> URL {
        store.partialFile(Checksum(of: Array("the manifest of \(address)".utf8)))
    }

    /// Describes a start; `nil` when it is of no use.
    init?(entityTag: String?, length: Int? = nil, bytes: [UInt8]) {
        guard let entityTag, Self.isStrong(entityTag), !bytes.isEmpty else { return nil }
        self.entityTag = entityTag
        self.length = length
        self.bytes = bytes
    }

    /// Reads what was kept; `nil` when there is nothing.
    init?(_ file: URL) {
        guard let data = FileManager.default.contents(atPath: file.path),
            let end = data.firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let head = String(decoding: data[..<end], as: UTF8.self)
            .split(separator: "\t", maxSplits: 1).map(String.init)
        self.init(
            entityTag: head.first, length: head.count > 1 ? Int(head[1]) : nil,
            bytes: [UInt8](data[data.index(after: end)...]))
    }

    /// False when the rest is of a manifest of another length.
    func fits(_ total: Int?) -> Bool {
        guard let length, let total else { return true }
        return length == total
    }

    func save(to file: URL) {
        // Without it the next try starts anew.
        let head = length.map { "\(entityTag)\t\($0)\n" } ?? "\(entityTag)\n"
        try? Data(Array(head.utf8) + bytes).write(to: file, options: .atomic)
    }

    static func discard(_ file: URL) {
        // Mostly there is none.
        try? FileManager.default.removeItem(at: file)
    }

    /// True for a validator of bytes, not of meaning (RFC 9110, section 8.8.3).
    private static func isStrong(_ tag: String) -> Bool {
        tag.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") && EntityTag.isUsable(tag)
    }
}
