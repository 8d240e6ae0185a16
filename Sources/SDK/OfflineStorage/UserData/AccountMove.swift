/// A move of an account into another one that this device requested and that is not complete.
package struct AccountMove: Sendable, Hashable, Codable {
    /// The account that moves.
    package var source: String
    /// The account that receives it.
    package var target: String
    /// True once this device has entered the target: only secrets of the source are left.
    package var isDone = false
    /// True to copy this device's data if the account was moved elsewhere, as for starting over.
    package var takesCopy: Bool

    /// Creates a move.
    package init(from source: String, into target: String, takesCopy: Bool = false) {
        self.source = source
        self.target = target
        self.takesCopy = takesCopy
    }
}
