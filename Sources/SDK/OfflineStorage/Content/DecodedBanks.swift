import ContentModel
import Synchronization

/// A cache of the banks that were decoded last in this process, by the checksum of their document.
///
/// A checksum always names the same bytes, so an entry is never out of date. Readers still verify the bytes; only their
/// decoding, most of the time for a large bank, happens once.
final class DecodedBanks: Sendable {
    /// The maximum size of documents whose banks are cached, in bytes; a decoded bank uses about ten times as much.
    static let bytesMax = 4 * 1024 * 1024

    private struct Entry {
        var checksum: Checksum
        var byteCount: Int
        var blueprint: Blueprint
    }

    /// The banks, the last used one at the end.
    private let entries = Mutex<[Entry]>([])

    /// Returns the bank of a document, from memory or by decoding it.
    ///
    /// - Throws: An error of `decode`.
    func blueprint(
        _ checksum: Checksum, _ bytes: [UInt8], decode: ([UInt8]) throws -> Blueprint
    ) rethrows -> Blueprint {
        if let known = entries.withLock({ Self.use(checksum, of: &$0) }) { return known }
        let blueprint = try decode(bytes)
        entries.withLock {
            Self.keep(
                Entry(checksum: checksum, byteCount: bytes.count, blueprint: blueprint), in: &$0)
        }
        return blueprint
    }

    private static func use(_ checksum: Checksum, of entries: inout [Entry]) -> Blueprint? {
        guard let index = entries.firstIndex(where: { $0.checksum == checksum }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.blueprint
    }

    private static func keep(_ entry: Entry, in entries: inout [Entry]) {
        guard use(entry.checksum, of: &entries) == nil, entry.byteCount <= bytesMax else { return }
        entries.append(entry)
        var total = entries.reduce(0) { $0 + $1.byteCount }
        while total > bytesMax { total -= entries.removeFirst().byteCount }
    }
}
