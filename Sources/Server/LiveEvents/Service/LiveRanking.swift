/// The identifier of an event's places in a ranking.
package struct RankingKey: Sendable, Hashable {
    /// The random text of the event.
    package var id: String
    /// The server's generation; places of another generation are not used.
    package var epoch: Int64

    package init(id: String, epoch: Int64) {
        self.id = id
        self.epoch = epoch
    }
}

/// A place in a ranking.
package struct RankedMember: Sendable, Hashable {
    /// The account's number.
    package var member: Int64
    /// The order of its standing.
    package var order: Int64

    package init(member: Int64, order: Int64) {
        self.member = member
        self.order = order
    }
}

/// The rank of a learner in an event.
package struct RankedPlace: Sendable, Hashable {
    /// The rank, from 1; `nil` without a place.
    package var rank: Int?
    /// The order of the learner's standing.
    package var order: Int64?
    /// The number of places.
    package var count: Int

    package init(rank: Int?, order: Int64?, count: Int) {
        self.rank = rank
        self.order = order
        self.count = count
    }
}

/// The best places of an event and the rank of a learner, read at one moment.
package struct RankingReading: Sendable, Hashable {
    /// The best places, in order.
    package var top: [RankedMember]
    /// The learner's place.
    package var own: RankedPlace
    /// The number of a database change; the reading contains all earlier changes.
    package var through: Int64

    package init(top: [RankedMember], own: RankedPlace, through: Int64 = 0) {
        self.top = top
        self.own = own
        self.through = through
    }
}

/// A ranking that is unreachable or rejects writes for now.
package struct RankingUnavailable: Error, Sendable, CustomStringConvertible {
    /// The reason, without values or secrets.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The places of running events: a cache of the database's standings with access by rank.
///
/// Lost places are read from the database again. A standing replaces only an older one of the same learner, so
/// standings may be applied repeatedly and in any order.
package protocol LiveRanking: Sendable {
    /// Applies standings.
    ///
    /// - Returns: The place of the last one; `nil` if the event's places must be built first, and nothing was
    ///   applied.
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func apply(_ standings: [EventStanding], to event: RankingKey) async throws -> RankedPlace?

    /// Reads the best places and a learner's.
    ///
    /// - Returns: The reading; `nil` if the event's places must be built first.
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func read(_ event: RankingKey, top: Int, member: Int64?) async throws -> RankingReading?

    /// Removes learners until a newer standing of theirs is applied.
    ///
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func remove(_ members: [Int64], from event: RankingKey) async throws

    /// Builds an event's places beside the existing ones, and replaces these atomically.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - change: The number of a database change; the pages contain all earlier changes.
    ///   - page: A function that returns the standings after a learner's number; an empty page is the last.
    /// - Returns: False if another process is building them.
    /// - Throws: The error of `page`, `RankingUnavailable`, or `CancellationError`; the places are then unchanged.
    func build(
        _ event: RankingKey, through change: Int64,
        from page: (_ after: Int64) async throws -> [EventStanding]
    ) async throws -> Bool

    /// Records that the places contain all changes before a database change.
    ///
    /// The record is part of the places: an older state of them, as after Redis restarts from its file, has an older
    /// record.
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func note(through change: Int64, of event: RankingKey) async throws

    /// Drops an event's places.
    ///
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func drop(_ event: RankingKey) async throws
}

extension LiveRanking {
    /// Builds places that no follower updates.
    package func build(
        _ event: RankingKey, from page: (_ after: Int64) async throws -> [EventStanding]
    ) async throws -> Bool {
        try await build(event, through: 0, from: page)
    }
}
