package import Foundation
package import Ledger
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

    package init(
        number: Int64, name: String, period: BoardPeriod, window: BoardWindow, scoring: String,
        filledThrough: Int64?, refreshedAt: Int64, isClosed: Bool
    ) {
        self.number = number
        self.name = name
        self.period = period
        self.window = window
        self.scoring = scoring
        self.filledThrough = filledThrough
        self.refreshedAt = refreshedAt
        self.isClosed = isClosed
    }
}

/// A place of a board: the key of a member.
package struct BoardPlace: Sendable, Hashable {
    /// The board's number.
    package var board: Int64
    /// The account's number.
    package var member: Int64
    /// The key; `nil` to remove the place.
    package var key: Int64?

    package init(board: Int64, member: Int64, key: Int64?) {
        self.board = board
        self.member = member
        self.key = key
    }
}

/// The access of one refresher to the tables of boards, within a transaction that it has alone.
///
/// It reads and writes rows; every decision is that of `BoardRefresh`.
package protocol BoardTransaction {
    /// Reads the definitions, in the order of names.
    func definitions() throws -> [BoardDefinition]
    /// Reads all boards.
    func boards() throws -> [StoredBoard]
    /// Adds a board, whose number is ignored, and returns its number.
    func add(_ board: StoredBoard) throws -> Int64
    /// Writes what changes of a board: how far it is filled, when it was refreshed, whether it is closed.
    func update(_ board: StoredBoard) throws
    /// Deletes at most so many places of a board, and the board with its buckets once none is left.
    ///
    /// - Returns: The number of deleted places.
    func remove(board: Int64, atMost limit: Int) throws -> Int
    /// Removes the oldest changes, and returns their members, each once, and whether there are more.
    ///
    /// In the same transaction it notes those whose answers are to be graded again, see `RegradeNotes`.
    func takeChanges(atMost limit: Int) throws -> (members: [Int64], hasMore: Bool)
    /// Returns the next accounts that have sessions of a bank, in the order of numbers.
    func members(of bank: String, after member: Int64, atMost limit: Int) throws -> [Int64]
    /// Returns those of accounts that exist and want to be listed.
    func listed(_ members: [Int64]) throws -> Set<Int64>
    /// Returns the newest `ServiceLimits.boardSessionsMax` sessions of each of the members in a bank.
    func sessions(of members: [Int64], in bank: String) throws -> [Int64: [SessionScore]]
    /// Returns the places that members have on any board.
    func places(of members: [Int64]) throws -> [BoardPlace]
    /// Writes places.
    func write(_ places: [BoardPlace]) throws
    /// Reads the buckets of a board.
    func buckets(of board: Int64) throws -> [BucketTable.Bucket]
    /// Writes buckets of a board.
    func write(_ buckets: [BucketTable.Bucket], removing lows: [Int64], of board: Int64) throws
    /// Finds the key in the middle of a bucket, or else the first one greater than its least.
    ///
    /// - Returns: A key greater than the bucket's least, and the number of places before it; `nil` when all places have
    ///   one key.
    func cut(_ part: BucketTable.Overfull, of board: Int64) throws -> (key: Int64, before: Int)?
}

/// A request for a board.
package struct BoardQuery: Sendable, Hashable {
    /// The name of the definition.
    package var name: String
    /// The period.
    package var period: BoardPeriod
    /// The first day; `nil` for the board of now.
    package var firstDay: String?
    /// The account that asks; `nil` for an operator, who has no place.
    package var user: String?
    /// The number of the best places.
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
    /// Chooses a board.
    ///
    /// - Parameters:
    ///   - boards: All boards of the name and period.
    ///   - definition: The definition of the name.
    /// - Returns: The board of the first day that was asked for; else that of now or, where no refresher ran since its
    ///   period began, the last one before; `nil` when there is none.
    package func board(
        among boards: [StoredBoard], _ definition: BoardDefinition
    ) -> StoredBoard? {
        let known = boards.filter { $0.scoring == definition.scoring }
        if let firstDay { return known.first { $0.window.firstDay == firstDay } }
        let start = definition.window(period, at: now).start
        return known.filter { $0.window.start <= start }.max { $0.window.start < $1.window.start }
    }
}

