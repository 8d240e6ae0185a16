import Foundation
import HTTPTypes
import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

/// The question for consent and its switch, through the pages.
@Suite struct ConsentPagesTests {
    private static let question = "May your answers help to find mistakes in questions?"

    private func synced() async throws -> SyncedBrowser {
        try await SyncedBrowser { $0.blueprints = [StudyPagesTests.exam()] }
    }

    /// Ends a session with an answer, and returns the address of its result.
    private func ended(_ browser: StudyBrowser) async throws -> String {
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", "exam")])
        let session = try #require(begun.location)
        _ = try await browser.post("\(session)/1", [("option", "a")])
        _ = try await browser.post("\(session)/finish", [])
        return session + "/result"
    }

    private func answer(
        _ browser: StudyBrowser, _ consent: String, on result: String
    ) async throws -> StudyBrowser.Reply {
        let session = result.split(separator: "/")[1]
        return try await browser.post(
            "/consent", [("session", String(session)), ("consent", consent)])
    }

    private func stored(_ synced: SyncedBrowser) async throws -> Bool? {
        try synced.device.userData.record(
            ConsentRecord.self, id: Consent.answerAnalysis.rawValue)?.isGiven
    }

    @Test func theQuestionIsAskedOnOneResultByTwoEqualButtons() async throws {
        let synced = try await synced()
        let browser = synced.browser
        let first = try await ended(browser)
        // A look that nobody sees has not asked.
        _ = try await browser.send(.head, first)
        for _ in 1...2 {
            let page = try await browser.get(first).body
            #expect(page.contains("<h2>\(Self.question)</h2>"))
            #expect(page.contains("<button class=\"button\">Yes, they may help</button>"))
            #expect(page.contains("<button class=\"button\">No, thanks</button>"))
        }
        let second = try await ended(browser)
        #expect(try await !browser.get(second).body.contains(Self.question))
        #expect(try await stored(synced) == nil)
    }

    @Test(arguments: [("on", true, "Thank you."), ("off", false, "are not used for this")])
    func anAnswerEndsTheQuestionAndCanBeUndone(
        sent: String, isGiven: Bool, says: String
    ) async throws {
        let synced = try await synced()
        let browser = synced.browser
        let result = try await ended(browser)

        #expect(try await answer(browser, sent, on: result).location == result)

        #expect(try await stored(synced) == isGiven)
        let page = try await browser.get(result).body
        #expect(page.contains(says) && !page.contains(Self.question))
        let undo = try #require(
            page.firstMatch(of: /action="(\/consent[^"]*)"[\s\S]*name="undo" value="([^"]*)"/))
        let undone = try await browser.post(String(undo.1), [("undo", String(undo.2))])
        #expect(undone.location == result)
        #expect(try await stored(synced) == nil)
        #expect(try await browser.get(result).body.contains(Self.question))
    }

    @Test func theSwitchOfTheSettingsGivesAndTakesBack() async throws {
        let synced = try await synced()
        let browser = synced.browser
        let off = try await browser.get("/settings").body
        #expect(off.contains("Help to find mistakes in questions"))
        #expect(off.contains("aria-describedby=\"consent-hint\">"))

        #expect(try await browser.post("/consent", [("consent", "on")]).location == "/settings")
        #expect(try await stored(synced) == true)
        #expect(
            try await browser.get("/settings").body.contains(
                "aria-describedby=\"consent-hint\" checked>"))
        _ = try await browser.post("/settings", [("theme", "dark"), ("language", "")])
        #expect(try await stored(synced) == true)

        #expect(try await browser.post("/consent", []).location == "/settings")
        #expect(try await stored(synced) == false)
        #expect(try await !browser.get(try await ended(browser)).body.contains(Self.question))
    }

    @Test func nonsenseChangesNothing() async throws {
        let synced = try await synced()
        let browser = synced.browser
        let form = [("session", "x\r\ny"), ("consent", "on")]
        #expect(try await browser.post("/consent", form).status == 404)
        #expect(try await browser.post("/consent", [("undo", "perhaps")]).status == 400)
        #expect(try await stored(synced) == nil)
    }

    @Test func withoutAServerNothingIsAsked() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        let result = try await ended(browser)
        #expect(try await !browser.get(result).body.contains(Self.question))
        #expect(try await !browser.get("/settings").body.contains("/consent"))
        #expect(try await browser.post("/consent", [("consent", "on")]).status == 404)
    }
}
