import Foundation
import StudyModel
import Testing
import Underway

@testable import StudyWeb

@Suite(.timeLimit(.minutes(1))) struct LearningPagesTests {
    private let path = "/settings/learning"

    private func form(_ changes: [(String, String)] = []) -> [(String, String)] {
        let usual = [
            ("newPerDay", "20"), ("reviewsPerDay", "200"), ("examPerDay", "50"),
            ("retention", "90"), ("lapseLimit", "8"), ("rolloverHour", "4"), ("spreads", "on"),
            ("repeats", "on"), ("optimises", "on"),
        ]
        let kept = usual.filter { name, _ in !changes.contains { $0.0 == name } }
        let days =
            changes.contains { $0.0 == "day" } ? [] : Array(repeating: ("day", "100"), count: 7)
        return kept + days + changes
    }

    private func settings(_ browser: StudyBrowser, of bank: String? = nil) async throws
        -> LearningSettings
    {
        try await browser.app.services.userData.perform {
            try $0.learningSettings(of: bank.flatMap(QuestionFilter.Bank.init(name:)))
        }
    }

    @Test func limitsOfAllSubjectsAndOfOneAreKept() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        #expect(try await browser.get("/settings").body.contains("href=\"\(path)\""))
        let reply = try await browser.post(
            path, form([("newPerDay", "5"), ("rolloverHour", "0"), ("backlog", "on")]))
        #expect(reply.status == 303 && reply.location == path)
        let page = try await browser.get(path).body
        #expect(
            page.contains("Settings are saved.")
                && page.contains("name=\"newPerDay\" min=\"0\" max=\"999\""))
        #expect(page.contains("value=\"0\" selected"))
        let all = try await settings(browser)
        #expect(all.newPerDay == 5 && all.rolloverHour == 0 && all.newDespiteBacklog && all.spreads)

        let subject = try await browser.get("/library/int/sums").body
        #expect(subject.contains("At most 5 new questions a day."))
        #expect(subject.contains("href=\"\(path)?bank=int/sums\""))
        let own = try await browser.post(
            path, form([("bank", "int/sums"), ("newPerDay", "6"), ("backlog", "on")]))
        #expect(own.location == "\(path)?bank=int/sums")
        let ownPage = try await browser.get("\(path)?bank=int/sums").body
        #expect(ownPage.contains("Use those for all subjects"))
        #expect(!ownPage.contains("name=\"rolloverHour\""))
        #expect(try await settings(browser, of: "int/sums").newPerDay == 6)
        #expect(try await settings(browser, of: "int/sums").rolloverHour == 0)

        _ = try await browser.post(path, [("bank", "int/sums"), ("reset", "on")])
        #expect(try await settings(browser, of: "int/sums").newPerDay == 5)
        #expect(
            try await !browser.get("\(path)?bank=int/sums").body.contains("Use those for all"))
    }

    @Test func anAimIsSavedAfterItsPriceWasSeen() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        let record = AnswerRecord(
            sessionID: "s", questionID: "q1", contentVersion: "1", response: ["a"],
            isCorrect: true, credit: 1, timeTaken: 5, exposuresBefore: 0, mode: .study,
            isRandomlySelected: false, date: Date(timeIntervalSinceNow: -86_400))
        try browser.userData.add([record], to: .exam(region: "int", exam: "sums"), now: Date())
        let asked = try await browser.post(path, form([("retention", "97")]))
        #expect(asked.status == 200)
        #expect(asked.body.contains("With 97%: 1 due today, now 0. Save again to change it."))
        #expect(asked.body.contains("name=\"priced\" value=\"97\""))
        #expect(try await settings(browser).retention == 0.9)
        // Another aim has another price.
        let other = try await browser.post(path, form([("retention", "96"), ("priced", "97")]))
        #expect(other.status == 200 && other.body.contains("With 96%"))
        let saved = try await browser.post(path, form([("retention", "97"), ("priced", "97")]))
        #expect(saved.status == 303)
        #expect(try await settings(browser).retention == 0.97)
    }

    @Test func aSubjectKeepsTheFitOfAllSubjects() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        _ = try await browser.post(
            path, form([("repeats", "off"), ("optimises", "off"), ("bank", "int/sums")]))
        #expect(try await !settings(browser, of: "int/sums").repeatsToday)
        #expect(try await settings(browser, of: "int/sums").optimises)
        _ = try await browser.post(path, form([("optimises", "off")]))
        let all = try await settings(browser)
        #expect(!all.optimises && all.repeatsToday)
    }

    @Test func theFitSaysWhatItNeeds() async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        #expect(try await browser.get(path).body.contains("Intervals follow the answers of many"))
        #expect(try await !browser.get("\(path)?bank=int/sums").body.contains("Fit now"))
        let reply = try await browser.post(path, [("optimise", "on")])
        #expect(reply.status == 303)
        #expect(try await browser.get(path).body.contains("512 more reviews are needed"))
    }

    @Test func aWrongNumberIsNamedBesideItsFieldAndKeptAsTyped() async throws {
        let browser = try StudyBrowser([])
        let reply = try await browser.post(
            path, form([("newPerDay", "<b>"), ("lapseLimit", "2"), ("retention", "95")]))
        #expect(reply.status == 422)
        #expect(reply.body.contains("value=\"&lt;b&gt;\" aria-invalid=\"true\""))
        #expect(reply.body.contains("Enter a whole number from 0 to 999."))
        #expect(reply.body.contains("Enter a whole number from 3 to 99."))
        #expect(reply.body.contains("value=\"95\""))
        #expect(try await settings(browser) == .standard)
    }

    @Test(arguments: [
        [("day", "100")], [("day", "70")], [("rolloverHour", "24")], [("rolloverHour", "x")],
    ])
    func whatThePageDoesNotOfferChangesNothing(changes: [(String, String)]) async throws {
        let browser = try StudyBrowser([])
        #expect(try await browser.post(path, form(changes)).status == 400)
        #expect(try await settings(browser) == .standard)
    }

    @Test(arguments: ["x%20y", "int/none", "../x"])
    func aSubjectThatIsNotThereIsNotFound(bank: String) async throws {
        let browser = try StudyBrowser([StudyPagesTests.exam()])
        #expect(try await browser.get("\(path)?bank=\(bank)").status == 404)
        #expect(try await browser.post(path, form([("bank", bank)])).status == 404)
    }
}
