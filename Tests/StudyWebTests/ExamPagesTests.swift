import Foundation
import Testing
import Underway

@testable import StudyWeb

/// The steps of an exam beside Next, its review by topic, and the verdict on an order and on a number.
@Suite struct ExamPagesTests {
    private static let order = Question(
        id: "order", type: .ordering, domain: "lists", difficulty: 1, stem: "Sort them.",
        options: ["a", "b", "c"].map { QuestionOption(id: $0, text: "item \($0)") },
        correct: [0, 1, 2])
    private static let number = Question(
        id: "number", type: .numericEntry, domain: "sums", difficulty: 1, stem: "How many?",
        key: .number(NumericKey(.value(1080, .absolute(0)))))

    private static func bank(_ questions: [Question]) -> Blueprint {
        Blueprint(
            kind: .exam, id: "int/made", title: "Made", version: "1",
            domains: [
                Domain(id: "lists", title: "Lists <1>", weight: 1),
                Domain(id: "sums", title: "Sums", weight: 1),
            ], questions: questions)
    }

    private func begin(_ browser: StudyBrowser, _ bank: String, _ mode: String) async throws
        -> String
    {
        let reply = try await browser.post("/session", [("bank", bank), ("mode", mode)])
        return try #require(reply.location)
    }

    @Test func previousAndSkipKeepWhatIsChosen() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        let exam = try await begin(browser, "int/sums", "exam")
        let first = try await browser.get("\(exam)/1").body
        #expect(first.contains(">Skip<") || first.contains(">Skip "))
        #expect(!first.contains("value=\"previous\""))
        let skipped = try await browser.post("\(exam)/1", [("step", "skip"), ("option", "b")])
        #expect(skipped.location == "\(exam)/2")
        #expect(try await browser.get("\(exam)/2").body.contains("value=\"previous\""))
        #expect(try await browser.post("\(exam)/2", [("step", "skip")]).location == "\(exam)/3")
        let back = try await browser.post("\(exam)/3", [("step", "previous"), ("option", "a")])
        #expect(back.location == "\(exam)/2")
        for place in [1, 3] {
            #expect(try await browser.get("\(exam)/\(place)").body.contains(" checked"))
        }
        #expect(
            try await browser.post("\(exam)/3", [("step", "skip")]).location == "\(exam)/overview")
        let overview = try await browser.get("\(exam)/overview").body
        #expect(overview.contains("2 answered, 1 open, 0 flagged"))
        #expect(overview.contains("class=\"answered\""))
        // Skipping what was answered changes nothing.
        _ = try await browser.post("\(exam)/1", [("step", "skip"), ("option", "b")])
        _ = try await browser.post("\(exam)/finish", [])
        let bank = try #require(QuestionFilter.Bank(name: "int/sums"))
        #expect(try browser.userData.answers(of: bank).count == 2)
    }

    @Test(arguments: ["skip", "previous", "flag"])
    func aHalfTypedNumberIsThereOnTheWayBack(step: String) async throws {
        var other = Self.number
        other.id = "other"
        let browser = try StudyBrowser([Self.bank([Self.number, other])])
        let exam = try await begin(browser, "int/made", "exam")
        let place = step == "skip" ? 1 : 2
        _ = try await browser.get("\(exam)/\(place)")
        let left = try await browser.post(
            "\(exam)/\(place)", [("step", step), ("number", "10 8")])
        #expect(left.status == 303)
        #expect(try await !browser.get("\(exam)/\(3 - place)").body.contains("10 8"))
        #expect(try await browser.get("\(exam)/\(place)").body.contains("value=\"10 8\""))
        let refused = try await browser.post("\(exam)/\(place)", [("number", "10 8")])
        #expect(refused.status == 422)
        _ = try await browser.post("\(exam)/\(place)", [("number", "1080")])
        #expect(try await browser.get("\(exam)/\(place)").body.contains("value=\"1080\""))
    }

    @Test func theReviewShowsATopic() async throws {
        let browser = try StudyBrowser([Self.bank([Self.order, Self.number])])
        let exam = try await begin(browser, "int/made", "exam")
        _ = try await browser.post("\(exam)/finish", [])
        let result = try await browser.get("\(exam)/result").body
        let path = "\(exam)/review?topic=lists"
        #expect(result.contains("href=\"\(path)\""))
        let review = try await browser.get(path).body
        #expect(review.contains("<h1>Lists &lt;1&gt;: 0 of 1</h1>"))
        #expect(review.contains("Sort them.") && !review.contains("How many?"))
        #expect(review.contains("href=\"\(exam)/review\""))
        let all = try await browser.get("\(exam)/review?topic=none").body
        #expect(all.contains("Sort them.") && all.contains("How many?"))
    }

    @Test func theRightOrderStandsBesideAWrongOne() async throws {
        let browser = try StudyBrowser([Self.bank([Self.order])])
        let session = try await begin(browser, "int/made", "study")
        #expect(try await !browser.get("\(session)/1").body.contains("Right order"))
        _ = try await browser.post("\(session)/1", ["c", "b", "a"].map { ("option", $0) })
        let page = try await browser.get("\(session)/1").body
        let right = try #require(page.range(of: "class=\"right-order\""))
        let places = try ["item a", "item b", "item c"].map {
            try #require(page.range(of: $0, range: right.upperBound..<page.endIndex)).lowerBound
        }
        #expect(places == places.sorted())
        #expect(page.contains("Your order") && page.contains("Right order"))
    }

    @Test(arguments: [("1080", "right", false), ("12", "wrong", true)])
    func theMarkOfANumberStandsInItsField(typed: String, tone: String, isSaid: Bool) async throws {
        let browser = try StudyBrowser([Self.bank([Self.number])])
        let session = try await begin(browser, "int/made", "study")
        _ = try await browser.post("\(session)/1", [("number", typed)])
        let page = try await browser.get("\(session)/1").body
        #expect(page.contains("<div class=\"marked \(tone)\"><input"))
        #expect(page.contains("aria-describedby=\"number-mark\""))
        #expect(
            page.contains("<p>Right: 1,080</p>") == isSaid
                || page.contains("<p>Right: 1080</p>") == isSaid)
    }

    @Test func undoStandsInTheFoot() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        let session = try await begin(browser, "int/sums", "study")
        _ = try await browser.post("\(session)/1", [("option", "b")])
        let page = try await browser.get("\(session)/1").body
        let foot = try #require(page.range(of: "class=\"foot wrong\""))
        let undo = try #require(page.range(of: " form=\"undo\" data-key=\"z\""))
        #expect(foot.lowerBound < undo.lowerBound)
        #expect(page.ranges(of: "data-key=\"z\"").count == 1)
    }
}
