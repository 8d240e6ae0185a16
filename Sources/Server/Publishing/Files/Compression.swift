import CCompression
import ContentModel
import ServiceAPI

/// The encodings of the siblings of text files.
typealias ContentEncoding = ReleasePath.Packing

extension ContentEncoding {
    /// Compresses; `nil` when it would not save a tenth, or failed.
    ///
    /// - Parameters:
    ///   - bytes: A whole file.
    ///   - brotliQuality: From 1 to 11; gzip takes the same number as its level, up to 6. On the
    ///     sample's blueprints, 11 takes 78 times the time of 5 and saves a tenth of the bytes, 4 takes
    ///     two thirds of it and costs a tenth.
    /// - Returns: The compressed file; equal bytes give equal files.
    func compress(_ bytes: [UInt8], brotliQuality: Int32 = 5) -> [UInt8]? {
        let output =
            self == .gzip
            ? Gzip.packed(bytes, level: min(brotliQuality, 6)) ?? []
            : Self.brotli(bytes, quality: brotliQuality)
        return output.isEmpty || output.count * 10 > bytes.count * 9 ? nil : output
    }

    /// Returns true when unpacking gives exactly `plain`.
    func holds(_ packed: [UInt8], _ plain: [UInt8]) -> Bool {
        underway_packed_holds(
            self == .brotli ? 1 : 0, packed, packed.count, plain, plain.count) != 0
    }

    private static func brotli(_ bytes: [UInt8], quality: Int32) -> [UInt8] {
        let capacity = underway_brotli_bound(bytes.count)
        return [UInt8](unsafeUninitializedCapacity: max(capacity, 1)) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = underway_brotli(bytes, bytes.count, base, capacity, quality)
        }
    }

    /// Returns the quality for a manifest, which every device fetches after each publish.
    ///
    /// A small one is worth all effort (30 ms). A large one is mostly checksums, in which there
    /// is nothing to find: 5,000 of them take 201 kB and 2 ms at quality 1, 218 kB and 22 ms at
    /// quality 5. With gzip, 247 kB and 5 ms at level 1 stand against 235 kB and 13 ms at level 6.
    static func manifestQuality(byteCount: Int) -> Int32 { byteCount <= 64 * 1024 ? 11 : 1 }

    /// Returns true for files whose content is text, by their ending.
    static func pays(for path: String) -> Bool {
        guard let dot = path.lastIndex(of: ".") else { return false }
        return textEndings.contains(String(path[path.index(after: dot)...]).lowercased())
    }

    private static let textEndings: Set<String> = [
        "json", "txt", "svg", "md", "html", "css", "js", "csv", "xml", "yaml", "yml", "strings",
    ]
}
