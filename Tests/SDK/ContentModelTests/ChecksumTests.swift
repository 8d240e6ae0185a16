import ContentModel
import Testing

@Suite struct ChecksumTests {
    /// FIPS 180-4, the examples for SHA-256: the empty message and "abc".
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
    func publishedVectorsHold(text: String, hex: String) {
        #expect(Checksum(of: Array(text.utf8)).description == "sha256:" + hex)
    }

    @Test func writtenFormIsReadBack() {
        let checksum = Checksum(of: [1, 2, 3])
        #expect(Checksum(checksum.description) == checksum)
        #expect(Checksum(hex: checksum.hex) == checksum)
    }

    @Test(arguments: [
        "", "sha256:", "sha256:abc", "md5:" + String(repeating: "a", count: 64),
        "sha256:" + String(repeating: "A", count: 64),
        "sha256:" + String(repeating: "g", count: 64),
        "sha256:" + String(repeating: "a", count: 65), String(repeating: "a", count: 64),
    ])
    func anythingElseIsRefused(text: String) {
        #expect(Checksum(text) == nil)
    }

    @Test func piecesHashLikeTheWhole() {
        let bytes = (0..<1000).map { UInt8($0 % 251) }
        for cut in [0, 1, 63, 64, 65, 999, 1000] {
            var hasher = ChecksumHasher()
            hasher.update(Array(bytes[..<cut]))
            hasher.update(Array(bytes[cut...]))
            #expect(hasher.finish() == Checksum(of: bytes))
        }
    }
}
