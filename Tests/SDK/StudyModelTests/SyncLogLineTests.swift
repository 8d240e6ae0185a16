import Foundation
import Testing

@testable import StudyModel

/// The log of syncs as lines of text.
struct SyncLogLineTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func formats(_ language: String = "en") -> StudyFormats {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return StudyFormats(words: StudyText(language: language), calendar: calendar)
    }

    private func entry(
        minutesAgo: Double, _ content: SyncLog.Entry.Content, sent: Int? = nil, count: Int = 1
    ) -> SyncLog.Entry {
        SyncLog.Entry(
            date: now - minutesAgo * 60, content: content, bytes: 0, sent: sent, received: nil,
            codes: content == .offline ? ["offline"] : [], count: count)
    }

    @Test func neighboursThatReadAlikeAreOneLineWithTheirNumber() {
        let entries = [
            entry(minutesAgo: 2, .offline, count: 4), entry(minutesAgo: 5, .offline),
            entry(minutesAgo: 9, .upToDate), entry(minutesAgo: 12, .offline),
        ]

        let lines = SyncLogLine.lines(of: entries, now: now, formats())

        #expect(
            lines.map(\.when) == ["5 times, last today 07:58", "today 07:51", "today 07:48"])
        #expect(lines.map(\.sentences).first == ["There was no connection."])
        #expect(lines.map(\.codes) == ["Codes: offline", nil, "Codes: offline"])
        #expect(lines.map(\.isFailed) == [true, false, true])
        #expect(lines.map(\.date) == [entries[0].date, entries[2].date, entries[3].date])
    }

    /// Nothing was sent either way, which no sentence says.
    @Test func differencesThatNobodyReadsSplitNoLine() {
        let entries = [
            entry(minutesAgo: 1, .upToDate, sent: 0), entry(minutesAgo: 2, .upToDate, sent: nil),
        ]
        let lines = SyncLogLine.lines(of: entries, now: now, formats())
        #expect(lines.map(\.when) == ["2 times, last today 07:59"])
    }

    @Test func differentNumbersStayApart() {
        let entries = [1, 2].map { entry(minutesAgo: 1, .upToDate, sent: $0) }
        #expect(SyncLogLine.lines(of: entries, now: now, formats()).count == 2)
    }

    @Test func everyLanguageCountsInItsForms() {
        let entries = [entry(minutesAgo: 2, .upToDate, count: 2)]
        let lines = StudyText.languages.map { language in
            SyncLogLine.lines(of: entries, now: now, formats(language.code)).map(\.when)
        }
        #expect(Set(lines).count == lines.count)
        #expect(lines.contains { $0.first?.contains("مرتان") == true })
    }

    @Test func anEmptyLogHasNoLine() {
        #expect(SyncLogLine.lines(of: [], now: now, formats()).isEmpty)
    }
}
