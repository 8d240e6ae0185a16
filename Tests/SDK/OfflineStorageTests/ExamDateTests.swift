import Foundation
import OfflineStorage
import Testing
import UserData

@Suite struct ExamDateTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [
        ("2026-12-24", true), ("2028-02-29", true), ("2026-12-24T09:00Z", false),
        ("2026-12-24T09:00:30Z", false), ("2026-12-24T09:00:30.250Z", false),
        ("2026-12-24T23:59:59+14:00", false), ("2026-12-24T00:00-09:30", false),
    ])
    func daysAndMomentsAreDates(text: String, isDay: Bool) throws {
        let date = try #require(ExamDate(text))
        #expect(date.text == text && "\(date)" == text)
        #expect(date.isValid && date.isDay == isDay)
    }

    @Test(arguments: [
        "", "soon", "next Tuesday", "2026-12-2", "2026-13-01", "2026-00-10", "2027-02-29",
        "2026-12-24 09:00Z", "2026-12-24T09:00", "2026-12-24T24:00Z", "2026-12-24T09:60Z",
        "2026-12-24T09:00:60Z", "2026-12-24T09:00+24:00", "2026-12-24T09:00+1:00", "2026-12-24Z",
        "2026-12-24\n", "２０２６-12-24", "2026-12-24T09:00:30.250+01:00",
    ])
    func anyOtherTextIsNone(text: String) {
        #expect(ExamDate(text) == nil)
    }

    @Test func aLiteralThatIsNoDateEndsTheProgram() async {
        await #expect(processExitsWith: .failure) { _ = "soon" as ExamDate }
    }

    @Test(arguments: [1.8e12, -1.8e12, .infinity, -.infinity, .nan] as [TimeInterval])
    func aMomentOutOfRangeIsLimited(seconds: TimeInterval) throws {
        let moment = Date(timeIntervalSince1970: seconds)
        for zone in ["Pacific/Kiritimati", "Etc/GMT+12", "GMT"] {
            #expect(ExamDate(dayOf: moment, in: try #require(TimeZone(identifier: zone))).isValid)
        }
        #expect(ExamDate(moment: moment).isValid)
    }

    @Test func momentsAndDaysBecomeDates() throws {
        // Half past midnight in Auckland is still the day before in UTC.
        let moment = try Date("2026-12-23T11:30:00Z", strategy: .iso8601)
        let auckland = try #require(TimeZone(identifier: "Pacific/Auckland"))
        #expect(ExamDate(dayOf: moment, in: auckland) == "2026-12-24")
        #expect(ExamDate(dayOf: moment, in: .gmt) == "2026-12-23")
        #expect(ExamDate(moment: moment) == "2026-12-23T11:30:00Z")
        #expect(ExamDate(moment: moment).start(in: auckland) == moment)
        let day: ExamDate = "2026-12-24"
        #expect(day.start(in: auckland) == moment.addingTimeInterval(-30 * 60))
        let ahead: ExamDate = "2026-12-23T13:00:30+01:30"
        #expect(ahead.start() == moment.addingTimeInterval(30))
    }

    @Test func datesAreOrderedByTheirStart() throws {
        let stored = try decoded(["next week", "2027-01-01"])
        let dates: [ExamDate] = [
            "2026-12-23T23:30:00-01:00", "2026-12-24", "2026-12-24T00:00Z", "2026-12-24T00:00:01Z",
            "2026-12-24T02:00:00+01:00", stored[1], stored[0],
        ]
        // The first is half past midnight in UTC.
        let expected = [1, 2, 3, 0, 4, 5, 6].map { dates[$0] }
        #expect(dates.reversed().sorted() == expected)
    }

    /// Records that are stored already are shown, and come back as they were.
    @Test func aTextOfAnotherProgramIsReadAndWrittenBack() throws {
        let store = try UserStore.inMemory()
        try store.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "r", now: now)
        try store.sync(now: now) { operation in
            var theirs = UserRecord(accepting: operation)
            theirs.fields["date"]?.value = "after the holidays"
            return .accepted(theirs)
        }
        var reservation = try #require(try store.record(Reservation.self, id: "r"))
        #expect(reservation.date.text == "after the holidays")
        #expect(!reservation.date.isValid && !reservation.date.isDay)
        #expect(reservation.date.start() == nil)
        reservation.status = .booked
        try store.put(reservation, id: "r", now: now)
        let change = try #require(try store.outbox().first).operation.change
        #expect(
            change
                == .put(["exam": "int/swift", "date": "after the holidays", "status": "booked"]))
    }

    private func decoded(_ texts: [String]) throws -> [ExamDate] {
        try JSONDecoder().decode([ExamDate].self, from: JSONEncoder().encode(texts))
    }
}
