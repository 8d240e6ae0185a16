/// The time that a leaderboard covers, in the time zone of the board.
///
/// ```swift
/// let seen = try await account.board("driving", .week)
/// print(seen.page.own?.rank ?? 0)
/// ```
public enum BoardPeriod: String, Sendable, Hashable, CaseIterable, Codable {
    /// A day from midnight to midnight.
    case day
    /// A week that begins on Monday.
    case week
    /// A month of the Gregorian calendar.
    case month
    /// All time.
    case all
}
