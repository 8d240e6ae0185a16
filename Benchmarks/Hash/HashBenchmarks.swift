import ContentModel
import Crypto
import Foundation

/// Hashes the same bytes by `ChecksumHasher` and by swift-crypto, in turns, and prints a table.
///
/// The sizes are those of use: a part of a download is at most 64 KiB, a blueprint about 12 kB.
@main
enum HashBenchmarks {
    /// The bytes that are hashed in one measurement.
    private static let volume = 32 << 20
    private static let rounds = 15

    static func main() {
        print("\nSHA-256 in MB/s of one thread (median of \(rounds), in turns)")
        print("  bytes at once      ours  swift-crypto  ratio")
        for size in [300, 12_000, 65_536, 1 << 20] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            var (ours, theirs): ([Double], [Double]) = ([], [])
            for _ in 0..<rounds {
                ours.append(rate(size) { Checksum.digits(bytes) })
                theirs.append(rate(size) { SHA256.digits(bytes) })
            }
            let (mine, other) = (median(ours), median(theirs))
            print(
                "  " + cell("\(size)", 13) + cell(String(format: "%.0f", mine), 10)
                    + cell(String(format: "%.0f", other), 14)
                    + cell(String(format: "%.2f", mine / other), 7))
        }
    }

    private static func rate(_ size: Int, _ hash: () -> Int) -> Double {
        let count = volume / size
        var sum = 0
        let start = threadSeconds()
        for _ in 0..<count { sum += hash() }
        let seconds = threadSeconds() - start
        precondition(sum == count * 64)
        return Double(count * size) / seconds / 1e6
    }

    /// The processor time of this thread.
    private static func threadSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func cell(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

extension Checksum {
    /// Counts the digits of a hash, written as a manifest has them.
    fileprivate static func digits(_ bytes: [UInt8]) -> Int {
        var hasher = ChecksumHasher()
        hasher.update(bytes)
        return hasher.finish().hex.utf8.count
    }
}

extension SHA256 {
    /// Does the same by swift-crypto, as the model did it before.
    fileprivate static func digits(_ bytes: [UInt8]) -> Int {
        var hasher = SHA256()
        bytes.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        let digits = Array("0123456789abcdef".utf8)
        let digest = hasher.finalize()
        return String(unsafeUninitializedCapacity: 64) { buffer in
            for (index, byte) in digest.enumerated() {
                buffer[2 * index] = digits[Int(byte >> 4)]
                buffer[2 * index + 1] = digits[Int(byte & 15)]
            }
            return 64
        }.utf8.count
    }
}
