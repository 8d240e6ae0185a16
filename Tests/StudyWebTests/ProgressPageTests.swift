import Foundation
import HTTPTypes
import Testing
import Underway

@testable import StudyModel
@testable import StudyWeb

/// The figures of the progress page: those of the model, in the drawing and in the table.
@Suite struct ProgressPageTests {
    static let now = Date(timeIntervalSince1970: 1_790_000_000)

    @Test(arguments: ["en", "de", "ar"])
    func figuresAreThoseOfTheModel(language: String) async throws {
        let page = try await Page(language)
        let (screen, formats) = (page.screen, page.formats)

        let figures = try page.elements(from: "<dl", to: "</dl>")
        let numbers = figures.ofClass("number").map(\.text)
        let remembered = try #require(screen.figures.remembered)
        #expect(screen.figures.dueToday > 0 && screen.streak > 0)
        #expect(
            numbers == [
                formats.number(screen.figures.dueToday), formats.percent(remembered),
                formats.number(screen.streak), formats.number(screen.figures.seen),
            ])
        let notes = figures.ofClass("note").map(\.text)
        #expect(notes[0].contains(formats.about(.seconds(screen.secondsOfDue))))
        #expect(notes[1].contains(formats.percent(screen.figures.aim)))
        #expect(notes[2].contains(formats.number(screen.longestStreak)))
        #expect(notes[3].contains(formats.number(screen.figures.questions)))
    }

    @Test(arguments: ["en", "ar"])
    func forecastIsDrawnWithTheNumbersOfItsTable(language: String) async throws {
        let page = try await Page(language)
        guard case .ready(let forecast) = page.screen.forecast else {
            Issue.record("no forecast")
            return
        }
        let (percent, card) = (page.formats.percent, try page.chart("forecast"))

        let rows = card.rows
        #expect(rows.count == forecast.past.count + forecast.course.count)
        #expect(!forecast.past.isEmpty)
        #expect(
            rows.map { $0[1] }
                == forecast.past.map { percent($0.share) }
                + forecast.course.map { percent($0.share.expected) })
        #expect(
            rows.suffix(forecast.course.count).map { $0[2] }
                == forecast.course.map { percent($0.share.low) })
        #expect(
            rows.suffix(forecast.course.count).map { $0[3] }
                == forecast.course.map { percent($0.share.high) })
        #expect(card.heading.contains(percent(forecast.exam.expected)))
        #expect(card.hint.contains(percent(forecast.exam.low)))
        #expect(card.hint.contains(percent(forecast.exam.high)))
        let texts = card.elements.named("text").map(\.text)
        #expect(texts.contains(percent(forecast.exam.expected)))
        #expect(texts.contains { $0.contains(percent(forecast.today.expected)) })
        #expect(card.elements.named("path").count == 3)
    }

    @Test(arguments: ["en", "ar"])
    func dueDaysAreDrawnWithTheNumbersOfTheirTable(language: String) async throws {
        let page = try await Page(language)
        let (number, card) = (page.formats.number, try page.chart("due"))

        let counts = page.screen.dueDays.map(\.cards)
        #expect(card.rows.map { $0[1] } == counts.map(number))
        let titles = card.elements.named("title").map(\.text).dropFirst()
        #expect(
            titles.map { $0.split(separator: " ").last.map(String.init) }
                == counts.filter { $0 > 0 }.map(number))
        let busiest = try #require(page.screen.busiestDueDay)
        #expect(
            card.heading.contains(
                page.formats.dateWithWeekday(busiest.date, now: page.screen.now)))
    }

    @Test(arguments: ["en", "ar"])
    func calendarIsDrawnWithTheNumbersOfItsTable(language: String) async throws {
        let page = try await Page(language)
        let (number, card) = (page.formats.number, try page.chart("calendar"))
        let weeks = page.screen.calendar.weeks

        #expect(card.rows.count == weeks.count)
        #expect(card.rows.map { $0[8] } == weeks.map { number($0.answers) })
        for (row, week) in zip(card.rows, weeks) {
            let days = week.days.map { number($0.answers) }
            #expect(Array(row[1...days.count]) == days)
        }
        let days = weeks.flatMap(\.days)
        let drawn = card.elements.named("rect")
        #expect(drawn.map { $0.attributes["class"] } == days.map { "chart-heat-\($0.step)" })
        #expect(card.heading.contains(number(page.screen.calendar.studiedDayCount)))
        #expect(card.heading.contains(number(page.screen.calendar.dayCount)))
    }

    @Test(arguments: ["en", "ar"])
    func domainsAreDrawnWithTheNumbersOfTheirTable(language: String) async throws {
        let page = try await Page(language)
        let (formats, card) = (page.formats, try page.chart("domains"))
        let domains = page.screen.domains

        #expect(card.rows.map { $0[0] } == ["Odd <numbers>", "Even & right"])
        #expect(card.rows.map { $0[1] } == domains.map { formats.number($0.right) })
        #expect(card.rows.map { $0[2] } == domains.map { formats.number($0.answers) })
        #expect(card.rows.map { $0[3] } == domains.map { formats.percent($0.share) })
        for (row, domain) in zip(card.rows, domains) {
            #expect(row[4].contains(formats.percent(domain.interval.low)))
            #expect(row[4].contains(formats.percent(domain.interval.high)))
        }
        let bars = card.elements.ofClass("chart-bar-strong").compactMap { $0.number("width") }
        #expect(bars.count == domains.count)
        for (bar, domain) in zip(bars, domains) { #expect(abs(bar - 100 * domain.share) < 0.01) }
        #expect(page.screen.weakestDomain?.title == "Even & right")
        #expect(card.heading.contains("Even & right"))
    }

    @Test func theSubjectIsChosenByAForm() async throws {
        let page = try await Page("en", hasOther: true)
        let all = page.body
        #expect(all.contains("<option value=\"\" selected>All subjects</option>"))
        #expect(all.contains("<option value=\"int/other\">Other</option>"))
        #expect(all.contains("Rules · Even &amp; right"))

        let one = try await page.browser.get("/progress?subject=int%2Fother").body
        #expect(one.contains("<option value=\"int/other\" selected>Other</option>"))
        #expect(!one.contains("Even &amp; right"))
        #expect(
            one.contains("After 20 answers to an exam’s questions, on 3 days, you see a forecast."))
        #expect(try await page.browser.get("/progress?subject=none").body == all)
    }

    @Test func aNewLearnerIsLedToTheLibrary() async throws {
        let body = try await StudyBrowser([Page.rules()], clock: { Self.now }).get("/progress").body
        #expect(body.contains("Answer a few questions and your progress appears here."))
        #expect(body.contains("href=\"/library\""))
        #expect(!body.contains("<svg class=\"chart"))
    }

    @Test func withoutADateTheExamCanBeBooked() async throws {
        let page = try await Page("en", hasDate: false)
        #expect(page.body.contains("href=\"/bookings\""))
        #expect(!page.body.contains("chart-forecast"))
    }

    @Test func todayShowsTheForecastOfTheExam() async throws {
        let page = try await Page("en")
        guard case .ready(let forecast) = page.screen.forecast else {
            Issue.record("no forecast")
            return
        }
        let today = try await page.browser.get("/").body
        let share = page.formats.percent(forecast.exam.expected)
        #expect(
            today.contains(
                "At today’s pace you would score about \(share); you pass with 80%."))
    }

    @Test func theStyleOfChartsIsServed() async throws {
        let page = try await Page("en")
        let link = try #require(page.body.firstMatch(of: /href="(\/files\/charts\.css\?\d+)"/))
        let style = try await page.browser.get(String(link.1))
        #expect(style.status == 200 && style.body.contains(".chart-bar"))
        #expect(!page.body.contains("style="))
    }
}
