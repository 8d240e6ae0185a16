import Foundation
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// A subject's page and the pages behind it, as a browser asks for them.
@Suite struct SubjectPagesTests {
    private func exam(_ count: Int = 12) -> Blueprint {
        var exam = StudyPagesTests.exam(count)
        exam.domains = [Domain(id: "low", title: "Low <sums>", weight: 1)]
        for index in exam.questions.indices { exam.questions[index].domain = "low" }
        return exam
    }

    /// Takes a session, and answers some questions with an option.
    private func study(
        _ browser: StudyBrowser, _ option: String, _ count: Int, mode: String = "study"
    ) async throws -> String {
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", mode)])
        let session = try #require(begun.location)
        for number in 1...count {
            _ = try await browser.post("\(session)/\(number)", [("option", option)])
        }
        return session
    }

    @Test func aNewSubjectBeginsInOnePress() async throws {
        let browser = try StudyBrowser([exam()])
        let page = try await browser.get("/library/int/sums").body
        #expect(page.contains("<button class=\"button filled\">Start with question 1</button>"))
        #expect(page.contains("Simulate the exam") && page.ranges(of: " filled").count == 1)
        #expect(!page.contains("Weak topics") && !page.contains("<h2>Sessions</h2>"))
    }

    @Test func aNewLanguageOffersItsLevelFirst() async throws {
        var language = exam()
        (language.kind, language.id) = (.placement, "eo")
        let browser = try StudyBrowser([language])
        let page = try await browser.get("/library/eo").body
        let level = try #require(page.range(of: "filled\">Find my level ("))
        let first = try #require(page.range(of: "class=\"button\">Start with question 1<"))
        #expect(level.lowerBound < first.lowerBound && page.ranges(of: " filled").count == 1)
        #expect(page.contains("Your level is not known yet."))
    }

    @Test func aWeakTopicIsStudiedByItsButton() async throws {
        let browser = try StudyBrowser([exam()])
        let session = try await study(browser, "b", 6)
        _ = try await browser.post("\(session)/finish", [])
        let page = try await browser.get("/library/int/sums").body
        #expect(page.contains("Low &lt;sums&gt;: 0 of 6, last 30 days"))
        #expect(page.contains("aria-label=\"Study these: Low &lt;sums&gt;\""))
        let form = [("bank", "int/sums"), ("topic", "domain:low")]
        let begun = try await browser.post("/library/study", form)
        #expect(begun.status == 303)
        #expect(try await browser.post("/library/study", form).location == begun.location)
        let bad = try await browser.post("/library/study", [("bank", "int/sums"), ("topic", "x")])
        #expect(bad.status == 400)
    }

    @Test func sessionsLeadToTheirReviewAndAnOpenOneGoesOn() async throws {
        let browser = try StudyBrowser([exam()])
        let ended = try await study(browser, "a", 2)
        _ = try await browser.post("\(ended)/finish", [])
        let open = try await study(browser, "a", 1)
        let page = try await browser.get("/library/int/sums?part=sessions").body
        #expect(page.contains("<h1>Sessions</h1>"))
        #expect(page.contains("href=\"\(ended)/review\""))
        #expect(page.contains("href=\"\(open)\"") && page.contains("Not finished, 1 answer"))
        #expect(page.contains("href=\"/library/int/sums\""))
    }

    @Test func theListOfSessionsHasPages() async throws {
        let browser = try StudyBrowser([exam()])
        for _ in 0..<21 {
            let session = try await study(browser, "a", 1, mode: "exam")
            _ = try await browser.post("\(session)/finish", [])
        }
        let first = try await browser.get("/library/int/sums?part=sessions").body
        #expect(first.contains("Page 1 of 2") && first.ranges(of: "/review\"").count == 20)
        #expect(first.contains("rel=\"next\" href=\"/library/int/sums?part=sessions&amp;page=2\""))
        for page in ["2", "99"] {
            let last = try await browser.get("/library/int/sums?part=sessions&page=\(page)").body
            #expect(last.ranges(of: "/review\"").count == 1 && !last.contains("rel=\"next\""))
        }
        let subject = try await browser.get("/library/int/sums").body
        #expect(subject.contains("All 21 sessions"))
    }

    // MARK: Questions

    @Test func aSearchKeepsItsWordsAndItsFilter() async throws {
        let browser = try StudyBrowser([exam(25)])
        let session = try await study(browser, "b", 1)
        let path = "/library/int/sums?part=questions"
        let all = try await browser.get(path).body
        #expect(all.contains("25 questions") && all.contains("Page 1 of 2"))
        let found = try await browser.get(path + "&q=%3C1%3E+WHAT&show=missed").body
        #expect(found.contains("value=\"&lt;1&gt; WHAT\"") && found.contains("Nothing found for"))
        #expect(found.contains("<input type=\"hidden\" name=\"show\" value=\"missed\">"))
        #expect(found.contains("&amp;q=%3C1%3E%20WHAT&amp;show=noted\""))
        let missed = try await browser.get(path + "&show=missed").body
        #expect(missed.ranges(of: "?question=").count == 1)
        #expect(missed.contains("aria-current=\"true\">Missed</a>"))
        _ = try await browser.post("\(session)/finish", [])
    }

