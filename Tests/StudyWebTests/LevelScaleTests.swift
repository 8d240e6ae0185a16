import Foundation
import HTTPTypes
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// The scale of levels of a placement's result: words, drawing and table say the same.
@Suite struct LevelScaleTests {
    private static let labels = ["A1", "A2", "B1", "B2", "C1"]

    /// A placement test of a language with five levels.
    private static func bank() -> Blueprint {
        Blueprint(
            kind: .placement, id: "eo", title: "Esperanto", version: "1",
            levels: Dictionary(
                uniqueKeysWithValues: labels.enumerated().map { ($0 + 1, $1) }),
            questions: (1...60).map { number in
                Question(
                    id: "q\(number)", type: .singleChoice, difficulty: (number - 1) % 5 + 1,
                    stem: "Question \(number)?",
                    options: [
                        QuestionOption(id: "a", text: "Yes"), QuestionOption(id: "b", text: "No"),
                    ], correct: [0])
            })
    }

    @Test(arguments: zip([1, 3, 5], ["en", "ar", "de"]))
    func wordsDrawingAndTableSayTheSame(skill: Int, language: String) async throws {
        let browser = try StudyBrowser([Self.bank()])
        let session = try await take(browser, skill: skill)
        let id = try #require(session.split(separator: "/").last.map(String.init))
        let saved = try #require(try browser.userData.session(id: id))
        let outcome = try PlacementOutcome(saved.session, Self.bank())
        let level = try #require(outcome.level)
        let words = StudyText(language: language)

        let page = try await browser.get(
            "\(session)/result", [.acceptLanguage: language]
        ).body

        #expect(page.contains("/files/charts.css?"))
        #expect(!page.contains("\u{FFFD}"))
        let card = try scale(page)
        #expect(card.rows.map { $0[0] } == outcome.scale.map(\.level))
        let places = outcome.scale.map { band in
            band.level == level
                ? words["result.you"]
                : outcome.likelyLevels.contains(band.level) ? words["result.inRange"] : "–"
        }
        #expect(card.rows.map { $0[1] } == places)
        let finding = try #require(card.elements.named("title").first?.text)
        #expect(finding.contains(level))
        let range = try #require(card.elements.ofClass("chart-range").first)
        let place = try #require(card.elements.ofClass("chart-place").first?.number("cx"))
        let start = try #require(range.number("x"))
        let width = try #require(range.number("width"))
        #expect(start <= place && place <= start + width)
        let index = try #require(outcome.scale.firstIndex { $0.level == level })
        let drawn = language == "ar" ? 100 - place : place
        #expect(Int(min(drawn, 99.99) / 20) == index)
    }

    @Test func aTestThatWasCutShortHasNoScale() async throws {
        let browser = try StudyBrowser([Self.bank()])
        let begun = try await browser.post("/session", [("bank", "eo"), ("mode", "placement")])
        let session = try #require(begun.location)
        _ = try await browser.post("\(session)/1", [("option", "a")])
        _ = try await browser.post("\(session)/finish", [])

        let page = try await browser.get("\(session)/result").body

        #expect(page.contains("Not enough answers for a level yet"))
        #expect(!page.contains("chart-levels"))
    }

    /// Takes a placement test, right up to a difficulty; returns the session's path.
    private func take(_ browser: StudyBrowser, skill: Int) async throws -> String {
        let begun = try await browser.post("/session", [("bank", "eo"), ("mode", "placement")])
        let session = try #require(begun.location)
        let id = try #require(session.split(separator: "/").last.map(String.init))
        while let open = try browser.userData.openSessions().first(where: { $0.id == id }) {
            let index = open.session.position
            let number = Int(open.session.items[index].questionID.dropFirst()) ?? 0
            let isRight = (number - 1) % 5 + 1 <= skill
            let answer = ("option", isRight ? "a" : "b")
            let reply = try await browser.post("\(session)/\(index + 1)", [answer])
            try #require(reply.status == 303)
            _ = try await browser.get(session)
        }
        return session
    }

    private func scale(_ page: String) throws -> ProgressPageTests.Page.Card {
        let place = try #require(page.range(of: "class=\"chart chart-levels"))
        let start = try #require(
            page[..<place.lowerBound].range(of: "<section", options: .backwards))
        let end = try #require(page[place.upperBound...].range(of: "</section>"))
        return .init(elements: try ChartElements(String(page[start.lowerBound..<end.upperBound])))
    }
}
