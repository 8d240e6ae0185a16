import Foundation
import HTTPTypes
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// Sessions through the pages, as forms send them.
@Suite struct StudyPagesTests {
    /// An exam of three questions whose right option is always `a`.
    static func exam(_ count: Int = 3) -> Blueprint {
        Blueprint(
            kind: .exam, id: "int/sums", title: "Sums", version: "1",
            questions: (1...count).map { number in
                Question(
                    id: "q\(number)", type: .singleChoice, difficulty: 1,
                    stem: "What is `\(number)` + 1?",
                    options: [
                        QuestionOption(id: "a", text: "\(number + 1)"),
                        QuestionOption(id: "b", text: "<b>never</b>"),
                    ], correct: [0], explanation: "One more.")
            })
    }

    /// Makes `b` the right option of a question; named as a correction, or as a key that only changed.
    static func corrected(
        _ exam: Blueprint, question index: Int, isNamed: Bool = true
    ) -> Blueprint {
        var new = exam
        new.questions[index].correct = [1]
        let old = exam.questions[index]
        if isNamed {
            new.corrections.append(
                GradeCorrection(
                    question: old.id, versions: [old.contentVersion], was: "a", is: "b",
                    day: "2026-05-03"))
        }
        return new
    }

    private func begin(_ browser: StudyBrowser, _ mode: String) async throws -> String {
        let reply = try await browser.post("/session", [("bank", "int/sums"), ("mode", mode)])
        #expect(reply.status == 303)
        return try #require(reply.location)
    }

