package import Foundation
package import UserData

/// A request for a board.
package struct BoardQuery: Sendable, Hashable {
    /// The name of the definition.
    package var name: String
    /// The period.
    package var period: BoardPeriod
    /// The first day; `nil` for the current board.
    package var firstDay: String?
    /// The requesting account; `nil` for an operator, who has no place.
    package var user: String?
    /// The number of best places to return.
    package var top: Int
    /// The codes of friends.
    package var friends: [String]
    /// The wall clock.
    package var now: Date

    package init(
        name: String, period: BoardPeriod, firstDay: String? = nil, user: String?, top: Int,
        friends: [String] = [], now: Date = Date()
    ) {
        self.now = now
        self.name = name
        self.period = period
        self.firstDay = firstDay
        self.user = user
        self.top = top
        self.friends = friends
    }
}

extension BoardQuery {
    /// Selects a board.
    ///
    /// - Parameters:
    ///   - boards: All boards of the name and period.
    ///   - definition: The definition of the name.
    /// - Returns: The board of the requested first day, otherwise the current board; if no refresh ran since its
    ///   period began, the previous one; `nil` for none.
    package func board(
        among boards: [StoredBoard], _ definition: BoardDefinition
    ) -> StoredBoard? {
        let known = boards.filter { $0.scoring == definition.scoring }
        if let firstDay { return known.first { $0.window.firstDay == firstDay } }
        let start = definition.window(period, at: now).start
        return known.filter { $0.window.start <= start }.max { $0.window.start < $1.window.start }
    }
}

/// A place on a board with its member's name.
package struct BoardLine: Sendable, Hashable {
    /// The account's number.
    package var member: Int64
    /// The sort key.
    package var key: Int64
    /// The display name.
    package var name: String?
    /// The friend code; only in a list of friends.
    package var code: String?
    /// The rank, from 1.
    package var rank: Int
}

/// A board, read from one state of the database.
package struct BoardReading: Sendable, Hashable {
    /// The board.
    package var board: StoredBoard
    /// Its definition.
    package var definition: BoardDefinition
    /// The number of places.
    package var count: Int
    /// The best places.
    package var top: [BoardLine]
    /// The number of the requesting account; 0 for an operator.
    package var member: Int64
    /// The requesting account's place with its neighbours; empty without a place.
    package var around: [BoardLine]
    /// The friends with a place, the best first.
    package var friends: [BoardLine]
}
