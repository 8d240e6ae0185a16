import Foundation
import HTTPTypes
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

extension ProgressPageTests {
    /// The progress page of a learner with some weeks of answers, and what its model says.
    struct Page {
        /// A chart's card.
        struct Card {
            var elements: ChartElements
            var heading: String { elements.named("h2").first?.text ?? "" }
            var hint: String { elements.ofClass("soft").first?.text ?? "" }

            /// The texts of the table's body.
            var rows: [[String]] {
                var rows: [[String]] = []
                for element in elements.all {
                    if element.name == "tr" { rows.append([]) }
                    if element.name == "td" || element.attributes["scope"] == "row" {
                        rows[rows.count - 1].append(element.text)
                    }
                }
                return Array(rows.dropFirst())
            }
        }

        let browser: StudyBrowser
        let screen: ProgressScreen
        let formats: StudyFormats
        let body: String

        init(_ language: String, hasDate: Bool = true, hasOther: Bool = false) async throws {
            let now = ProgressPageTests.now
            browser = try StudyBrowser(
                [Self.rules(), Self.rules("int/other", title: "Other")], clock: { now })
            try await Self.answer(browser, now)
            if hasOther { try await Self.answer(browser, "int/other", 1, isRight: true, now) }
            if hasDate {
                let day = ExamDate(dayOf: now + 15 * 86_400, in: .gmt)
                try browser.userData.put(
                    Reservation(exam: "int/rules", date: day, status: .booked), id: "one", now: now)
            }
            let services = browser.app.services
            let model = await ProgressModel(services)
            await model.load()
            screen = try #require(await model.screen)
            formats = StudyFormats(
                words: StudyText(language: language), calendar: services.calendar)
            body = try await browser.get("/progress", [.acceptLanguage: language]).body
        }

        static func rules(_ id: String = "int/rules", title: String = "Rules") -> Blueprint {
            let questions = (1...40).map { number in
                Question(
                    id: "q\(number)", type: .singleChoice,
                    domain: number % 2 == 0 ? "even" : "odd", difficulty: 1,
                    stem: "Question \(number)?",
                    options: [
                        QuestionOption(id: "a", text: "Yes"), QuestionOption(id: "b", text: "No"),
                    ], correct: [0])
            }
            return Blueprint(
                kind: .exam, id: id, title: title, version: "1",
                domains: [
                    Domain(id: "odd", title: "Odd <numbers>", weight: 1),
                    Domain(id: "even", title: "Even & right", weight: 1),
                ], scoring: Scoring(passFraction: 0.8), questions: questions)
        }

        /// Answers 30 questions in three weeks, those with an even number mostly wrong.
        private static func answer(_ browser: StudyBrowser, _ now: Date) async throws {
            for number in 1...60 {
                let question = (number - 1) % 30 + 1
                try await answer(
                    browser, "int/rules", question,
                    isRight: question % 2 == 1 || question % 5 == 0,
                    now - Double((60 - number) / 3) * 86_400)
            }
        }

        private static func answer(
            _ browser: StudyBrowser, _ name: String, _ number: Int, isRight: Bool, _ date: Date
        ) async throws {
            let bank = try #require(QuestionFilter.Bank(name: name))
            let record = AnswerRecord(
                sessionID: "s-\(date.timeIntervalSince1970)", questionID: "q\(number)",
                domain: number % 2 == 0 ? "even" : "odd", contentVersion: "1",
                response: [isRight ? "a" : "b"], isCorrect: isRight, credit: isRight ? 1 : 0,
                timeTaken: 5, exposuresBefore: 0, mode: .study, isRandomlySelected: false,
                date: date)
            try browser.userData.add([record], to: bank, now: date)
        }

        /// Returns the elements of a part of the page.
        func elements(from start: String, to end: String) throws -> ChartElements {
            let start = try #require(body.range(of: start)?.lowerBound)
            let end = try #require(body[start...].range(of: end)?.upperBound)
            return try ChartElements(String(body[start..<end]))
        }

        /// Returns the card of a chart by its class, or its name.
        func chart(_ name: String) throws -> Card {
            let classes = [
                "forecast": "chart-forecast", "due": "chart-columns",
                "calendar": "chart-calendar", "domains": "chart-rows",
            ]
            let place = try #require(body.range(of: "class=\"chart \(classes[name] ?? name)"))
            let start = try #require(
                body[..<place.lowerBound].range(of: "<section", options: .backwards))
            let end = try #require(body[place.upperBound...].range(of: "</section>"))
            return Card(
                elements: try ChartElements(String(body[start.lowerBound..<end.upperBound])))
        }
    }
}