    @Test func aSessionGoesFromTheFirstQuestionToItsResult() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let session = try await begin(browser, "study")
        for number in 1...3 {
            #expect(try await browser.get(session).location == "\(session)/\(number)")
            let checked = try await browser.post("\(session)/\(number)", [("option", "a")])
            #expect(checked.location == "\(session)/\(number)")
            let verdict = try await browser.get("\(session)/\(number)").body
            #expect(verdict.contains("class=\"foot right\""))
            #expect(verdict.contains("One more."))
            // Only the forms of star and undo: going on by GET would show the secret in the address.
            #expect(verdict.ranges(of: browser.app.secrets.form).count == 2)
        }
        #expect(try await browser.get(session).location == "\(session)/result")
        let result = try await browser.get("\(session)/result").body
        #expect(result.contains("<h1>3 of 3 right</h1>"))
        #expect(try browser.userData.openSessions().isEmpty)
    }

    @Test func theSameFormTwiceIsOneAnswerAndAnotherAnswerChangesNothing() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let session = try await begin(browser, "study")
        await withTaskGroup { group in
            for option in ["b", "b", "a", "b"] {
                group.addTask {
                    _ = try? await browser.post("\(session)/1", [("option", option)])
                }
            }
        }
        let bank = try #require(QuestionFilter.Bank(name: "int/sums"))
        #expect(try browser.userData.answers(of: bank).count == 1)
        let before = try browser.userData.answers(of: bank)
        _ = try await browser.get("\(session)/1")
        _ = try await browser.post("\(session)/1", [("option", "a")])
        #expect(try browser.userData.answers(of: bank) == before)
    }

    @Test func aFormThatIsSentManyTimesAtOnceIsNoProblem() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let session = try await begin(browser, "study")
        let statuses = await withTaskGroup { group in
            for _ in 0..<16 {
                group.addTask {
                    try? await browser.post("\(session)/1", [("option", "a")]).status
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 303, count: 16))
    }

    @Test func undoAsksTheQuestionAnewAlsoFromTheResult() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let session = try await begin(browser, "study")
        let bank = try #require(QuestionFilter.Bank(name: "int/sums"))
        #expect(try await !browser.get("\(session)/1").body.contains("data-key=\"z\""))
        _ = try await browser.post("\(session)/1", [("option", "b")])
        #expect(try await browser.get("\(session)/1").body.contains("value=\"q1 0\""))
        // The same form twice takes one answer back.
        for _ in 0..<2 {
            let undone = try await browser.post("\(session)/undo", [("undo", "q1 0")])
            #expect(undone.status == 303 && undone.location == session)
        }
        #expect(try await browser.get(session).location == "\(session)/1")
        #expect(try await !browser.get("\(session)/1").body.contains("class=\"foot wrong\""))
        #expect(try browser.userData.answers(of: bank).isEmpty)
        for number in 1...3 {
            _ = try await browser.post("\(session)/\(number)", [("option", "a")])
        }
        #expect(try await browser.get("\(session)/result").body.contains("value=\"q3 0\""))
        _ = try await browser.post("\(session)/undo", [("undo", "q3 0")])
        #expect(try await browser.get(session).location == "\(session)/3")
        #expect(try browser.userData.answers(of: bank).map(\.exposuresBefore) == [1, 0])
    }

    /// The places of a session become fewer: by an undo, or by a question that was set aside.
    @Test(arguments: ["", "flag", "skip", "rate", "favourite", "move"])
    func aPlaceThatIsNoMoreLeadsToTheOpenQuestion(step: String) async throws {
        let browser = try StudyBrowser([Self.exam()])
        let session = try await begin(browser, "study")
        let form =
            step == "move"
            ? [("move", "up:1"), ("option", "a")]
            : [("option", "a"), ("question", "q9"), ("step", step), ("rating", "3")]
                .filter { !$0.1.isEmpty }
        let path = step == "favourite" ? "\(session)/9/favourite" : "\(session)/9"
        let reply = try await browser.post(path, form)
        #expect(reply.status == 303 && reply.location?.hasPrefix(session) == true)
        #expect(try await browser.get(session).location == "\(session)/1")
        let page = try await browser.get("\(session)/1").body
        #expect(page.contains("The session went on elsewhere") && page.contains("+ 1?"))
        let bank = try #require(QuestionFilter.Bank(name: "int/sums"))
        #expect(try browser.userData.answers(of: bank).isEmpty)
    }

    @Test func nothingChosenIsSaidInTheFootAndTheQuestionStays() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let session = try await begin(browser, "study")
        let reply = try await browser.post("\(session)/1", [])
        #expect(reply.status == 422)
        #expect(reply.body.contains("Choose an answer first"))
        #expect(try await browser.get(session).location == "\(session)/1")
    }

    @Test func textsOfAuthorsAreNoMarkup() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let page = try await browser.get("\(try await begin(browser, "study"))/1").body
        #expect(page.contains("&lt;b&gt;never&lt;/b&gt;"))
        #expect(page.contains("What is <code dir=\"ltr\">1</code> + 1?"))
    }

    @Test func anExamShowsNoVerdictAndTakesOtherAnswersUntilItIsHandedIn() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let session = try await begin(browser, "exam")
        let next = try await browser.post("\(session)/1", [("option", "b")])
        #expect(next.location == "\(session)/2")
        let first = try await browser.get("\(session)/1").body
        #expect(first.contains("checked"))
        #expect(!first.contains("Right answer"))
        _ = try await browser.post("\(session)/1", [("option", "a")])
        _ = try await browser.post("\(session)/2", [("step", "flag")])
        let overview = try await browser.get("\(session)/overview").body
        #expect(overview.contains("1 answered, 2 open, 1 flagged"))
        let bank = try #require(QuestionFilter.Bank(name: "int/sums"))
        #expect(try browser.userData.answers(of: bank).isEmpty)
        let end = try await browser.post("\(session)/finish", [])
        #expect(end.location == "\(session)/result")
        #expect(try browser.userData.answers(of: bank).map(\.isCorrect) == [true])
    }

    @Test func aRatedAnswerIsStoredWithItsRating() async throws {
        let browser = try StudyBrowser([Self.exam(1)])
        try await browser.app.services.settings.change { $0.ratesAnswers = true }
        let begun = try await browser.post("/session", [("bank", "int/sums"), ("mode", "study")])
        let session = try #require(begun.location)
        _ = try await browser.post("\(session)/1", [("option", "a")])
        let page = try await browser.get("\(session)/1").body
        #expect(page.contains("name=\"rating\""))
        _ = try await browser.post("\(session)/1", [("step", "rate"), ("rating", "4")])
        let bank = try #require(QuestionFilter.Bank(name: "int/sums"))
        #expect(try browser.userData.answers(of: bank).map(\.rating) == [.easy])
    }

    @Test func todaySumIsTheSumOfItsRowsAndContinueLeadsToTheQuestion() async throws {
        let browser = try StudyBrowser([Self.exam()])
        #expect(try await browser.get("/").body.contains("What do you want to learn?"))
        let session = try await begin(browser, "study")
        _ = try await browser.post("\(session)/1", [("option", "a")])
        let today = try await browser.get("/").body
        #expect(today.contains("href=\"\(session)\""))
        #expect(today.contains("Question 2 of 3"))
        #expect(today.contains("Study all 2"))
        #expect(today.contains(">Study 2<"))
    }

    @Test func anUnknownSessionIsAPageThatLeadsBack() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let page = try await browser.get("/session/none")
        #expect(page.status == 404)
        #expect(page.body.contains("Go to Today"))
    }

    // MARK: What strangers found

    @Test(arguments: ["study", "exam", "placement"])
    func aSessionThatGoesOnHasNeitherResultNorReview(mode: String) async throws {
        let browser = try StudyBrowser([Self.exam(10)])
        let session = try await begin(browser, mode)
        for page in ["result", "review"] {
            let reply = try await browser.get("\(session)/\(page)")
            #expect(reply.status == 303 && reply.location == "\(session)/1", "\(page)")
        }
        _ = try await browser.post("\(session)/finish", [])
        #expect(try await browser.get("\(session)/review").status == 200)
    }

    @Test(arguments: ["study", "exam", "placement"])
    func onlyStudyingIsRated(mode: String) async throws {
        let browser = try StudyBrowser([Self.exam(10)])
        try await browser.app.services.settings.change { $0.ratesAnswers = true }
        let session = try await begin(browser, mode)
        let id = String(session.trimmingPrefix("/session/"))
        let saved = try #require(try browser.userData.session(id: id))
        #expect(saved.session.ratesAnswers == (mode == "study"))
    }

    @Test func anotherTabShowsTheAnswerThatWasKept() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let session = try await begin(browser, "study")
        _ = try await browser.post("\(session)/1", [("option", "a")])
        let other = try await browser.post("\(session)/1", [("option", "b")])
        #expect(other.location == "\(session)/1")
        #expect(try await browser.get("\(session)/1").body.contains("class=\"foot right\""))
    }

    @Test func anAnswerReachesOnlyTheQuestionOfItsForm() async throws {
        let browser = try StudyBrowser([Self.exam()])
        let session = try await begin(browser, "study")
        let body = try await browser.get("\(session)/1").body
        let field = try #require(
            body.firstMatch(of: #/<input type="hidden" name="question" value="([^"]+)">/#))
        let asked = String(field.1)
        let refused = try await browser.post(
            "\(session)/1", [("question", asked + "0"), ("option", "b")])
        #expect(refused.status == 303 && refused.location == session)
        let open = try await browser.get("\(session)/1").body
        #expect(open.contains("The session went on elsewhere"))
        #expect(!open.contains("checked"), "The choice was for another question.")
        let taken = try await browser.post(
            "\(session)/1", [("question", asked), ("option", "a")])
        #expect(taken.location == "\(session)/1")
        #expect(try await browser.get("\(session)/1").body.contains("class=\"foot right\""))
    }

    @Test func todayPromisesNoMoreThanASessionAsks() async throws {
        var other = Self.exam(60)
        other.id = "int/products"
        let browser = try StudyBrowser([Self.exam(60), other])
        for bank in ["int/sums", "int/products"] {
            let begun = try await browser.post("/session", [("bank", bank), ("mode", "study")])
            let session = try #require(begun.location)
            _ = try await browser.post("\(session)/1", [("option", "a")])
        }
        let today = try await browser.get("/").body
        // 19 of each: a session asks one subject, and its result offers the next.
        #expect(today.contains("Study all 38"))
        #expect(today.contains("One subject after the other."))
        #expect(today.ranges(of: ">Study 19<").count == 2)
    }
}