/// A place as it is read: with its member's name.
package struct BoardLine: Sendable, Hashable {
    /// The account's number.
    package var member: Int64
    /// The key.
    package var key: Int64
    /// The display name.
    package var name: String?
    /// The friend code; only in a list of friends.
    package var code: String?
    /// The rank, from 1.
    package var rank: Int

    package init(member: Int64, key: Int64, name: String?, code: String? = nil, rank: Int) {
        self.member = member
        self.key = key
        self.name = name
        self.code = code
        self.rank = rank
    }
}

/// A board as one state of the database has it.
package struct BoardReading: Sendable, Hashable {
    /// The board.
    package var board: StoredBoard
    /// Its definition.
    package var definition: BoardDefinition
    /// The number of places.
    package var count: Int
    /// The best places.
    package var top: [BoardLine]
    /// The number of the account that asks; 0 for an operator.
    package var member: Int64
    /// The own place with its neighbours; empty without a place.
    package var around: [BoardLine]
    /// The friends who have a place, the best first.
    package var friends: [BoardLine]

    package init(
        board: StoredBoard, definition: BoardDefinition, count: Int, top: [BoardLine],
        member: Int64, around: [BoardLine], friends: [BoardLine]
    ) {
        self.board = board
        self.definition = definition
        self.count = count
        self.top = top
        self.member = member
        self.around = around
        self.friends = friends
    }
}

/// The storage of boards and profiles: what a database adapter implements.
package protocol BoardStorage: Sendable {
    /// The most changes that one transaction takes: each waits for its writer on SQLite.
    var changesMax: Int { get }

    /// Runs a refresher in a transaction of its own.
    ///
    /// - Returns: The refresher's value; `nil` when another one is at work.
    /// - Throws: What `body` throws, or `LedgerError`; nothing is written then.
    func refresh<Value: Sendable>(
        _ body: @escaping @Sendable (any BoardTransaction) throws -> Value
    ) async throws -> Value?

    /// Reads the definitions, in the order of names.
    ///
    /// - Throws: `LedgerError`.
    func definitions() async throws -> [BoardDefinition]

    /// Adds a definition, or replaces that of its name.
    ///
    /// - Throws: `LedgerError`, or `BoardDefinition.ValidationError` for one too many.
    func set(_ definition: BoardDefinition) async throws

    /// Removes a definition; false when there is none.
    ///
    /// - Throws: `LedgerError`.
    func removeDefinition(_ name: String) async throws -> Bool

    /// Reads a board; `nil` when there is none.
    ///
    /// - Throws: `LedgerError`, also `noAccount` for the one that asks.
    func read(_ query: BoardQuery) async throws -> BoardReading?

    /// Reads a profile; `nil` when the account has none.
    ///
    /// - Throws: `LedgerError`.
    func profile(of user: String) async throws -> BoardProfile?

    /// Writes a profile, and notes the change for the boards.
    ///
    /// - Parameters:
    ///   - profile: The profile, whose code is taken only when the account has none.
    ///   - user: The account.
    /// - Returns: The profile with its code.
    /// - Throws: `LedgerError`.
    func set(_ profile: BoardProfile, of user: String) async throws -> BoardProfile

    /// Adds a profile to an account that has none.
    ///
    /// - Returns: The profile that the account has now.
    /// - Throws: `LedgerError`.
    func addProfile(_ profile: BoardProfile, of user: String) async throws -> BoardProfile

    /// Removes display names for an operator, and lets their learners choose none until `allowName`.
    ///
    /// - Parameter text: The name exactly as it is shown, or a friend code.
    /// - Returns: The friend codes of the learners who had it.
    /// - Throws: `LedgerError`.
    func removeNames(_ text: String) async throws -> [String]

    /// Lets a learner choose a name again; false when that was not forbidden.
    ///
    /// - Parameter code: The friend code.
    /// - Returns: False when there was nothing to allow.
    /// - Throws: `LedgerError`.
    func allowName(of code: String) async throws -> Bool

    /// Sums the answers of the next account anew, and notes the change for the boards.
    ///
    /// - Parameters:
    ///   - member: The number of the account before; 0 for the first.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: The account's number; `nil` when there is none left.
    /// - Throws: `LedgerError`.
    func recount(after member: Int64, now: Int64) async throws -> Int64?
}
