import Crypto
import CryptoExtras
import Foundation

/// Passwords as scrypt (RFC 7914) keeps them; one is checked at a time, since each takes 32 MiB.
actor Passwords {
    struct Kept: Sendable {
        let salt: [UInt8]
        let hash: [UInt8]
        let rounds: Int
    }

    /// The most bytes of a password; the fewest characters.
    static let bytesMax = 256
    static let charactersMin = 8

    private let rounds: Int

    /// - Parameter rounds: scrypt's N, a power of two; with 2¹⁵ a check takes about 90 ms.
    init(rounds: Int) { self.rounds = rounds }

    static func isAcceptable(_ password: String) -> Bool {
        password.count >= charactersMin && password.utf8.count <= bytesMax
    }

    func keep(_ password: String) throws -> Kept {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        let hash = try Self.derive(password, salt, rounds)
        return Kept(salt: salt, hash: hash, rounds: rounds)
    }

    /// Compares in constant time; takes as long where there is nothing to compare with.
    func matches(_ password: String, _ kept: Kept?) throws -> Bool {
        let expected =
            kept
            ?? Kept(
                salt: [UInt8](repeating: 0, count: 16), hash: [UInt8](repeating: 0, count: 32),
                rounds: rounds)
        let hash = try Self.derive(password, expected.salt, expected.rounds)
        let isEqual = zip(hash, expected.hash).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
        return isEqual && kept != nil && hash.count == expected.hash.count
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
