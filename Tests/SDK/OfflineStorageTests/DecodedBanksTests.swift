import ContentModel
import Testing

@testable import OfflineStorage

/// Banks that are decoded once in a process.
@Suite final class DecodedBanksTests {
    private let banks = DecodedBanks()
    private var decodings: [String] = []

    private func read(_ id: String, byteCount: Int = 10) -> Blueprint {
        var bytes = [UInt8](id.utf8)
        bytes += Array(repeating: 0x20, count: byteCount - bytes.count)
        return banks.blueprint(Checksum(of: bytes), bytes) { _ in
            decodings.append(id)
            return Blueprint(kind: .exam, id: id, title: id, version: "1.0.0", questions: [])
        }
    }

    @Test func aBankIsDecodedOnce() {
        #expect(read("one").id == "one")
        #expect(read("one").id == "one")
        #expect(read("two").id == "two")
        #expect(decodings == ["one", "two"])
    }

    @Test func theBytesKeptAreLimitedAndTheLastUsedStay() {
        let third = DecodedBanks.bytesMax / 3
        for id in ["a", "b", "c", "a", "d", "a", "c", "b"] { _ = read(id, byteCount: third) }
        #expect(decodings == ["a", "b", "c", "d", "b"])
    }

    @Test func aBankBeyondTheLimitIsNotKept() {
        _ = read("small")
        for _ in 0..<2 { _ = read("large", byteCount: DecodedBanks.bytesMax + 1) }
        _ = read("small")
        #expect(decodings == ["small", "large", "large"])
    }

    @Test func aFailureIsNotKept() {
        struct Failure: Error {}
        let bytes: [UInt8] = [1]
        for _ in 0..<2 {
            #expect(throws: Failure.self) {
                try banks.blueprint(Checksum(of: bytes), bytes) { _ in throw Failure() }
            }
        }
    }
}
