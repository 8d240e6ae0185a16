import Foundation
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// The result of a session and the review of its answers.
@Suite struct ResultPageTests {
    /// Ends a session with some wrong answers.
    private func ended(_ browser: StudyBrowser, wrong: Int, of count: Int) async throws -> String {
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", "exam")])
        let session = try #require(begun.location)
        for number in 1...count {
            _ = try await browser.post(
                "\(session)/\(number)", [("option", number <= wrong ? "b" : "a")])
        }
        _ = try await browser.post("\(session)/finish", [])
        return session
    }

    @Test func allMissedAnswersAreOneLinkAway() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam(10)])
        let session = try await ended(browser, wrong: 4, of: 10)
        let result = try await browser.get("\(session)/result").body
        #expect(
            result.contains("href=\"\(session)/review?show=missed\">All 4 missed questions</a>"))
        let missed = try await browser.get("\(session)/review?show=missed").body
        #expect(missed.contains("<h1>All 4 missed questions</h1>"))
        #expect(missed.ranges(of: "#cross").count == 4 && !missed.contains("#check"))
        #expect(missed.contains("href=\"\(session)/review\">Review 10 questions</a>"))
        let all = try await browser.get("\(session)/review").body
        #expect(all.ranges(of: "#cross").count == 4 && all.ranges(of: "#check").count == 6)
    }

    /// What was left open is no answer, and is said.
    @Test func openQuestionsAreCountedApart() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam(5)])
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", "exam")])
        let session = try #require(begun.location)
        _ = try await browser.post("\(session)/1", [("option", "a")])
        _ = try await browser.post("\(session)/finish", [])

        let result = try await browser.get("\(session)/result").body

        #expect(result.contains("4 questions were not answered."))
        #expect(result.contains("Review 5 questions"))
    }

    @Test func fewMissedAnswersNeedNoLink() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        let session = try await ended(browser, wrong: 3, of: 3)
        let result = try await browser.get("\(session)/result").body
        #expect(result.ranges(of: "#cross").count == 3 && !result.contains("?show=missed"))
        #expect(try await browser.get("\(session)/review?show=nonsense").status == 200)
    }

    @Test func aCorrectionLeadsToItsQuestion() async throws {
        let former = try StudyBrowser([StudyPagesTests.exam()])
        let session = try await ended(former, wrong: 3, of: 3)
        let corrected = StudyPagesTests.corrected(StudyPagesTests.exam(), question: 1)
        let browser = try StudyBrowser(
            content: OfflineStore.inMemory(blueprints: [corrected]), userData: former.userData)
        let result = try await browser.get("\(session)/result").body
        #expect(result.contains("<h1>1 of 3 right</h1>") && result.contains("It was 0"))
        let screen = try await screen(of: session, browser)
        let number = try #require(screen.corrected?.number)
        let place = "question-\(number)"
        #expect(screen.reviewed[number - 1].question.id == "q2")
        #expect(
            result.contains("href=\"\(session)/review#\(place)\">See the corrected question</a>"))
        let review = try await browser.get("\(session)/review").body
        let row = try #require(review.components(separatedBy: "id=\"\(place)\"").last)
        #expect(row.prefix(600).contains("The right answer changed"))
        #expect(review.ranges(of: "The right answer changed").count == 1)
    }

    /// The heading is by the corrected points, also where they decide about passing.
    @Test func anExamIsPassedByACorrection() async throws {
        var exam = StudyPagesTests.exam()
        exam.scoring = Scoring(passFraction: 0.6)
        let former = try StudyBrowser([exam])
        let session = try await ended(former, wrong: 2, of: 3)
        #expect(try await former.get("\(session)/result").body.contains("<h1>Not passed, 1 of 3."))
        // Which questions were missed follows from the order of the exam.
        let saved = try #require(
            try former.userData.session(id: String(session.trimmingPrefix("/session/"))))
        let missed = saved.session.items.firstIndex { $0.answer?.isCorrect == false }
        let id = try #require(missed.map { saved.session.items[$0].questionID })
        let index = try #require(exam.questions.firstIndex { $0.id == id })
        let browser = try StudyBrowser(
            content: OfflineStore.inMemory(blueprints: [
                StudyPagesTests.corrected(exam, question: index)
            ]), userData: former.userData)
        let result = try await browser.get("\(session)/result").body
        #expect(result.contains("<h1>Passed, 2 of 3.") && result.contains("It was 1"))
    }

    @Test func aQuestionAboutCodeIsListedWithIt() async throws {
        var exam = StudyPagesTests.exam(1)
        exam.questions[0].stem = "What does this print?"
        exam.questions[0].code = CodeSnippet(
            language: "swift", text: "\nlet sum = 1 + 1\nprint(sum < 3)")
        let browser = try StudyBrowser([exam])
        let session = try await ended(browser, wrong: 1, of: 1)
        let result = try await browser.get("\(session)/result").body
        #expect(result.contains("<code dir=\"ltr\">let sum = 1 + 1 …</code>"))
        let review = try await browser.get("\(session)/review").body
        #expect(review.contains("aria-label=\"Question 1 of 1\""))
        #expect(review.contains("sum &lt; "))
    }

    @Test(arguments: ["result", "review"])
    func printingIsOfferedToAPageWithScript(page: String) async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        let session = try await ended(browser, wrong: 1, of: 3)
        let body = try await browser.get("\(session)/\(page)").body
        #expect(body.contains("<button type=\"button\" class=\"button scripted\" data-print>Print"))
    }

    private func screen(of session: String, _ browser: StudyBrowser) async throws -> ResultScreen {
        let id = String(session.trimmingPrefix("/session/"))
        let model = await ResultModel(browser.app.services, id: id)
        await model.load()
        return try #require(await model.screen)
    }
}
