import ContentModel
import Testing

@Suite struct VerifiedManifestTests {
    private static let reference = ContentReference(checksum: Checksum(of: [1]), size: 1)
    private static let manifest = Manifest(
        release: 4, languages: ["de": LanguageEntry(blueprint: reference)])

    @Test func whatWasVerifiedKeepsItsBytes() throws {
        let bytes = Self.manifest.canonicalBytes
        let verified = try VerifiedManifest(verifying: bytes, expected: Checksum(of: bytes))
        #expect(verified.bytes == bytes)
        #expect(verified.checksum == Checksum(of: bytes))
        #expect(verified.manifest == Self.manifest)
    }

    @Test func otherBytesThanPromisedAreRefused() {
        #expect(throws: ManifestError.wrongChecksum) {
            try VerifiedManifest(
                verifying: Self.manifest.canonicalBytes, expected: Checksum(of: [2]))
        }
    }

    @Test func bytesThatCannotBeReadAreRefused() {
        #expect(throws: ManifestError.unsupportedSchema(3)) {
            try VerifiedManifest(verifying: Array("{\"schemaVersion\": 3}".utf8))
        }
        #expect(throws: ManifestError.tooLarge) {
            try VerifiedManifest(
                verifying: [UInt8](repeating: 32, count: ContentLimits.manifestBytesMax + 1))
        }
    }

    @Test func entriesBeyondTheListedAreNamedWhereTheyAreShown() throws {
        let count = ContentLimits.unreadEntriesListed + 10
        let entries = (1...count).map { "\"l\($0)\": {\"blueprint\": 1}" }
        let text =
            "{\"schemaVersion\": 2, \"release\": 1, \"languages\": {\"de\": {}, "
            + entries.joined(separator: ", ") + "}}"
        let verified = try VerifiedManifest(verifying: Array(text.utf8))
        #expect(verified.released.unlistedCount == 10)
        let released = try verified.released(naming: { _, key in key == "l\(count)" })
        #expect(released.unlistedCount == 9)
        #expect(released.unread.contains { $0.key == "l\(count)" })
    }
}
