/// The rule by which a question that was missed on many days is set aside.
///
/// It is set aside at the limit, and at each half of the limit, rounded up, after it: at 8, 12, 16, … lapses.
///
/// ```swift
/// print(LapseRule(limit: 8).step(reachedBy: 13) ?? 0)  // 12
/// ```
public struct LapseRule: Sendable, Hashable {
    /// The number of lapses at which a question is first set aside; 0 for never.
    public let limit: Int

    /// Creates the rule; a limit below 0 counts as 0.
    public init(limit: Int) { self.limit = max(0, limit) }

    /// Returns the greatest number of lapses, up to those of a card, at which the question is set aside.
    ///
    /// - Parameter lapses: The card's lapses.
    /// - Returns: The number; `nil` if the limit is not reached, or for no limit.
    public func step(reachedBy lapses: Int) -> Int? {
        guard limit > 0, lapses >= limit else { return nil }
        let half = limit / 2 + limit % 2
        return limit + (lapses - limit) / half * half
    }

    /// Returns true if a card with those lapses is to be set aside.
    ///
    /// - Parameters:
    ///   - lapses: The card's lapses.
    ///   - known: The lapses at which it was last set aside; `nil` if it never was.
    /// - Returns: True once for each step of the rule.
    public func setsAside(at lapses: Int, known: Int?) -> Bool {
        step(reachedBy: lapses).map { $0 > known ?? 0 } ?? false
    }
}
