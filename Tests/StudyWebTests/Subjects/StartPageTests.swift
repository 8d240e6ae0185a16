import Foundation
import HTTPTypes
import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

/// The first page of a new learner.
@Suite struct StartPageTests {
    private func bank(_ id: String, _ title: String) -> Blueprint {
        var exam = StudyPagesTests.exam()
        (exam.id, exam.title) = (id, title)
        return exam
    }

    private func browser() throws -> StudyBrowser {
        var language = StudyPagesTests.exam()
        (language.kind, language.id) = (.placement, "es")
        return try StudyBrowser([
            bank("ca/roads", "Roads"), bank("de/verkehr", "Verkehr"), bank("int/swift", "Swift"),
            language,
        ])
    }

    @Test func aQuestionIsTwoPressesAway() async throws {
        let browser = try browser()
        let start = try await browser.get("/").body
        #expect(start.contains("<h1>What do you want to learn?</h1>"))
        #expect(start.contains("<title>What do you want to learn?</title>"))
        #expect(start.contains("href=\"/library/es\"") && start.contains("lang=\"es\">Español"))
        #expect(start.contains("href=\"/account\">I have an account</a>"))
        let begun = try await browser.post("/session", [("bank", "es"), ("mode", "study")])
        let session = try #require(begun.location)
        #expect(try await browser.get(session).location == "\(session)/1")
        _ = try await browser.post("\(session)/1", [("option", "a")])
        #expect(try await browser.get("/").body.contains("<h1>Today</h1>"))
    }

    @Test(arguments: [
        ("de-CH,de;q=0.9,en-CA;q=0.5", ["Swift", "Roads", "Verkehr"]),
        ("en-CA", ["Roads", "Swift", "Verkehr"]),
        ("de, de-DE;q=0.5", ["Verkehr", "Swift", "Roads"]),
    ])
    func examsOfTheLearnersRegionComeFirst(languages: String, titles: [String]) async throws {
        let page = try await browser().get("/", [.acceptLanguage: languages]).body
        let places = try titles.map {
            try #require(page.range(of: ">\($0)</span>")).lowerBound
        }
        #expect(places == places.sorted())
    }

    @Test func aSearchStaysOnThePage() async throws {
        let page = try await browser().get("/?q=verk").body
        #expect(page.contains("Verkehr") && !page.contains(">Roads</span>"))
        #expect(
            page.contains("value=\"verk\"")
                && page.contains("<form class=\"search\" role=\"search\" action=\"/\">"))
    }

    @Test func announcementsComeAfterTheFirstAnswer() async throws {
        let device = try TestDevice.preview()
        let browser = try StudyBrowser(
            content: device.store, userData: device.userData, clock: { device.clock.now })
        #expect(try await !browser.get("/").body.contains("<dialog"))
        let bank = [("bank", "int/harbour"), ("mode", "study")]
        let session = try #require(try await browser.post("/session", bank).location)
        _ = try await browser.post("\(session)/1", [("option", "none"), ("option", "a")])
        let option = try #require(
            try await browser.get("\(session)/1").body
                .firstMatch(of: /name="option" value="([^"]+)"/)?.output.1)
        _ = try await browser.post("\(session)/1", [("option", String(option))])
        #expect(try await browser.get("/").body.contains("<dialog"))
    }
}
