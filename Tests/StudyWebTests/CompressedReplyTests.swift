import HTTPTypes
import PageRendering
import ServiceAPI
import Testing
import Underway

@testable import StudyWeb

/// Pages, style and script as the browser gets them: their bytes are counted here.
struct CompressedReplyTests {
    private static let gzip: HTTPFields = [.acceptEncoding: "gzip, deflate, br, zstd"]
    private let browser: StudyBrowser

    init() throws { browser = try StudyBrowser([StudyPagesTests.exam()]) }

    /// What a first visit loads, so that the app opens at once on a slow machine too.
    @Test func theStyleSheetStaysSmall() async throws {
        let style = try await browser.get("/files/study.css")
        #expect(style.bytes.count <= 35_000, "study.css has \(style.bytes.count) bytes")
        let packed = try await browser.get("/files/study.css", Self.gzip)
        #expect(packed.bytes.count <= 9_000, "as gzip \(packed.bytes.count) bytes")
    }

    @Test(arguments: ["/", "/library", "/library/int/sums", "/settings", "/files/study.js"])
    func aBrowserThatAcceptsGzipGetsIt(path: String) async throws {
        let plain = try await browser.get(path)
        let packed = try await browser.get(path, Self.gzip)

        #expect(plain.headers[.contentEncoding] == nil)
        #expect(packed.headers[.contentEncoding] == "gzip")
        #expect(packed.headers[.contentType] == plain.headers[.contentType])
        #expect([plain, packed].allSatisfy { $0.headers[.vary] == "Accept-Encoding" })
        #expect(packed.bytes.count * 2 < plain.bytes.count, "\(path)")
        #expect(try Gzip.unpacked(packed.bytes, bytesMax: 1_000_000) == plain.bytes)
    }

    @Test func aPageThatFailsIsCompressedToo() async throws {
        let packed = try await browser.get("/session/none", Self.gzip)
        #expect(packed.status == 404 && packed.headers[.contentEncoding] == "gzip")
    }

    /// A picture is compressed already, and a short text fits one packet.
    @Test func whatGainsNothingIsSentAsItIs() async throws {
        for path in ["/files/icon-192.png", "/files/icon.svg", "/app.webmanifest"] {
            let reply = try await browser.get(path, Self.gzip)
            let isShort = reply.bytes.count < CompressedReply.bytesMin
            #expect(
                reply.headers[.contentEncoding] == nil || !isShort && !path.hasSuffix("png"),
                "\(path)")
        }
    }

    @Test(arguments: [
        (nil, false), ("", false), ("gzip", true), ("GZIP", true), ("x-gzip", true),
        ("br, gzip;q=0.5", true), ("gzip;q=0", false), ("gzip; q=0.000", false), ("*", true),
        ("*;q=0", false), ("gzip;q=0, *", false), ("*;q=0, gzip", true), ("br", false),
        ("identity", false), ("gzipped", false), (",,;", false), ("gzip;q=0.001", true),
    ])
    func theFieldIsReadAsTheStandardSays(field: String?, isAccepted: Bool) {
        #expect(CompressedReply.accepts(field) == isAccepted, "\(field ?? "none")")
    }

    @Test func aFieldOfAnyLengthIsRead() {
        let long = String(repeating: "a;q=1,", count: 10_000) + "gzip"
        #expect(CompressedReply.accepts(long))
    }
}
