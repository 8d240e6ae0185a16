import Foundation
import HTTPTypes
import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

@Suite(.timeLimit(.minutes(1))) struct MediaPagesTests {
    private func fetched() async throws -> SyncedBrowser {
        let synced = try await SyncedBrowser()
        for group in [FileGroup.audio(language: "en"), .media(exam: "int/harbour")] {
            _ = try await synced.device.contentSync.files(group, purpose: .content)
        }
        _ = try await synced.device.contentSync.files(.asset(path: "secret.json"))
        return synced
    }

    @Test func aPictureMadeOfMarkupRunsNoScript() async throws {
        let synced = try await fetched()
        let browser = synced.browser
        let checksum = Checksum(of: SyncedBrowser.picture).hex

        let reply = try await browser.get("/media/\(checksum)")

        #expect(
            reply.status == 200
                && reply.body == String(decoding: SyncedBrowser.picture, as: UTF8.self))
        #expect(reply.headers[.contentType] == "image/svg+xml")
        #expect(reply.headers[.xContentTypeOptions] == "nosniff")
        let policy = try #require(reply.headers[.contentSecurityPolicy])
        #expect(policy.hasPrefix("sandbox; default-src 'none'") && !policy.contains("script"))
        #expect(reply.headers[.cacheControl]?.contains("immutable") == true)
        #expect(try await browser.get("/media/int/harbour/buoy.svg").body == reply.body)
    }

    /// An option may be a picture without a text: it is drawn, and named where there are only words.
    @Test func optionsThatArePicturesAreShown() async throws {
        let synced = try await SyncedBrowser { content in
            let domain = content[blueprint: "int/harbour"]?.domains.first?.id
            content[blueprint: "int/harbour"]?.questions = [
                Question(
                    id: "signs", type: .singleChoice, domain: domain, difficulty: 1,
                    stem: "Which one?",
                    options: [
                        QuestionOption(id: "a", text: "", image: "buoy.svg"),
                        QuestionOption(id: "b", text: "None of them"),
                    ], correct: [0])
            ]
        }
        let browser = synced.browser
        _ = try await synced.device.contentSync.files(
            .media(exam: "int/harbour"), purpose: .content)
        let begun = try await browser.post(
            "/session", [("bank", "int/harbour"), ("mode", "study")])
        let question = try #require(begun.location) + "/1"

        let open = try await browser.get(question).body
        #expect(
            open.contains(
                "<img src=\"/media/\(Checksum(of: SyncedBrowser.picture).hex)\" alt=\"buoy\">"))
        _ = try await browser.post(question, [("option", "b")])

        let verdict = try await browser.get(question).body
        #expect(verdict.contains("It is buoy."))
        #expect(verdict.ranges(of: "alt=\"buoy\"").count == 1)
    }

    @Test func onlyPicturesAndSoundsOfTheReleaseHaveAnAddress() async throws {
        let synced = try await fetched()
        let browser = synced.browser
        let page = Checksum(of: Array("x".utf8)).hex
        let asset = Checksum(of: Array("{}".utf8)).hex
        let other = Checksum(of: Array("other".utf8)).hex
        for path in [
            page, asset, other, "en", "int/harbour/notes.html", "int/harbour/..", "..%2f..%2fx",
            "int/harbour/%2e%2e%2fbuoy.svg", "en/none.mp3",
        ] {
            #expect(try await browser.get("/media/\(path)").status == 404, "\(path)")
        }
    }

    @Test func partsOfASoundCanBeAskedFor() async throws {
        let synced = try await fetched()
        let browser = synced.browser
        let path = "/media/\(Checksum(of: Array("0123456789".utf8)).hex)"

        let part = try await browser.get(path, [.range: "bytes=2-4"])
        let none = try await browser.get(path, [.range: "bytes=10-"])
        let tag = try #require(part.headers[.eTag])
        let known = try await browser.get(path, [.ifNoneMatch: tag])

        #expect(part.status == 206 && part.body == "234")
        #expect(part.headers[.contentRange] == "bytes 2-4/10")
        #expect(part.headers[.contentType] == "audio/mpeg")
        #expect(none.status == 416 && none.headers[.contentRange] == "bytes */10")
        #expect(known.status == 304 && known.body.isEmpty)
    }

    @Test(arguments: [
        (nil, ByteRange.whole), ("bytes=0-", .part(0..<10)), ("bytes=0-0", .part(0..<1)),
        ("bytes=-3", .part(7..<10)), ("bytes=-30", .part(0..<10)), ("bytes=9-99", .part(9..<10)),
        ("bytes=10-", .outside), ("bytes=-0", .outside), ("bytes=5-4", .whole),
        ("bytes=1-2,4-5", .whole), ("items=0-1", .whole), ("bytes=-", .whole),
    ])
    func aRangeIsThatOfTheStandard(field: String?, expected: ByteRange) {
        #expect(ByteRange(field, count: 10) == expected)
    }

    @Test func anEmptyFileHasNoPart() {
        #expect(ByteRange("bytes=0-", count: 0) == .outside)
        #expect(ByteRange("bytes=-1", count: 0) == .outside)
    }
}
