import Crypto
import Foundation

/// The number of rows of a table, and the SHA-256 of their canonical bytes.
///
/// ```swift
/// var digest = CopyDigest()
/// digest.add([.integer(1), .text("Zürich")])
/// print(digest.sum.rows, digest.sum.sha256)
/// ```
package struct CopyDigest {
    /// The result.
    package struct Sum: Sendable, Hashable, Codable {
        /// The number of rows.
        package var rows: Int
        /// The digest in hexadecimal.
        package var sha256: String
    }

    private static let bufferBytes = 64 * 1024

    private var hash = SHA256()
    private var buffer: [UInt8] = []
    private var rows = 0

    package init() {}

    /// Adds a row.
    ///
    /// A value is encoded as one byte for its kind, followed by eight bytes of an integer, or of a number's bits, or by
    /// the length in eight bytes and the bytes of a text. Different lists of rows of a table have different bytes.
    package mutating func add(_ row: CopyRow) {
        for value in row { append(value) }
        rows += 1
        if buffer.count >= Self.bufferBytes { flush() }
    }

    /// The sum of all rows so far.
    package var sum: Sum {
        var rest = self
        rest.flush()
        let text = rest.hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return Sum(rows: rows, sha256: text.joined())
    }

    private mutating func append(_ value: CopyValue) {
        switch value {
        case .null: buffer.append(0)
        case .integer(let value): append(1, UInt64(bitPattern: value))
        case .number(let value): append(2, value.bitPattern)
        case .text(let text):
            append(3, UInt64(text.utf8.count))
            buffer.append(contentsOf: text.utf8)
        case .bytes(let bytes):
            append(4, UInt64(bytes.count))
            buffer.append(contentsOf: bytes)
        }
    }

    private mutating func append(_ kind: UInt8, _ number: UInt64) {
        buffer.append(kind)
        withUnsafeBytes(of: number.bigEndian) { buffer.append(contentsOf: $0) }
    }

    private mutating func flush() {
        hash.update(data: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
