public import Foundation

/// A learner's place on a leaderboard.
///
/// ```swift
/// if let own = try await account.board("driving", .week).page.own {
///     print("You are number \(own.rank) with \(own.score) points.")
/// }
/// ```
public struct BoardEntry: Sendable, Hashable {
    /// The rank, from 1; no two places of a board have the same.
    public var rank: Int
    /// The score by the rule of the board.
    public var score: Int
    /// The time in whole seconds at which the score was reached; of two equal scores the earlier one ranks first.
    public var reachedAt: Date
    /// The display name that the learner chose; `nil` for none.
    public var name: String?
    /// The code by which the learner is found as a friend; `nil` for a learner without a profile.
    public var friendCode: String?
    /// True for the learner who requests the board.
    public var isOwn: Bool

    /// Creates a place.
    public init(
        rank: Int, score: Int, reachedAt: Date, name: String? = nil, friendCode: String? = nil,
        isOwn: Bool = false
    ) {
        self.rank = rank
        self.score = score
        self.reachedAt = reachedAt
        self.name = name
        self.friendCode = friendCode
        self.isOwn = isOwn
    }
}

/// A leaderboard as a learner sees it: the best places, the learner's own with its neighbours, and friends.
///
/// ```swift
/// let page = try await account.board("driving", .week).page
/// for entry in page.neighbours {
///     print(entry.rank, entry.name ?? "–", entry.score, entry.isOwn ? "← you" : "")
/// }
/// ```
public struct BoardPage: Sendable, Hashable {
    /// The name of the board.
    public var board: String
    /// The bank of the exam: a language, or a region and an exam separated by a slash.
    public var bank: String
    /// The period.
    public var period: BoardPeriod
    /// The first day of the period as `2026-11-23`; `nil` for all time.
    public var firstDay: String?
    /// The number of places.
    public var placeCount: Int
    /// The time at which the server last counted new sessions into the board.
    public var refreshedAt: Date
    /// True when the period is over and no more sessions count.
    public var isFinal: Bool
    /// The best places.
    public var top: [BoardEntry]
    /// The place of the learner who requests the board; `nil` without a score, or if not listed.
    public var own: BoardEntry?
    /// The learner's own place with the five before and the five behind it.
    public var neighbours: [BoardEntry]
    /// The places of the requested friends, the best first.
    public var friends: [BoardEntry]

    /// Creates a page.
    public init(
        board: String, bank: String, period: BoardPeriod, firstDay: String?, placeCount: Int,
        refreshedAt: Date, isFinal: Bool, top: [BoardEntry] = [], own: BoardEntry? = nil,
        neighbours: [BoardEntry] = [], friends: [BoardEntry] = []
    ) {
        self.board = board
        self.bank = bank
        self.period = period
        self.firstDay = firstDay
        self.placeCount = placeCount
        self.refreshedAt = refreshedAt
        self.isFinal = isFinal
        self.top = top
        self.own = own
        self.neighbours = neighbours
        self.friends = friends
    }
}

/// A leaderboard of a server.
///
/// ```swift
/// for board in try await account.boards() { print(board.id, board.bank, board.periods) }
/// ```
public struct BoardSummary: Sendable, Hashable, Identifiable {
    /// The name, which is the board's id.
    public var id: String
    /// The bank of the exam.
    public var bank: String
    /// The time zone in which its periods begin, as `Europe/Berlin`.
    public var timeZone: String
    /// The periods.
    public var periods: [BoardPeriod]

    /// Creates a summary.
    public init(id: String, bank: String, timeZone: String, periods: [BoardPeriod]) {
        self.id = id
        self.bank = bank
        self.timeZone = timeZone
        self.periods = periods
    }
}

/// A learner's profile on leaderboards.
///
/// ```swift
/// let profile = try await account.boardProfile()
/// print(profile.name ?? "no name", profile.isListed, profile.friendCode)
/// ```
public struct BoardProfile: Sendable, Hashable {
    /// The display name, visible to every learner; `nil` for none.
    public var name: String?
    /// False for a learner who wants to appear on no board.
    public var isListed: Bool
    /// The code, chosen by the server, that friends enter to see the learner.
    public var friendCode: String

    /// Creates a profile.
    public init(name: String?, isListed: Bool, friendCode: String) {
        self.name = name
        self.isListed = isListed
        self.friendCode = friendCode
    }
}
