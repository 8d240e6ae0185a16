import Foundation
import HTTPTypes
import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

/// Pictures whose place is known before they arrive, and their own page.
@Suite(.timeLimit(.minutes(1))) struct PicturePagesTests {
    private static let drawing = Array("<svg width='1280' height=\"640\"/>".utf8)
    private static let sign = Array("<svg viewBox='0 0 20 10'/>".utf8)
    private static let path = "/picture/\(Checksum(of: drawing).hex)"

    /// A device with the pictures of one question: its own, and that of an option.
    private func pictured(
        drawing: [UInt8] = drawing, isFetched: Bool = true
    ) async throws -> SyncedBrowser {
        let synced = try await SyncedBrowser { content in
            content.media = ["int/harbour": ["chart.svg": drawing, "sign.svg": Self.sign]]
            let domain = content[blueprint: "int/harbour"]?.domains.first?.id
            content[blueprint: "int/harbour"]?.questions = [
                Question(
                    id: "chart", type: .singleChoice, domain: domain, difficulty: 1,
                    stem: "Where is the buoy?", image: "chart.svg",
                    options: [
                        QuestionOption(id: "a", text: "", image: "sign.svg"),
                        QuestionOption(id: "b", text: "Nowhere"),
                    ], correct: [0])
            ]
        }
        if isFetched {
            _ = try await synced.device.contentSync.files(
                .media(exam: "int/harbour"), purpose: .content)
        }
        return synced
    }

    private func begun(_ browser: StudyBrowser) async throws -> String {
        let reply = try await browser.post(
            "/session", [("bank", "int/harbour"), ("mode", "study")])
        return try #require(reply.location)
    }

    @Test func aPictureHasItsSizeBeforeItArrives() async throws {
        let browser = try await pictured().browser
        let page = try await browser.get(begun(browser) + "/1").body

        let drawing = Checksum(of: Self.drawing).hex
        let sign = Checksum(of: Self.sign).hex
        let shown = "src=\"/media/\(drawing)\" alt=\"Picture of the question\""
        #expect(page.ranges(of: shown + " width=\"560\" height=\"280\">").count == 2)
        #expect(page.contains("src=\"/media/\(sign)\" alt=\"sign\" width=\"320\" height=\"160\">"))
        #expect(page.contains("href=\"\(Self.path)\" data-opens=\"enlarged\""))
    }

    @Test(arguments: ["<svg/>", "<svg width='9999999' height='1'>", "no picture"])
    func aPictureWithoutACredibleSizeHasNone(text: String) async throws {
        let browser = try await pictured(drawing: Array(text.utf8)).browser
        let page = try await browser.get(begun(browser) + "/1").body
        #expect(page.contains("alt=\"Picture of the question\"><a"))
    }

    @Test func thePageOfAPictureLeadsBack() async throws {
        let browser = try await pictured().browser
        let question = try await begun(browser) + "/1"

        let page = try await browser.get(
            Self.path, [.referer: "\(StudyBrowser.origin)\(question)"])

        #expect(page.status == 200 && page.body.contains("<h1>Picture of the question</h1>"))
        #expect(page.body.contains("<a class=\"back\" href=\"\(question)\">"))
        #expect(page.body.contains("width=\"1280\" height=\"640\">"))
    }

    @Test func onlyPicturesOfTheReleaseHaveAPage() async throws {
        let browser = try await pictured().browser
        let sound = Checksum(of: Array("0123456789".utf8)).hex
        for path in [sound, Checksum(of: Array("other".utf8)).hex, "x", "..%2f..", "1"] {
            #expect(try await browser.get("/picture/\(path)").status == 404, "\(path)")
        }
    }

    @Test func aReviewShowsThePictureThatIsOnTheDevice() async throws {
        for isFetched in [true, false] {
            let browser = try await pictured(isFetched: isFetched).browser
            let session = try await begun(browser)
            _ = try await browser.post("\(session)/1", [("option", "b")])
            _ = try await browser.post("\(session)/finish", [])
            let review = try await browser.get("\(session)/review").body
            #expect(review.contains("Where is the buoy?"))
            let size = "width=\"400\" height=\"200\">"
            #expect(review.contains(size) == isFetched, "\(isFetched)")
        }
    }
}
