import Foundation
import PageRendering
import StudyModel
import Underway

/// The values of the page of exam dates.
struct BookingsView {
    struct Booking {
        var id: String
        var exam: String
        var name: String
        var when: String
        var status: String?
        /// "Waiting to be sent"; `nil` where no server takes it, or it has it.
        var waiting: String?
        var conflictPath: String?
        var conflictText: String
        var day: String
        var time: String
        var error: String?
        var isOpen: Bool
        var moveName: String
        var cancelName: String
    }

    struct Exam {
        var id: String
        var name: String
        var isChosen: Bool
    }

    var upcoming: [Booking]
    var hasUpcoming: Bool
    var isEmpty: Bool
    var earlier: [Booking]
    var hasEarlier: Bool
    var exams: [Exam]
    var canBook: Bool
    var hasNoExam: Bool
    var firstDay: String
    var lastDay: String
    var day: String
    var time: String
    var error: String?
    var isBookFilled: Bool

    init(_ screen: BookingsScreen, _ refusal: BookingDate.Refusal?, _ page: PageRequest) {
        let words = page.words
        let error = refusal.map { words[$0.key] }
        let isMoving = page.form["action"] == "move"
        let moved = isMoving ? page.form["exam"] : nil
        let sends = page.services.sync?.userDataStatus != nil
        upcoming = screen.upcoming.enumerated().map { index, booking in
            var row = Booking(booking, "move-\(index)", screen.now, sends: sends, page.formats)
            if booking.id == moved, error != nil {
                (row.error, row.isOpen) = (error, true)
                (row.day, row.time) = (page.form["day"] ?? "", page.form["time"] ?? "")
            }
            return row
        }
        earlier = screen.earlier.map {
            Booking($0, "", screen.now, sends: sends, page.formats)
        }
        let chosen = page.form["exam"] ?? page.query("exam")
        exams = screen.exams.map { Exam(id: $0.id, name: $0.title, isChosen: $0.id == chosen) }
        (hasUpcoming, hasEarlier) = (!upcoming.isEmpty, !earlier.isEmpty)
        isEmpty = upcoming.isEmpty
        canBook = !exams.isEmpty
        hasNoExam = exams.isEmpty && upcoming.isEmpty
        let calendar = page.formats.calendar
        firstDay = ExamDate(dayOf: screen.now, in: calendar.timeZone).text
        let last = calendar.date(byAdding: .year, value: BookingDate.yearsMax, to: screen.now)
        lastDay = ExamDate(dayOf: last ?? screen.now, in: calendar.timeZone).text
        day = isMoving ? "" : page.form["day"] ?? ""
        time = isMoving ? "" : page.form["time"] ?? ""
        self.error = isMoving ? nil : error
        isBookFilled = upcoming.isEmpty
    }
}

extension BookingsView.Booking {
    init(
        _ booking: BookingsScreen.Booking, _ id: String, _ now: Date, sends: Bool,
        _ formats: StudyFormats
    ) {
        let words = BookingText(booking, now: now, sends: sends, formats)
        (self.id, exam, name) = (id, booking.id, booking.title)
        (when, status, waiting) = (words.when, words.status, words.waiting)
        let key = RecordKey(Reservation.collection.name, booking.id)
        conflictPath = booking.isInConflict ? ConflictPages.path(of: key) : nil
        conflictText = words.conflict ?? ""
        let entered = BookingDate(booking.date, calendar: formats.calendar)
        (day, time) = (entered.day, entered.time)
        isOpen = false
        (moveName, cancelName) = (words.moveName, words.cancelName)
    }
}
