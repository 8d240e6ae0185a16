import Foundation
import TestSupport
import Testing

@testable import ContentModel

#if canImport(CSHA256)
import CSHA256
#endif

/// SHA-256 against what NIST published, by each of the ways that this processor has.
@Suite(.serialized) struct ChecksumVectorTests {
    enum Rounds: CaseIterable {
        case chosen, portable
    }

    struct Vector {
        let message: [UInt8]
        let digest: String
    }

    @Test(arguments: ["SHA256ShortMsg", "SHA256LongMsg"], Rounds.allCases)
    func publishedMessagesHaveTheirDigests(file: String, rounds: Rounds) throws {
        let vectors = try vectors(file)
        #expect(vectors.count >= 16)
        with(rounds) {
            for vector in vectors {
                #expect(Checksum(of: vector.message).hex == vector.digest)
                #expect(inPieces(vector.message).hex == vector.digest)
            }
        }
    }

    /// The Monte Carlo test of CAVP: 100,000 hashes, each of the three before it.
    @Test(arguments: Rounds.allCases) func aChainOfHashesEndsAsPublished(rounds: Rounds) throws {
        with(rounds) {
            var seed = bytes("6d1e72ad03ddeb5de891e572e2396f8da015d899ef0e79503152d6010a3fe691")
            var ends: [String] = []
            for _ in 0..<100 {
                var last = [seed, seed, seed]
                for _ in 0..<1_000 { last = [last[1], last[2], digest(last)] }
                seed = last[2]
                ends.append(seed.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
            }
            let first = "e93c330ae5447738c8aa85d71a6c80f2a58381d05872d26bdd39f1fcd4f2b788"
            let last = "6a912ba4188391a78e6f13d88ed2d14e13afce9db6f7dcbf4a48c24f3db02778"
            #expect(ends.first == first && ends.last == last)
        }
    }

    /// FIPS 180-4 pads to blocks of 64 bytes: each length around their ends, cut at each place.
    @Test func theCutsBetweenPiecesDoNotMatter() {
        let message = (0..<200).map { UInt8($0) }
        for count in [0, 1, 55, 56, 63, 64, 65, 119, 120, 127, 128, 129, 200] {
            let whole = Checksum(of: message.prefix(count))
            for cut in 0...count {
                var hasher = ChecksumHasher()
                hasher.update(Array(message[..<cut]))
                hasher.update(Array(message[cut..<count]))
                #expect(hasher.finish() == whole, "\(count) bytes, cut at \(cut)")
            }
        }
    }

    @Test func aHasherGoesOnAfterItsChecksumWasRead() {
        var hasher = ChecksumHasher()
        hasher.update([1, 2])
        #expect(hasher.finish() == Checksum(of: [1, 2]))
        hasher.update([3])
        #expect(hasher.finish() == Checksum(of: [1, 2, 3]))
    }

    private func digest(_ messages: [[UInt8]]) -> [UInt8] {
        var hash = HashState()
        for message in messages { message.withUnsafeBytes { hash.update($0) } }
        return hash.withDigest { Array($0) }
    }

    private func inPieces(_ message: [UInt8]) -> Checksum {
        var hasher = ChecksumHasher()
        for start in stride(from: 0, to: message.count, by: 37) {
            hasher.update(Array(message[start..<min(start + 37, message.count)]))
        }
        return hasher.finish()
    }

    private func with(_ rounds: Rounds, _ body: () -> Void) {
        #if canImport(CSHA256)
        underway_sha256_allow_instructions(rounds == .chosen ? 1 : 0)
        defer { underway_sha256_allow_instructions(1) }
        #endif
        body()
    }

    private func vectors(_ name: String) throws -> [Vector] {
        let file = fixture("SHA256/\(name).rsp")
        var fields: [String: Substring] = [:]
        var found: [Vector] = []
        for line in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
        {
            let parts = line.split(separator: " ")
            guard parts.count == 3, parts[1] == "=" else { continue }
            fields[String(parts[0])] = parts[2]
            guard parts[0] == "MD", let bits = fields["Len"].flatMap({ Int($0) }) else { continue }
            let message = bytes(fields["Msg"] ?? "").prefix(bits / 8)
            found.append(Vector(message: Array(message), digest: String(parts[2])))
        }
        return found
    }

    private func bytes(_ hex: some StringProtocol) -> [UInt8] {
        let digits = hex.utf8.map { $0 < 0x3a ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
