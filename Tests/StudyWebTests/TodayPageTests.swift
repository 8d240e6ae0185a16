import Foundation
import HTTPTypes
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel
@testable import StudyWeb

/// The first page: what is there to do now.
@Suite struct TodayPageTests {
    private func exam(_ name: String, _ title: String, _ count: Int = 3) -> Blueprint {
        var exam = StudyPagesTests.exam(count)
        (exam.id, exam.title) = ("int/\(name)", title)
        return exam
    }

    private func begin(
        _ browser: StudyBrowser, _ name: String, _ mode: String = "study"
    ) async throws -> String {
        let begun = try await browser.post("/session", [("bank", "int/\(name)"), ("mode", mode)])
        return try #require(begun.location)
    }

    private func answer(
        _ browser: StudyBrowser, _ session: String, _ numbers: ClosedRange<Int>
    ) async throws {
        for number in numbers {
            _ = try await browser.post("\(session)/\(number)", [("option", "a")])
        }
    }

    @Test func ofSeveralOpenSessionsTheNewestIsFirstAndThreeAreShown() async throws {
        let names = ["sums", "products", "roots", "powers"]
        let browser = try StudyBrowser(names.map { exam($0, $0) })
        var sessions: [String] = []
        for name in names {
            sessions.append(try await begin(browser, name))
            try await answer(browser, sessions[sessions.count - 1], 1...1)
        }
        let today = try await browser.get("/").body
        #expect(today.contains("class=\"button filled large\" href=\"\(sessions[3])\""))
        for session in sessions[1...2] {
            #expect(today.contains("class=\"button\" href=\"\(session)\""))
        }
        #expect(!today.contains("href=\"\(sessions[0])\""))
        #expect(today.ranges(of: " filled").count == 1)
    }

    @Test func studyingEverythingGoesFromOneSubjectToTheNext() async throws {
        let browser = try StudyBrowser([exam("sums", "Sums", 4), exam("products", "Products")])
        let products = try await begin(browser, "products")
        try await answer(browser, products, 1...1)
        let sums = try await begin(browser, "sums")
        try await answer(browser, sums, 1...1)
        for session in [products, sums] { _ = try await browser.post("\(session)/finish", []) }
        let today = try await browser.get("/").body
        #expect(today.contains("Study all 5") && today.ranges(of: " filled").count == 1)
        let first = try await begin(browser, "sums")
        try await answer(browser, first, 1...3)
        _ = try await browser.get(first)
        let result = try await browser.get("\(first)/result").body
        #expect(result.contains("<button class=\"button filled\">Study 2: Products</button>"))
        #expect(result.contains("<button class=\"button\">Keep studying</button>"))
        let last = try await begin(browser, "products")
        try await answer(browser, last, 1...2)
        _ = try await browser.get(last)
        let end = try await browser.get("\(last)/result").body
        #expect(end.contains("<button class=\"button filled\">Keep studying</button>"))
    }

    @Test func theSubjectOfTheNextExamGoesFirst() async throws {
        let browser = try StudyBrowser(
            [exam("sums", "Sums", 9), exam("products", "Products"), exam("roots", "Roots")],
            clock: { Date(timeIntervalSince1970: 1_795_271_460) })
        for name in ["sums", "products", "roots"] {
            let session = try await begin(browser, name)
            try await answer(browser, session, 1...1)
            _ = try await browser.post("\(session)/finish", [])
        }
        func first() async throws -> String {
            let today = try await browser.get("/").body
            let before = try #require(today.components(separatedBy: ">Study all").first)
            return String(before.suffix(90))
        }
        #expect(try await first().contains("value=\"int/sums\""))
        for (name, day) in [("roots", "2027-02-12"), ("products", "2026-12-12")] {
            _ = try await browser.post(
                "/bookings",
                [("action", "book"), ("exam", "int/\(name)"), ("day", day), ("time", "")])
        }
        #expect(try await first().contains("value=\"int/products\""))
    }

    @Test func aCorrectedResultIsAnnouncedOnceAndLeadsToTheQuestion() async throws {
        let former = try StudyBrowser([exam("sums", "Sums")])
        let session = try await begin(former, "sums", "exam")
        for number in 1...3 {
            _ = try await former.post("\(session)/\(number)", [("option", "b")])
        }
        _ = try await former.post("\(session)/finish", [])
        #expect(try await !former.get("/").body.contains("A question was corrected"))
        let corrected = StudyPagesTests.corrected(exam("sums", "Sums"), question: 1)
        let browser = try StudyBrowser(
            content: OfflineStore.inMemory(blueprints: [corrected]), userData: former.userData)
        let today = try await browser.get("/").body
        #expect(today.contains("A question was corrected"))
        #expect(today.contains("is now 1 of 3. It was 0."))
        let id = session.trimmingPrefix("/session/")
        let question = try await browser.post("/corrections/\(id)", [])
        #expect(question.location?.hasPrefix("\(session)/review#question-") == true)
        #expect(try await !browser.get("/").body.contains("A question was corrected"))
        #expect(try await browser.post("/corrections/none", []).status == 404)
    }