    @Test func theKeyOfAQuestionIsNoGift() async throws {
        let browser = try StudyBrowser([exam(1)])
        let path = "/library/int/sums?question=q1"
        let before = try await browser.get(path).body
        #expect(before.contains("You see the right answer here after"))
        #expect(!before.contains("Right answer") && !before.contains("One more."))
        _ = try await study(browser, "b", 1)
        let after = try await browser.get(path).body
        #expect(after.contains("Right answer") && after.contains("One more."))
        #expect(after.contains("last answer wrong"))
        #expect(try await browser.get("/library/int/sums?question=none").status == 404)
    }

    // MARK: Notes

    private func note(
        _ browser: StudyBrowser, _ text: String, _ more: [(String, String)] = []
    ) async throws -> StudyBrowser.Reply {
        try await browser.post(
            "/notes", [("bank", "int/sums"), ("question", "q1"), ("note", text)] + more)
    }

    @Test func aNoteIsWrittenAtTheQuestionAndFoundByItsFilter() async throws {
        let browser = try StudyBrowser([exam()])
        let saved = try await note(browser, "<i>carry</i>\r\nthe one")
        #expect(saved.location == "/library/int/sums?question=q1")
        let page = try await browser.get("/library/int/sums?question=q1").body
        #expect(page.contains(">&lt;i&gt;carry&lt;/i&gt;\nthe one</textarea>"))
        let noted = try await browser.get("/library/int/sums?part=questions&show=noted").body
        #expect(noted.ranges(of: "?question=").count == 1 && noted.contains("with a note"))
    }

    @Test func aRemovedNoteComesBackByUndo() async throws {
        let browser = try StudyBrowser([exam()])
        _ = try await note(browser, "carry the one")
        _ = try await note(browser, "")
        let page = try await browser.get("/library/int/sums?question=q1").body
        #expect(page.contains("Note removed.") && !page.contains("carry the one</textarea>"))
        let value = try #require(
            page.firstMatch(of: /name="undo" value="([^"]+)"/)?.output.1)
        let undone = try await browser.post("/notes", [("undo", String(value))])
        #expect(undone.location == "/library/int/sums?question=q1")
        #expect(
            try browser.userData.record(Favourite.self, id: "q1")?.note == "carry the one")
    }

    @Test func aNoteThatIsTooLongStaysInItsField() async throws {
        let browser = try StudyBrowser([exam()])
        let long = String(repeating: "x", count: QuestionNote.lengthMax + 1)
        let reply = try await note(browser, long)
        #expect(reply.status == 422 && reply.body.contains(long + "</textarea>"))
        #expect(reply.body.contains("at most 1,000 characters"))
        #expect(try browser.userData.records(Favourite.self).isEmpty)
        #expect(try await browser.post("/notes", [("bank", "int/sums")]).status == 400)
    }

    // MARK: Setting aside

    @Test func aQuestionIsSetAsideAndAskedAgain() async throws {
        let browser = try StudyBrowser([exam(2)])
        let (path, form) = (
            "/library/int/sums?question=q1", [("bank", "int/sums"), ("question", "q1")]
        )
        let reply = try await browser.post("/aside", form + [("aside", "on")])
        #expect(reply.location == path)
        let page = try await browser.get(path).body
        #expect(page.contains("<p>You have set this question aside."))
        #expect(page.contains("Ask it again") && !page.contains("Set it aside"))
        let list = try await browser.get("/library/int/sums?part=questions&show=aside").body
        #expect(list.ranges(of: "?question=").count == 1 && list.contains("set aside"))

        // From a session, the press leads back to it.
        let back = try await browser.post("/aside", form + [("session", "a/b"), ("number", "2")])
        #expect(back.location == "/session/a%2Fb/2")
        #expect(try await browser.get(path).body.contains("Set it aside"))
        #expect(try await browser.post("/aside", [("bank", "int/sums")]).status == 400)
        let none = try await browser.post("/aside", [("bank", "int/sums"), ("question", "none")])
        #expect(none.status == 404)
    }

    @Test func aNoteIsWrittenAtTheReview() async throws {
        let browser = try StudyBrowser([exam(2)])
        let session = try await study(browser, "a", 2)
        let review = try await browser.get("\(session)/review").body
        #expect(review.ranges(of: "action=\"/notes\"").count == 2)
        let id = String(session.trimmingPrefix("/session/"))
        let saved = try await note(browser, "easy", [("session", id), ("number", "2")])
        #expect(saved.location == "\(session)/review#question-2")
        #expect(try await browser.get("\(session)/review").body.contains("dir=\"auto\">easy</p>"))
    }

    @Test func aForgedPlaceLeadsNowhereElse() async throws {
        let browser = try StudyBrowser([exam()])
        let reply = try await note(
            browser, "x", [("session", "//evil.example/\r\nA: b"), ("number", "1")])
        #expect(reply.location?.hasPrefix("/session/%2F%2Fevil") == true)
        #expect(reply.location?.contains("\n") == false)
    }
}
