/// A SHA-256 checksum, written as `sha256:` and 64 lowercase hexadecimal digits.
///
/// Every value is well formed, because the initializers reject other text. Comparing two checksums compares all 32
/// bytes.
///
/// ```swift
/// let checksum = Checksum(of: Array("abc".utf8))
/// print(checksum.hex.hasPrefix("ba7816bf"), Checksum("sha256:abc") == nil)
/// ```
public struct Checksum: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The 64 lowercase hexadecimal digits, without the algorithm's name.
    public let hex: String

    /// Parses the written form.
    ///
    /// - Returns: `nil` unless `text` is `sha256:` and exactly 64 lowercase hexadecimal digits.
    public init?(_ text: some StringProtocol) {
        guard text.hasPrefix(Self.prefix) else { return nil }
        self.init(hex: text.dropFirst(Self.prefix.count))
    }

    /// Parses the digits alone, as in the name of an object file.
    public init?(hex: some StringProtocol) {
        guard hex.utf8.count == 64, hex.utf8.allSatisfy(Self.isLowercaseHexDigit) else {
            return nil
        }
        self.hex = String(hex)
    }

    /// Computes the checksum of bytes in memory.
    public init(of bytes: some Sequence<UInt8>) {
        var hash = HashState()
        let isDone: Void? = bytes.withContiguousStorageIfAvailable {
            hash.update(UnsafeRawBufferPointer($0))
        }
        if isDone == nil { Array(bytes).withUnsafeBytes { hash.update($0) } }
        self = hash.withDigest(Self.init(digest:))
    }

    /// Parses digits in a buffer without an intermediate string.
    package init?(hexBytes: Slice<UnsafeBufferPointer<UInt8>>) {
        let digits = UnsafeBufferPointer(rebasing: hexBytes)
        guard digits.count == 64, digits.allSatisfy({ Self.isLowercaseHexDigit($0) }) else {
            return nil
        }
        hex = String(decoding: digits, as: UTF8.self)
    }

    fileprivate init(digest: UnsafeRawBufferPointer) {
        let digits = Array("0123456789abcdef".utf8)
        hex = String(unsafeUninitializedCapacity: 64) { buffer in
            for (index, byte) in digest.enumerated() {
                buffer[2 * index] = digits[Int(byte >> 4)]
                buffer[2 * index + 1] = digits[Int(byte & 15)]
            }
            return 64
        }
    }

    /// The written form, `sha256:` and the digits.
    public var description: String { Self.prefix + hex }

    /// Orders by the digits.
    public static func < (left: Checksum, right: Checksum) -> Bool { left.hex < right.hex }

    private static let prefix = "sha256:"

    private static func isLowercaseHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}

/// An incremental SHA-256, which verifies a download while it is received.
///
/// ```swift
/// var hasher = ChecksumHasher()
/// hasher.update(Array("ab".utf8))
/// hasher.update(Array("c".utf8))
/// print(hasher.finish() == Checksum(of: Array("abc".utf8)))
/// ```
public struct ChecksumHasher: Sendable {
    private var hash = HashState()

    /// Creates a hasher of no bytes.
    public init() {}

    /// Adds the next bytes.
    public mutating func update(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { hash.update($0) }
    }

    /// Returns the checksum of all bytes so far.
    public func finish() -> Checksum { hash.withDigest(Checksum.init(digest:)) }
}
