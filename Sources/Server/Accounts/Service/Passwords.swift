import Crypto
import CryptoExtras
import Foundation

/// Passwords as scrypt hashes (RFC 7914), computed a few at a time, since each needs 32 MiB.
package struct Passwords: Sendable {
    /// The stored form of a password.
    package struct Hash: Sendable, Hashable {
        /// The random salt.
        package let salt: [UInt8]
        /// The derived key.
        package let bytes: [UInt8]
        /// The parameter N of scrypt.
        package let rounds: Int

        package init(salt: [UInt8], bytes: [UInt8], rounds: Int) {
            self.salt = salt
            self.bytes = bytes
            self.rounds = rounds
        }
    }

    /// The limits of a password: the most bytes, and the fewest characters.
    static let bytesMax = 256
    static let charactersMin = 8

    private let rounds: Int
    private let queue = PasswordQueue()

    /// - Parameter rounds: scrypt's N, a power of two; with 2¹⁵ a check takes about 90 ms.
    package init(rounds: Int) { self.rounds = rounds }

    package static func isAcceptable(_ password: String) -> Bool {
        password.count >= charactersMin && password.utf8.count <= bytesMax
    }

    /// Returns the hash of a new password.
    ///
    /// - Throws: `RequestError` `busy` when the queue is full.
    package func hash(_ password: String, address: String) async throws -> Hash {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let rounds = rounds
        let bytes = try await queue.run(for: address) {
            try Self.derive(password, salt, rounds)
        }
        return Hash(salt: salt, bytes: bytes, rounds: rounds)
    }

    /// Compares a password with a hash in constant time, which is the same without a hash.
    ///
    /// - Throws: `RequestError` `busy` when the queue is full.
    package func matches(_ password: String, _ hash: Hash?, address: String) async throws -> Bool {
        guard password.utf8.count <= Self.bytesMax else { return false }
        let expected =
            hash
            ?? Hash(
                salt: [UInt8](repeating: 0, count: 16), bytes: [UInt8](repeating: 0, count: 32),
                rounds: rounds)
        let bytes = try await queue.run(for: address) {
            try Self.derive(password, expected.salt, expected.rounds)
        }
        let isEqual = zip(bytes, expected.bytes).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        return isEqual && hash != nil && bytes.count == expected.bytes.count
    }

    private static func derive(
        _ password: String, _ salt: [UInt8], _ rounds: Int
    ) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8), salt: salt, outputByteCount: 32, rounds: rounds,
            blockSize: 8, parallelism: 1)
        return key.withUnsafeBytes { Array($0) }
    }
}
