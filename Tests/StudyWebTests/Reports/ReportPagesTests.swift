import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyWeb

/// Reports through the pages of a device with a server in memory.
@Suite struct ReportPagesTests {
    /// A session with one checked question, and the address of its report.
    private struct Checked {
        let synced: SyncedBrowser
        let browser: StudyBrowser
        let question: String
        var path: String { question + "/report" }
        var session: String { String(question.dropLast(2)) }

        init() async throws {
            synced = try await SyncedBrowser { $0.blueprints = [StudyPagesTests.exam()] }
            browser = synced.browser
            let begun = try await browser.post(
                "/session", [("bank", "int/sums"), ("mode", "study")])
            question = try #require(begun.location) + "/1"
            _ = try await browser.get(question)
            _ = try await browser.post(question, [("option", "a")])
        }

        func send(_ reason: String, _ text: String = "") async throws -> StudyBrowser.Reply {
            try await browser.post(path, [("reason", reason), ("text", text)])
        }

        func stored() async throws -> [QuestionReport] {
            try synced.device.userData.records(QuestionReport.self).map(\.value)
        }

        func undo() async throws -> String {
            let page = try await browser.get(question).body
            let toast = try #require(page.split(separator: "data-toast").dropFirst().last)
            let match = try #require(toast.firstMatch(of: /name="undo" value="([^"]*)"/))
            return String(match.1)
        }
    }

    @Test func aCheckedQuestionLeadsToItsReportAndBack() async throws {
        let checked = try await Checked()
        let browser = checked.browser
        #expect(
            try await browser.get(checked.question).body.contains(
                "href=\"\(checked.path)\">Report this question</a>"))
        let page = try await browser.get(checked.path).body
        #expect(page.contains("<h1>What is wrong with this question?</h1>"))
        #expect(page.contains("href=\"\(checked.question)\""))
        #expect(page.ranges(of: "type=\"radio\"").count == 6)
        #expect(page.contains("maxlength=\"1000\"") && page.contains("At most 1,000 characters"))
        #expect(page.ranges(of: "button filled").count == 1 && page.contains("Send report"))

