package import Tables

/// The steps by which features move their rows when an account moves into another one, in the transaction of the move.
///
/// A step gets the transaction, then the numbers of the moving account and of the target. On PostgreSQL it runs as
/// `underway_keeper`, and must not change the role.
package struct MovedRows: Sendable {
    /// A step.
    package typealias Step =
        @Sendable (_ transaction: TableTransaction, _ source: Int64, _ target: Int64) throws -> Void

    /// The steps when the move begins and the account is closed.
    let closing: [Step]
    /// The steps at its end.
    let finishing: [Step]

    /// Joins the steps of several features, in order.
    package init(_ rooms: [MovedRows]) {
        self.init(closing: rooms.flatMap(\.closing), finishing: rooms.flatMap(\.finishing))
    }

    package init(closing: [Step] = [], finishing: [Step] = []) {
        self.closing = closing
        self.finishing = finishing
    }
}
