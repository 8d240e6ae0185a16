public import Foundation
import Underway

/// An exam date as text for a learner.
public struct BookingText: Sendable, Hashable {
    /// The day, with the time if it is known.
    public var when: String
    /// The progress; `nil` for a date that is booked.
    public var status: String?
    /// "Waiting to be sent"; `nil` if no server accepts dates, or it has this one.
    public var waiting: String?
    /// The sentence about two versions of the date; `nil` for a single version.
    public var conflict: String?
    /// The name of the button that moves the date.
    public var moveName: String
    /// The name of the button that cancels it.
    public var cancelName: String

    /// Creates the texts of a date in a language.
    ///
    /// - Parameters:
    ///   - booking: The date.
    ///   - now: The time of the screen.
    ///   - sends: True on a device whose server accepts exam dates.
    ///   - formats: The language.
    public init(
        _ booking: BookingsScreen.Booking, now: Date, sends: Bool, _ formats: StudyFormats
    ) {
        let words = formats.words
        when = formats.text(booking.date, now: now)
        status = booking.status == .booked ? nil : words.status(booking.status)
        waiting = booking.isWaiting && sends ? words["booking.waiting"] : nil
        conflict =
            booking.isInConflict
            ? words.text("inbox.conflict", ["thing": words["booking.title"]]) : nil
        moveName = words.text("booking.moveNamed", ["exam": booking.title])
        cancelName = words.text("booking.cancelNamed", ["exam": booking.title])
    }
}

extension BookingDate.Refusal {
    /// The key of the sentence with the reason why a date was not booked.
    public var key: String { self == .past ? "booking.past" : "booking.chooseDate" }
}
