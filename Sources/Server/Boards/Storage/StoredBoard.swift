import Tables
package import UserData

/// A stored board of one period.
package struct StoredBoard: Sendable, Hashable {
    /// The board's number.
    package var number: Int64
    /// The name of its definition.
    package var name: String
    /// The period.
    package var period: BoardPeriod
    /// The time window.
    package var window: BoardWindow
    /// The parts of its definition that scores depend on.
    package var scoring: String
    /// The last account that was examined for filling it; `nil` once it is filled.
    package var filledThrough: Int64?
    /// The time of the last refresh, in milliseconds since 1970.
    package var refreshedAt: Int64
    /// True once late answers are no longer accepted.
    package var isClosed: Bool
}

extension StoredBoard {
    /// Reads a row; `nil` for a period of a later version.
    init?(row: TableRow) throws {
        guard let period = BoardPeriod(rawValue: try row.value("period")) else { return nil }
        self.init(
            number: try row.value("number"), name: try row.value("name"), period: period,
            window: BoardWindow(
                firstDay: try row.value("first_day"), start: try row.value("starts_at"),
                end: try row.value("ends_at")),
            scoring: try row.value("scoring"), filledThrough: try row.value("filled_through"),
            refreshedAt: try row.value("refreshed_at"), isClosed: try row.value("is_closed"))
    }
}

extension BoardDefinition {
    /// Reads a row; `nil` for a definition that this version cannot read.
    init?(row: TableRow) throws { self.init(text: try row.value("text")) }
}

/// A place of a board: the key of a member.
package struct BoardPlace: Sendable, Hashable {
    /// The board's number.
    package var board: Int64
    /// The account's number.
    package var member: Int64
    /// The sort key; `nil` to remove the place.
    package var key: Int64?
}
