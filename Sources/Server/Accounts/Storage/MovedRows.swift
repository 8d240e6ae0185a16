package import Tables

/// What the rooms above do with their rows when an account moves into another one, in the transaction of the move.
///
/// Each step has the transaction, then the numbers of the account that moves and of the one that stays. On PostgreSQL it
/// runs as `underway_keeper`, and leaves that role as it is.
package struct MovedRows: Sendable {
    /// A step.
    package typealias Step =
        @Sendable (_ transaction: TableTransaction, _ source: Int64, _ target: Int64) throws -> Void

    /// The steps when the move begins and the account is closed.
    let closing: [Step]
    /// The steps at its end.
    let finishing: [Step]

    /// Joins the steps of rooms, in their order.
    package init(_ rooms: [MovedRows]) {
        self.init(closing: rooms.flatMap(\.closing), finishing: rooms.flatMap(\.finishing))
    }

    package init(closing: [Step] = [], finishing: [Step] = []) {
        self.closing = closing
        self.finishing = finishing
    }
}