    @Test func whoOpenedTheResultNeedsNoNotice() async throws {
        let former = try StudyBrowser([exam("sums", "Sums")])
        let session = try await begin(former, "sums", "exam")
        _ = try await former.post("\(session)/1", [("option", "a")])
        _ = try await former.post("\(session)/finish", [])
        var corrected = exam("sums", "Sums")
        for index in 0..<3 {
            corrected = StudyPagesTests.corrected(corrected, question: index)
        }
        let browser = try StudyBrowser(
            content: OfflineStore.inMemory(blueprints: [corrected]), userData: former.userData)
        let result = try await browser.get("\(session)/result").body
        #expect(result.contains("<h1>0 of 3 right</h1>") && result.contains("It was 1"))
        #expect(try await !browser.get("/").body.contains("A question was corrected"))

        // The learner knows the new points: those before are said again when the correction is taken back.
        let settings = browser.app.services.settings
        let restored = try StudyBrowser(
            StudyServices(
                content: OfflineStore.inMemory(blueprints: [exam("sums", "Sums")]),
                userData: former.userData, settings: settings), former.content, former.userData)
        #expect(try await restored.get("/").body.contains("is now 1 of 3. It was 0."))
        _ = try await restored.get("\(session)/result")
        #expect(try await !restored.get("/").body.contains("A question was corrected"))
    }

    @Test func aKeyThatOnlyChangedIsNoNews() async throws {
        let former = try StudyBrowser([exam("sums", "Sums")])
        let session = try await begin(former, "sums", "exam")
        for number in 1...3 {
            _ = try await former.post("\(session)/\(number)", [("option", "a")])
        }
        _ = try await former.post("\(session)/finish", [])
        let changed = StudyPagesTests.corrected(
            exam("sums", "Sums"), question: 1, isNamed: false)
        let browser = try StudyBrowser(
            content: OfflineStore.inMemory(blueprints: [changed]), userData: former.userData)
        #expect(try await !browser.get("/").body.contains("A question was corrected"))
        let result = try await browser.get("\(session)/result").body
        #expect(result.contains("<h1>3 of 3 right</h1>") && !result.contains("It was"))
        let review = try await browser.get("\(session)/review").body
        #expect(review.ranges(of: "The right answer changed").count == 1)
        #expect(review.ranges(of: "#check").count == 3)
    }

    @Test func aSubjectThatIsNoLongerThereIsNamed() async throws {
        let former = try StudyBrowser([exam("sums", "Sums"), exam("products", "Products")])
        for name in ["sums", "products"] {
            try await answer(former, try await begin(former, name), 1...1)
        }
        let browser = try StudyBrowser(
            content: OfflineStore.inMemory(blueprints: [exam("sums", "Sums")]),
            userData: former.userData)
        let today = try await browser.get("/").body
        #expect(today.contains("int/products") && today.contains("no longer in the library"))
    }
}

/// The library and the pages of its subjects.
@Suite struct LibraryPageTests {
    private func language(_ code: String) -> Blueprint {
        var bank = StudyPagesTests.exam()
        (bank.kind, bank.id) = (.placement, code)
        return bank
    }

    @Test(arguments: [
        ("en", "german"), ("es", "alemán"), ("ja", "ドイツ語"), ("en", "deutsch"), ("en", "de"),
    ])
    func aLanguageIsFoundByItsNameInTheLearnersLanguage(reader: String, name: String) async throws {
        let browser = try StudyBrowser([language("de"), language("fi")])
        let query = try #require(name.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        let found = try await browser.get("/library?q=\(query)", [.acceptLanguage: reader]).body
        #expect(found.contains("href=\"/library/de\"") && !found.contains("href=\"/library/fi\""))
    }

    @Test func theExamDateOfASubjectBeginsWithItsExam() async throws {
        var other = StudyPagesTests.exam()
        (other.id, other.title) = ("int/areas", "Areas")
        let browser = try StudyBrowser([other, StudyPagesTests.exam()])
        let subject = try await browser.get("/library/int/sums").body
        #expect(subject.contains("href=\"/bookings?exam=int/sums\""))
        let dates = try await browser.get("/bookings?exam=int/sums").body
        #expect(dates.contains("<option value=\"int/sums\" selected>"))
    }

    @Test func audioThatNobodyCanFetchSaysWhy() async throws {
        let synced = try await SyncedBrowser()
        let fetching = try await synced.browser.get("/library/en").body
        #expect(fetching.contains("Get audio") && !fetching.contains("runs without a server"))
        let alone = try StudyBrowser(
            content: synced.device.store, userData: synced.device.userData)
        let subject = try await alone.get("/library/en").body
        #expect(subject.contains("runs without a server") && !subject.contains("Get audio"))
    }
}
