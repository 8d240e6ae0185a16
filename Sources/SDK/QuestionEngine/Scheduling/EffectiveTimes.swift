/// The times at which the answers of a device count, corrected for errors of its clock.
///
/// A device numbers its answers as they are given, so none was given after a later one: it counts at the minimum of its
/// own time and those of all later ones. The next answer by a right clock corrects one that was a year ahead. Without
/// such an answer, it counts as given now, see ``ReviewScheduler/replay(_:now:)``.
///
/// Three kinds of answers correct no earlier ones. An imported one may be years old and has no zone. One of an exam is
/// numbered at the exam's end. The third kind is from a clock that was never set.
package struct EffectiveTimes {
    /// The first moment of 2026, before which nothing can have been answered, in milliseconds since 1970.
    package static let earliestMilliseconds: Int64 = 1_767_225_600_000

    /// The minimum of the times of the answers added so far; `Int64.max` before the first.
    package private(set) var least: Int64

    /// Begins behind the newest answer, or before answers whose least time is known.
    package init(before least: Int64 = .max) { self.least = least }

    /// Records that all answers still to come existed at a time.
    package mutating func wereThere(at milliseconds: Int64) { least = min(least, milliseconds) }

    /// Adds an answer, from the newest to the oldest, and returns the time at which it counts.
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
