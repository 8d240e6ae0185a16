import CDeflate

/// The compression gzip (RFC 1952) of whole bodies.
///
/// ```swift
/// let body = Array("an exchange".utf8)
/// if let packed = Gzip.packed(body) {
///     print(try Gzip.unpacked(packed, bytesMax: 1024) == body)
/// }
/// ```
public enum Gzip {
    /// Compresses bytes; equal bytes give equal results.
    ///
    /// - Parameters:
    ///   - bytes: At most 4 GiB.
    ///   - level: From 1, fast, to 9, small.
    /// - Returns: One gzip member without name and time; `nil` when memory is exhausted.
    public static func packed(_ bytes: [UInt8], level: Int32 = 6) -> [UInt8]? {
        let capacity = underway_gzip_bound(bytes.count)
        let result = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
            count = underway_gzip(bytes, bytes.count, output.baseAddress, capacity, level)
        }
        return result.isEmpty ? nil : result
    }

    /// Decompresses bytes.
    ///
    /// - Parameters:
    ///   - bytes: One gzip member.
    ///   - bytesMax: The maximum size of the result, which is never exceeded.
    /// - Returns: The decompressed bytes.
    /// - Throws: `GzipError`: `damaged`, or `tooLong` beyond `bytesMax`.
    public static func unpacked(
        _ bytes: [UInt8], bytesMax: Int
    ) throws(GzipError) -> [UInt8] {
        // Text rarely compresses better than twenty to one; the buffer grows where it does.
        var capacity = min(bytesMax, max(4096, bytes.count * 20))
        while true {
            var size = 0
            let result = [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                size = underway_gunzip(bytes, bytes.count, output.baseAddress, capacity)
                count = max(0, size)
            }
            if size >= 0 { return result }
            guard size == -2 else { throw .damaged }
            guard capacity < bytesMax else { throw .tooLong }
            capacity = min(bytesMax, capacity * 8)
        }
    }
}

/// An error of decompression.
public enum GzipError: Error, Hashable, Sendable {
    /// The bytes are not gzip, or are damaged.
    case damaged
    /// The decompressed bytes would exceed the maximum size.
    case tooLong
}

extension GzipError: CustomStringConvertible {
    /// The reason, safe to show to any client.
    public var description: String {
        switch self {
        case .damaged: "The bytes are not gzip, or are damaged."
        case .tooLong: "The unpacked bytes exceed the limit."
        }
    }
}
