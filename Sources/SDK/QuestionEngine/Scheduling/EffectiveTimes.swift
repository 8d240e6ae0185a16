/// The times at which the answers of a device count, as far as its clock can be believed.
///
/// A device numbers its answers as they are given, so none was given after a later one: it counts at the least time of
/// itself and of all later ones. A clock that was a year ahead is corrected by the next answer of a right one. What has
/// no such answer yet counts as given now, see ``ReviewScheduler/replay(_:now:)``.
///
/// Three kinds of answers say nothing of those before them: an imported one, which is of years ago and has no zone; one
/// of an exam, which is numbered at the exam's end; and one of a clock that was never set.
package struct EffectiveTimes {
    /// The first moment of 2026, before which nothing can have been answered, in milliseconds since 1970.
    package static let earliestMilliseconds: Int64 = 1_767_225_600_000

    /// The least time of the answers that were taken in; `Int64.max` before the first.
    package private(set) var least: Int64

    /// Begins behind the newest answer, or before answers whose least time is known.
    package init(before least: Int64 = .max) { self.least = least }

    /// Takes in that all answers that are still to come were there at a time.
    package mutating func wereThere(at milliseconds: Int64) { least = min(least, milliseconds) }

    /// Takes in an answer, from the newest to the oldest, and returns the time at which it counts.
    ///
    /// - Parameters:
    ///   - milliseconds: The time that the device's clock showed, in milliseconds since 1970.
    ///   - hasZone: True for an answer that was given on the device, whose zone is known.
    ///   - isOfExam: True for an answer of an exam.
    /// - Returns: The time at which it counts, in milliseconds since 1970.
    package mutating func time(of milliseconds: Int64, hasZone: Bool, isOfExam: Bool) -> Int64 {
        guard hasZone else { return milliseconds }
        let time = min(milliseconds, least)
        if Self.corrects(milliseconds, hasZone: hasZone, isOfExam: isOfExam) { least = time }
        return time
    }

    /// Returns true if an answer proves that those before it were not given later.
    package static func corrects(
        _ milliseconds: Int64, hasZone: Bool, isOfExam: Bool
    ) -> Bool {
        hasZone && !isOfExam && milliseconds >= earliestMilliseconds
    }
}
