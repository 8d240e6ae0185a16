import CDeflate

/// Raw DEFLATE (RFC 1951), without header and checksum: the compression of a changeset, whose result is signed.
package enum RawDeflate {
    /// Compresses bytes to the smallest size that zlib achieves.
    ///
    /// - Returns: `nil` when memory is exhausted.
    package static func packed(_ bytes: [UInt8]) -> [UInt8]? {
        let capacity = underway_gzip_bound(bytes.count)
        let result = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            count = underway_deflate(bytes, bytes.count, output.baseAddress, capacity, 9)
        }
        return result.isEmpty ? nil : result
    }

    /// Decompresses bytes that end exactly with their last one.
    ///
    /// - Parameters:
    ///   - bytes: The compressed bytes.
    ///   - count: The size of the result, which is never exceeded.
    /// - Returns: `nil` for damaged bytes, for a result of another size, and for bytes after the end.
    package static func unpacked(_ bytes: [UInt8], count: Int) -> [UInt8]? {
        var size = 0
        // One byte more, so that a longer result is noticed.
        let result = [UInt8](unsafeUninitializedCapacity: count + 1) { output, written in
            size = underway_inflate(bytes, bytes.count, output.baseAddress, count + 1)
            written = max(0, size)
        }
        return size == count ? result : nil
    }
}
