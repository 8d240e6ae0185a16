public import Foundation

/// A live event: a competition with a start and an end, in which learners see their places at once.
///
/// ```swift
/// for event in try await account.events() where event.state(at: Date()) == .running {
///     print(event.title, "ends at", event.endsAt.formatted())
/// }
/// ```
public struct LiveEvent: Sendable, Hashable, Identifiable {
    /// The phase of an event.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// The event has not begun.
        case upcoming
        /// The event accepts submissions.
        case running
        /// The event is over.
        case ended
    }

    /// The name, which is the event's id.
    public var id: String
    /// The title that learners see.
    public var title: String
    /// The bank of the exam: a language, or a region and an exam separated by a slash.
    public var bank: String
    /// The server time at which submissions begin to count.
    public var startsAt: Date
    /// The server time from which submissions no longer count.
    public var endsAt: Date
    /// The maximum number of points of a submission.
    public var pointsMax: Int
    /// The maximum number of submissions of a learner.
    public var submissionsMax: Int

    /// Creates an event.
    public init(
        id: String, title: String, bank: String, startsAt: Date, endsAt: Date, pointsMax: Int,
        submissionsMax: Int
    ) {
        self.id = id
        self.title = title
        self.bank = bank
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.pointsMax = pointsMax
        self.submissionsMax = submissionsMax
    }

    /// Returns the phase at a time.
    public func state(at now: Date) -> State {
        now < startsAt ? .upcoming : now < endsAt ? .running : .ended
    }
}

/// The places of a live event at a moment.
///
/// ```swift
/// for try await page in account.watch("finals") {
///     print(page.top.map { "\($0.rank). \($0.name ?? "–"): \($0.score)" })
/// }
/// ```
public struct LiveEventPage: Sendable, Hashable {
    /// The name of the event.
    public var event: String
    /// The phase by the server's clock.
    public var state: LiveEvent.State
    /// True when the final places are stored.
    public var isFinal: Bool
    /// The number of learners who submitted.
    public var placeCount: Int
    /// The time at which the server read these places.
    public var asOf: Date
    /// True while the server cannot read newer places; it still accepts submissions.
    public var isStale: Bool
    /// The best places: the highest score first, then the score reached in an earlier second, then the older account.
    public var top: [BoardEntry]
    /// The place of the learner who requests the page; `nil` without one, and in the pages of a watcher.
    public var own: BoardEntry?

    /// Creates a page.
    public init(
        event: String, state: LiveEvent.State, isFinal: Bool = false, placeCount: Int = 0,
        asOf: Date, isStale: Bool = false, top: [BoardEntry] = [], own: BoardEntry? = nil
    ) {
        self.event = event
        self.state = state
        self.isFinal = isFinal
        self.placeCount = placeCount
        self.asOf = asOf
        self.isStale = isStale
        self.top = top
        self.own = own
    }
}

/// The server's verdict on a submission to a live event.
///
/// ```swift
/// let receipt = try await account.submit(points: 30, id: "round-1", to: "finals")
/// if let rank = receipt.rank { print("You are number \(rank) with \(receipt.score) points.") }
/// ```
public struct EventReceipt: Sendable, Hashable {
    /// The verdict.
    public enum Result: String, Sendable, Hashable, CaseIterable {
        /// The points are stored.
        case counted
        /// A submission with this id was counted before; the points of the first one remain.
        case duplicate
        /// The event has not begun.
        case early
        /// The event is over.
        case late
        /// The learner has reached the maximum number of submissions.
        case tooMany
    }

    /// The verdict.
    public var result: Result
    /// The learner's score, with this submission if it was counted.
    public var score: Int
    /// The learner's rank; `nil` without a place, and while the server cannot read places.
    public var rank: Int?
    /// The number of places; `nil` when the rank is.
    public var placeCount: Int?

    /// Creates a verdict.
    public init(result: Result, score: Int, rank: Int? = nil, placeCount: Int? = nil) {
        self.result = result
        self.score = score
        self.rank = rank
        self.placeCount = placeCount
    }
}
