public import Foundation
public import Underway

/// One board with the learner's own place.
public struct BoardScreen: Sendable, Hashable {
    /// The board's name.
    public var id: String
    /// The subject's title; the bank's name if the content does not have it, the board's without any reply.
    public var title: String
    /// The language of the title (BCP 47); `nil` if it is unknown.
    public var language: String?
    /// The shown period.
    public var period: BoardPeriod
    /// The periods of the board.
    public var periods: [BoardPeriod]
    /// The moment at which the period ends; `nil` for all time, and when it is not known.
    public var endsAt: Date?
    /// The board, as now or as last received; `nil` when this device has none.
    public var seen: SeenBoard?
    /// The reason why this is not the server's present state; `nil` if it is.
    public var obstacle: StandingsObstacle?
    /// True for a learner who has left all boards.
    public var hasLeft: Bool
    /// The time of the screen.
    public var now: Date
}

extension BoardScreen {
    /// Shows a received board alone, for a program without content.
    ///
    /// - Parameters:
    ///   - seen: The board.
    ///   - obstacle: The reason why it is not the server's present state; `nil` if it is.
    ///   - now: The wall clock.
    public init(_ seen: SeenBoard, obstacle: StandingsObstacle?, now: Date) {
        self.init(
            id: seen.page.board, title: seen.page.bank, language: nil, period: seen.page.period,
            periods: [seen.page.period], endsAt: nil, seen: seen, obstacle: obstacle,
            hasLeft: false, now: now)
    }
}

/// A row of a list of places.
public enum PlaceRow: Sendable, Hashable {
    /// A place.
    case place(BoardEntry)
    /// A number of places that are not shown.
    case gap(Int)

    /// Returns the best places, the gap, and the learner's own place with its neighbours.
    ///
    /// - Parameters:
    ///   - top: The best places.
    ///   - around: The own place with its neighbours, or the own place alone; it may repeat places of `top`.
    ///   - count: The number of all places.
    /// - Returns: The rows by rank, each place once.
    public static func rows(
        top: [BoardEntry], around: [BoardEntry], of count: Int
    ) -> [PlaceRow] {
        let places = Dictionary((top + around).map { ($0.rank, $0) }) { first, _ in first }
        let entries = places.values.sorted { $0.rank < $1.rank }
        var (rows, last): ([PlaceRow], Int) = ([], 0)
        for entry in entries {
            if entry.rank > last + 1 { rows.append(.gap(entry.rank - last - 1)) }
            rows.append(.place(entry))
            last = entry.rank
        }
        if count > last, !rows.isEmpty { rows.append(.gap(count - last)) }
        return rows
    }
}
