import ContentModel
import Testing

@testable import ContentServer

@Suite struct EntityTagTests {
    @Test func aFilesTagIsItsChecksum() {
        let checksum = Checksum(of: [1])
        #expect(EntityTag.file(checksum, .identity) == "\"\(checksum)\"")
        #expect(EntityTag.file(checksum, .gzip) == "\"\(checksum)g\"")
    }

    /// SHA-256 of "abc" starts with ba7816bf 8f01cfea 414140de; base64url of those 12 bytes.
    @Test func theManifestsTagIsTheStartOfItsChecksum() {
        let checksum = Checksum(of: Array("abc".utf8))
        #expect(EntityTag.manifest(checksum, .identity) == "\"ungWv48Bz-pBQUDe\"")
        #expect(EntityTag.manifest(checksum, .brotli) == "\"ungWv48Bz-pBQUDeb\"")
    }

    @Test(arguments: [
        ("\"a\"", true), ("\"b\", \"a\"", true), ("W/\"a\"", true), ("*", true),
        (" \"b\" ,W/\"a\"", true), ("\"b\"", false), ("a", false), ("", false), ("\"a", false),
    ])
    func listsAndWeakTagsMatch(field: String, expected: Bool) {
        #expect(EntityTag.matches(field, "\"a\"") == expected)
    }

    @Test(arguments: [
        ("gzip", ContentCoding.gzip, true), ("gzip, br", .brotli, true),
        ("GZIP;q=0.5", .gzip, true),
        ("gzip;q=0", .gzip, false), ("gzip; q=0.000", .gzip, false), ("*", .brotli, true),
        ("br;q=0, *", .brotli, false), ("br;q=0, *", .gzip, true), ("identity", .gzip, false),
        ("x-gzip", .gzip, true), ("", .gzip, false), ("deflate, gzip;q=1.0, *;q=0", .gzip, true),
        ("deflate, gzip;q=1.0, *;q=0", .brotli, false),
    ])
    func acceptEncodingIsRead(field: String, coding: ContentCoding, expected: Bool) {
        #expect(coding.isAccepted(by: field) == expected)
    }

    @Test func withoutTheFieldOnlyThePlainFormIsAccepted() {
        #expect(ContentCoding.allCases.filter { $0.isAccepted(by: nil) } == [.identity])
    }
}
