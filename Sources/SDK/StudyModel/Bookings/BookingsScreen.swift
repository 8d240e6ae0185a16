public import Foundation
public import Underway

/// The exam dates of a learner.
public struct BookingsScreen: Sendable, Hashable {
    /// An exam date.
    public struct Booking: Sendable, Hashable, Identifiable {
        /// The record's id.
        public var id: String
        /// The exam's name, region and exam with a slash between.
        public var exam: String
        /// The exam's title; its name if the content does not have it.
        public var title: String
        /// The date: a day, or a moment.
        public var date: ExamDate
        /// The progress.
        public var status: Reservation.Status
        /// True when the server does not have the last change yet.
        public var isWaiting: Bool
        /// True when another device set another date, and the learner must decide.
        public var isInConflict: Bool
    }

    /// An exam that can be booked.
    public struct Exam: Sendable, Hashable, Identifiable {
        /// The name, region and exam with a slash between.
        public var id: String
        /// The title.
        public var title: String
    }

    /// The time of the screen.
    public var now: Date
    /// The dates from today on, the next first.
    public var upcoming: [Booking]
    /// The past and cancelled dates, the last first.
    public var earlier: [Booking]
    /// The exams of the content without an upcoming date, by title.
    public var exams: [Exam]
}
