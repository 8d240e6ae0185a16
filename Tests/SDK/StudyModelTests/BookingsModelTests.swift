import Foundation
import Testing
import Underway

@testable import StudyModel

@Suite struct BookingsModelTests {
    private let fixture: ProgressFixture

    init() throws { fixture = try ProgressFixture() }

    /// Takes a step and returns the screen after it.
    private func screen(
        _ step: (BookingsModel) async -> Void = { _ in }
    ) async throws -> (BookingsModel, BookingsScreen) {
        let model = await BookingsModel(fixture.services)
        await step(model)
        if let problem = await model.problem { throw problem }
        await model.load()
        return (model, try #require(await model.screen))
    }

    // The clock of the tests stands at 2027-01-15 08:00 UTC.
    private func book(_ day: String, _ time: String = "") async throws -> BookingsScreen {
        try await screen {
            await $0.book("int/rules", on: BookingDate(day: day, time: time))
        }.1
    }

    @Test func aDateIsKeptAtOnceAndWaitsToBeSent() async throws {
        #expect(try await screen().1.exams.map(\.title) == ["Rules of int/rules"])
        let booked = try await book("2027-02-12", "09:30")
        let booking = try #require(booked.upcoming.first)
        #expect(booking.date == "2027-02-12T09:30:00Z" && booking.status == .booked)
        #expect(booking.title == "Rules of int/rules" && booking.isWaiting)
        #expect(booked.exams.isEmpty && booked.earlier.isEmpty)
        let stored = try fixture.userData.record(Reservation.self, id: "int/rules")
        #expect(stored?.exam == "int/rules")
    }

    @Test func theExamThatIsStudiedComesFirst() async throws {
        let fixture = try ProgressFixture(blueprints: [.rules(id: "int/a"), .rules(id: "int/b")])
        try await fixture.answer(1, bank: .exam(region: "int", exam: "b"))
        let model = await BookingsModel(fixture.services)
        await model.load()
        #expect(await model.screen?.exams.map(\.id) == ["int/b", "int/a"])
    }

    @Test func aDateIsMovedCancelledAndRestored() async throws {
        _ = try await book("2027-02-12")
        let (_, moved) = try await screen {
            await $0.move("int/rules", to: BookingDate(day: "2027-02-19", time: ""))
        }
        #expect(moved.upcoming.map(\.date) == ["2027-02-19"])
        let (model, cancelled) = try await screen { await $0.cancel("int/rules") }
        #expect(cancelled.upcoming.isEmpty && cancelled.earlier.map(\.status) == [.cancelled])
        #expect(cancelled.exams.count == 1)
        let former = try #require(await model.former)
        let (_, restored) = try await screen {
            await $0.restore("int/rules", former.date, status: former.status)
        }
        #expect(restored.upcoming.map(\.date) == ["2027-02-19"])
        #expect(restored.upcoming.map(\.status) == [.booked])
    }

    @Test(arguments: [
        ("2027-01-14", "", BookingDate.Refusal.past), ("2027-01-15", "07:59", .past),
        ("2027-01-15", "08:00", .past), ("", "", .unreadable), ("2027-02-30", "", .unreadable),
        ("tomorrow", "", .unreadable), ("2027-02-12", "24:00", .unreadable),
        ("2027-02-12", "half nine", .unreadable), ("2038-01-01", "", .unreadable),
        ("20270-02-12", "", .unreadable), ("2027-02-12T09:00Z", "", .unreadable),
        ("<script>", "", .unreadable),
    ])
    func aDateThatCannotBeBookedIsRefused(
        day: String, time: String, reason: BookingDate.Refusal
    ) async throws {
        let (model, screen) = try await screen {
            await $0.book("int/rules", on: BookingDate(day: day, time: time))
        }
        #expect(await model.refusal == reason)
        #expect(screen.upcoming.isEmpty)
        #expect(try fixture.userData.outbox().isEmpty)
    }

    @Test func todayCanBeBooked() async throws {
        #expect(try await book("2027-01-15").upcoming.map(\.date) == ["2027-01-15"])
        #expect(try await book("2027-01-15", "08:01").upcoming.count == 1)
    }

    @Test func anExamThatIsNotThereCannotBeBooked() async throws {
        for name in ["int/none", "es", "", "../x"] {
            let model = await BookingsModel(fixture.services)
            await model.book(name, on: BookingDate(day: "2027-02-12", time: ""))
            #expect(await model.problem?.code == .notFound, "\(name)")
            await model.move(name, to: BookingDate(day: "2027-02-12", time: ""))
            #expect(await model.problem?.code == .notFound, "\(name)")
            await model.cancel(name)
            #expect(await model.problem?.code == .notFound, "\(name)")
        }
        #expect(try fixture.userData.outbox().isEmpty)
    }

    @Test func theTimeIsTheLearners() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        let entered = BookingDate(day: "2027-07-01", time: "09:30")
        let date = try entered.examDate(now: fixture.now, calendar: calendar)
        #expect(date == "2027-07-01T07:30:00Z")
        #expect(BookingDate(date, calendar: calendar) == entered)
        #expect(
            BookingDate("2027-07-01", calendar: calendar)
                == BookingDate(day: "2027-07-01", time: ""))
        // The clocks skip from 02:00 to 03:00 on that day.
        let skipped = BookingDate(day: "2027-03-28", time: "02:30")
        #expect(
            try skipped.examDate(now: fixture.now, calendar: calendar) == "2027-03-28T01:30:00Z")
    }
}
