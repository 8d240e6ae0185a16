public import Foundation
import Underway

/// An exam date in a learner's words.
public struct BookingText: Sendable, Hashable {
    /// The day, with the time where it is known.
    public var when: String
    /// The progress; `nil` for a date that is simply booked.
    public var status: String?
    /// "Waiting to be sent"; `nil` where no server takes it, or it has it.
    public var waiting: String?
    /// The sentence about two versions of the date; `nil` where there is one.
    public var conflict: String?
    /// The name of the button that moves the date.
    public var moveName: String
    /// The name of the button that cancels it.
    public var cancelName: String

    /// Writes a date in a language.
    ///
    /// - Parameters:
    ///   - booking: The date.
    ///   - now: The time of the screen.
    ///   - sends: True on a device whose server takes exam dates.
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
    /// The key of the sentence that says why a date was not booked.
    public var key: String { self == .past ? "booking.past" : "booking.chooseDate" }
}
