#if canImport(CryptoKit)
import CryptoKit
#else
import CSHA256
#endif

/// The state of an incremental SHA-256: CryptoKit's, or this package's in C where the platform has
/// none.
struct HashState: Sendable {
    #if canImport(CryptoKit)
    private var hasher = SHA256()

    /// Adds the next bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) { hasher.update(bufferPointer: bytes) }

    /// Calls `body` with the 32 bytes of the digest of all bytes so far.
    func withDigest<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        hasher.finalize().withUnsafeBytes(body)
    }
    #else
    private var hash = underway_sha256_start()

    /// Adds the next bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        underway_sha256_update(&hash, bytes.baseAddress, bytes.count)
    }

    /// Calls `body` with the 32 bytes of the digest of all bytes so far.
    func withDigest<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        var hash = hash
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 32) { digest in
            underway_sha256_finish(&hash, digest.baseAddress)
            return body(UnsafeRawBufferPointer(digest))
        }
    }
    #endif
}
