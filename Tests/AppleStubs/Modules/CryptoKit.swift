/// SHA-256 under way.
public struct SHA256: Sendable {
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> SHA256Digest { SHA256Digest() }
}

/// The 32 bytes of a digest.
public struct SHA256Digest: Sequence, Hashable, Sendable {
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
}