        let sent = try await checked.send("wrong-key", "B\r\ntoo")
        #expect(sent.status == 303 && sent.location == checked.question)
        #expect(try await checked.stored().map(\.text) == ["B\ntoo"])
        let back = try await browser.get(checked.question).body
        #expect(back.contains("Thank you. It is sent with the next sync."))
        #expect(back.contains("href=\"\(checked.path)\">You reported this question</a>"))
        let said = try await browser.get(checked.path).body
        #expect(said.contains("<h1>You reported this question</h1>"))
        #expect(said.contains("The right answer is not right") && said.contains("B\ntoo"))
        #expect(said.contains("Waiting to be sent") && !said.contains("button filled"))
    }

    @Test func anOpenQuestionCannotBeReported() async throws {
        let synced = try await SyncedBrowser { $0.blueprints = [StudyPagesTests.exam()] }
        let begun = try await synced.browser.post(
            "/session", [("bank", "int/sums"), ("mode", "study")])
        let question = try #require(begun.location) + "/1"
        #expect(try await !synced.browser.get(question).body.contains("/report"))
        #expect(try await synced.browser.get(question + "/report").status == 409)
        let sent = try await synced.browser.post(question + "/report", [("reason", "unclear")])
        #expect(sent.status == 409)
        for path in ["/session/x/1/report", "\(question)0/report", "/session/x/0/report"] {
            #expect(try await synced.browser.get(path).status == 404)
        }
    }

    @Test func sendingTwiceStoresOneAndUndoTakesItBack() async throws {
        let checked = try await Checked()
        _ = try await checked.send("unclear", "a")
        #expect(try await checked.send("unclear", "a").status == 303)
        #expect(try await checked.stored().count == 1)
        _ = try await checked.send("media", "b")
        let undo = try await checked.undo()
        let undone = try await checked.browser.post(checked.path, [("undo", undo)])
        #expect(undone.location == checked.question)
        #expect(try await checked.stored().map(\.text) == ["a"])

        _ = try await checked.browser.post(checked.path, [("action", "takeBack")])
        #expect(try await checked.stored().isEmpty)
        let again = try await checked.undo()
        _ = try await checked.browser.post(checked.path, [("undo", again)])
        #expect(try await checked.stored().map(\.reason) == [.unclear])
        #expect(try await checked.browser.post(checked.path, [("undo", "x y")]).status == 400)
    }

    @Test(arguments: [
        ("", "words", "Choose what is wrong first."),
        ("nonsense", "words", "Choose what is wrong first."),
        ("other", " ", "Say in your own words what is wrong."),
        ("unclear", String(repeating: "x", count: 1_001), "This is too long."),
    ])
    func aRefusedReportKeepsWhatWasTyped(reason: String, text: String, says: String) async throws {
        let checked = try await Checked()
        let reply = try await checked.send(reason, text)
        #expect(reply.status == 422 && reply.body.contains(says))
        #expect(reply.body.contains("\n\(text)</textarea>"))
        let isKnown = ["other", "unclear"].contains(reason)
        #expect(reply.body.contains("value=\"\(reason)\" checked") == isKnown)
        #expect(try await checked.stored().isEmpty)
    }

    @Test func hostileWordsAreShownAsWords() async throws {
        let checked = try await Checked()
        let text = "</textarea><script>alert(1)</script>\" {{csrf}} \u{202E}"
        _ = try await checked.send("other", text)
        for path in [checked.path, checked.path + "?change=", checked.question] {
            let page = try await checked.browser.get(path).body
            #expect(!page.contains("<script>alert") && !page.contains("</textarea><script"))
        }
        let changed = try await checked.browser.get(checked.path + "?change=").body
        #expect(changed.contains("&lt;/textarea&gt;&lt;script&gt;") && changed.contains("{{csrf}}"))
        #expect(changed.contains("value=\"other\" checked"))
        #expect(try await checked.stored().map(\.text) == [text])
    }

    @Test func aReviewLeadsToTheReportOfEachQuestionAndBackToItsPlace() async throws {
        let checked = try await Checked()
        let browser = checked.browser
        _ = try await browser.post("\(checked.session)/finish", [])
        let path = "\(checked.session)/2/report?from=review"
        let review = try await browser.get("\(checked.session)/review").body
        #expect(review.ranges(of: "Report this question").count == 3)
        let names = "aria-labelledby=\"question-2-report question-2-text\""
        #expect(review.contains("href=\"\(path)\" \(names)"))
        let place = "\(checked.session)/review#question-2"
        #expect(try await browser.get(path).body.contains("href=\"\(place)\""))

        let sent = try await browser.post(path, [("reason", "outdated")])

        #expect(sent.location == place)
        let after = try await browser.get("\(checked.session)/review").body
        #expect(after.contains("You reported this question") && after.contains("data-toast"))
        #expect(after.contains("action=\"\(path)\""))
    }

    @Test func withoutAServerThereIsNoReport() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", "study")])
        let question = try #require(begun.location) + "/1"
        _ = try await browser.post(question, [("option", "a")])
        #expect(try await !browser.get(question).body.contains("/report"))
        #expect(try await browser.get(question + "/report").status == 404)
    }

    @Test func anUndoSurvivesAForm() {
        let report = QuestionReport(
            bank: "int/sums", question: "q 1:é", version: "1", reason: .other,
            text: "a b\r\n&=+%")
        #expect(ReportUndo(ReportUndo(report).value) == ReportUndo(report))
        #expect(ReportUndo(ReportUndo(nil).value) == ReportUndo(nil))
        for text in ["", "a", "a b c d e", "a b c other"] { #expect(ReportUndo(text) == nil) }
    }
}
