import Tables
package import UserData

/// A board of one period as it is stored.
package struct StoredBoard: Sendable, Hashable {
    /// The number.
    package var number: Int64
    /// The name of its definition.
    package var name: String
    /// The period.
    package var period: BoardPeriod
    /// The time that it covers.
    package var window: BoardWindow
    /// The parts of its definition on which scores depend.
    package var scoring: String
    /// The last account that was looked at to fill it; `nil` once it is filled.
    package var filledThrough: Int64?
    /// The time at which it was refreshed last, in milliseconds since 1970.
    package var refreshedAt: Int64
    /// True once the time for late answers is over.
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
    /// The key; `nil` to remove the place.
    package var key: Int64?
}
