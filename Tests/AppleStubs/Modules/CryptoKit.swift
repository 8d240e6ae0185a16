public import Foundation

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

/// X25519 and Ed25519.
public enum Curve25519: Sendable {
    /// Ed25519.
    public enum Signing: Sendable {
        /// A public key.
        public struct PublicKey: Sendable {
            public init<D: ContiguousBytes>(rawRepresentation data: D) throws {}
            public func isValidSignature<S: DataProtocol, D: DataProtocol>(
                _ signature: S, for data: D
            ) -> Bool { false }
        }
    }
}

/// NIST's curve P-256.
public enum P256: Sendable {
    /// ECDSA.
    public enum Signing: Sendable {
        /// A signature.
        public struct ECDSASignature: Sendable {
            public init<D: DataProtocol>(derRepresentation: D) throws {}
        }

        /// A public key.
        public struct PublicKey: Sendable {
            public init<Bytes: RandomAccessCollection>(derRepresentation: Bytes) throws
            where Bytes.Element == UInt8 {}
            public func isValidSignature<D: DataProtocol>(
                _ signature: ECDSASignature, for data: D
            ) -> Bool { false }
        }
    }
}
