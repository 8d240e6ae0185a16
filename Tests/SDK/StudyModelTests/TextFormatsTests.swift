import Foundation
import StudyModel
import Testing
import Underway

struct TextFormatsTests {
    /// Saturday 21 November 2026, 14:31 in UTC.
    private static let now = Date(timeIntervalSince1970: 1_795_271_460)
    private let now = TextFormatsTests.now

    private func formats(_ language: String, zone: String = "UTC") throws -> StudyFormats {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return StudyFormats(words: StudyText(language: language), calendar: calendar)
    }

    /// Makes the spaces of the locale data, some of them narrow or fixed, plain ones and removes
    /// marks of direction.
    private func plain(_ text: String) -> String {
        let spaced = text.map { $0.isWhitespace ? " " : $0 }
        return String(spaced).replacing(/[\u{200E}\u{200F}\u{061C}]/, with: "")
    }

    @Test(arguments: [
        ("en", "12,345", "86%", "412 kB"), ("de", "12.345", "86 %", "412 kB"),
        ("es", "12.345", "86 %", "412 kB"), ("ja", "12,345", "86%", "412 kB"),
        ("ar", "12,345", "86%", "412 كيلوبايت"),
    ])
    func numbersFollowTheLanguage(
        language: String, number: String, percent: String, bytes: String
    ) throws {
        let formats = try formats(language)
        #expect(plain(formats.number(12_345)) == number)
        #expect(plain(formats.percent(0.864)) == percent)
        #expect(plain(formats.bytes(412_345)) == bytes)
    }

    @Test(arguments: [
        ("en", "21 November", "Saturday 21 November", "21 November, 14:31"),
        ("de", "21. November", "Samstag, 21. November", "21. November, 14:31"),
        ("es", "21 de noviembre", "sábado, 21 de noviembre", "21 de noviembre, 14:31"),
        ("ja", "11月21日", "11月21日 土曜日", "11月21日 14:31"),
        ("ar", "21 نوفمبر", "السبت، 21 نوفمبر", "21 نوفمبر، 2:31 م"),
    ])
    func datesFollowTheLanguage(
        language: String, date: String, weekday: String, time: String
    ) throws {
        let formats = try formats(language)
        #expect(plain(formats.date(now, now: now)) == date)
        #expect(plain(formats.dateWithWeekday(now, now: now)) == weekday)
        #expect(plain(formats.dateAndTime(now, now: now)) == time)
    }

    @Test func aDateOfAnotherYearShowsIt() throws {
        let formats = try formats("en")
        let past = now.addingTimeInterval(-400 * 86_400)
        #expect(formats.date(past, now: now) == "17 October 2025")
        #expect(formats.dateWithYear(now) == "21 November 2026")
    }

    @Test func axesHaveFewLetters() throws {
        let formats = try formats("en")
        #expect(formats.shortDate(now) == "21 Nov")
        #expect(formats.shortWeekday(now) == "Sat")
        #expect(formats.shortMonth(now) == "Nov")
    }

    @Test func daysAreThoseOfTheTimeZone() throws {
        let tokyo = try formats("en", zone: "Asia/Tokyo")
        #expect(tokyo.moment(now, now: now) == "today 23:31")
        let later = now.addingTimeInterval(3600)
        #expect(tokyo.moment(now, now: later) == "yesterday 23:31")
        #expect(try formats("en").moment(now, now: later) == "today 14:31")
        #expect(tokyo.timestamp(now) == "2026-11-21T14:31:00Z")
    }

    @Test(arguments: [
        (-59, "just now"), (0, "just now"), (59, "just now"), (60, "1 minute ago"),
        (12 * 60 + 59, "12 minutes ago"), (3599, "59 minutes ago"), (3600, "1 hour ago"),
        (86_399, "23 hours ago"), (86_400, "1 day ago"), (3 * 86_400, "3 days ago"),
        (7 * 86_400, "7 days ago"), (8 * 86_400, "13 November"), (-61, "21 November"),
    ])
    func aMomentIsRelativeForSevenDays(seconds: Int, text: String) throws {
        let date = now.addingTimeInterval(-Double(seconds))
        #expect(try formats("en").relative(date, now: now) == text)
    }

    @Test func aSentenceAboutAMomentFitsItsAge() throws {
        let formats = try formats("en")
        let recent = now.addingTimeInterval(-3 * 86_400)
        let old = now.addingTimeInterval(-23 * 86_400)
        let key = "freshness.updated"
        #expect(formats.sentence(key, recent, now: now) == "Content last updated 3 days ago")
        #expect(formats.sentence(key, old, now: now) == "Content last updated on 29 October")
        let german = try self.formats("de").sentence(key, old, now: now)
        #expect(german == "Inhalt zuletzt aktualisiert am 29. Oktober")
    }

    @Test(arguments: [
        (0, "today"), (1, "tomorrow"), (21, "in 21 days"), (-1, "20 November"),
    ])
    func aDayIsCountedFromToday(days: Int, text: String) throws {
        let date = now.addingTimeInterval(Double(days) * 86_400)
        #expect(try formats("en").daysUntil(date, now: now) == text)
    }

    @Test func durationsAreInMinutes() throws {
        let formats = try formats("en")
        #expect(formats.about(.seconds(9 * 60 + 20)) == "about 9 minutes")
        #expect(formats.about(.seconds(5)) == "about 1 minute")
        #expect(formats.minutes(.seconds(11 * 60)) == "11 minutes")
        #expect(formats.clock(.seconds(58)) == "0:58")
    }

    @Test(arguments: [
        (1860, "31 min"), (1801, "31 min"), (300, "5 min"), (299, "4:59"), (58, "0:58"),
        (0, "0:00"), (-5, "0:00"),
    ])
    func timeLeftShowsSecondsInTheLastFiveMinutes(seconds: Int, text: String) throws {
        #expect(plain(try formats("en").timeLeft(.seconds(seconds))) == text)
    }

    @Test(arguments: [
        (0, "0 days"), (1, "1 day"), (5, "5 days"), (30, "30 days"), (31, "1 month"),
        (60, "2 months"), (349, "11 months"), (350, "1 year"), (730, "2 years"),
    ])
    func anIntervalIsToldInItsLargestUnit(days: Int, text: String) throws {
        #expect(try formats("en").interval(days: days) == text)
    }

    @Test func arabicCountsItsUnits() throws {
        let formats = try formats("ar")
        #expect(formats.interval(days: 2) == "يومان")
        #expect(formats.relative(now.addingTimeInterval(-3 * 86_400), now: now) == "قبل 3 أيام")
        #expect(formats.about(.seconds(540)) == "نحو 9 دقائق")
    }

    @Test(arguments: [
        ("de", "9,81 ± 0,01 m/s²"), ("en", "9.81 ± 0.01 m/s²"), ("ja", "9.81 ± 0.01 m/s²"),
    ])
    func rightNumbersAreWrittenAsPeopleWriteThem(
        language: String, text: String
    ) throws {
        let formats = try formats(language)
        let value = try #require(DecimalNumber("9.81"))
        let distance = try #require(DecimalNumber("0.01"))
        #expect(formats.text(NumericKey(.value(value, .absolute(distance)), unit: "m/s²")) == text)
    }
}
