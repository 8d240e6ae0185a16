package import Foundation

extension Date {
    /// The whole milliseconds since 1970, the nearest ones.
    ///
    /// A date that is not a number counts as 1970, one beyond 285,000 years as that limit: a clock may be wrong,
    /// and a conversion of its time must not end the process.
    package var wholeMilliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard !milliseconds.isNaN else { return 0 }
        let limit = 9_007_199_254_740_991.0  // The largest exact integer of a `Double`.
        return Int64(min(max(milliseconds, -limit), limit))
    }
}
