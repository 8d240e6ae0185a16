/// The name of an event's places in a ranking.
package struct RankingKey: Sendable, Hashable {
    /// The random text of the event.
    package var id: String
    /// The history of the server's database: places of another one are not used.
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

/// The best places of an event and the rank of a learner, at one moment.
package struct RankingReading: Sendable, Hashable {
    /// The best places in order.
    package var top: [RankedMember]
    /// The learner's place.
    package var own: RankedPlace
    /// The change of the database before which nothing is missing.
    package var through: Int64

    package init(top: [RankedMember], own: RankedPlace, through: Int64 = 0) {
        self.top = top
        self.own = own
        self.through = through
    }
}

/// A ranking cannot be reached, or does not accept writes, for now.
package struct RankingUnavailable: Error, Sendable, CustomStringConvertible {
    /// The reason, without a value or a secret.
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// The places of running events: a cache of the standings in the database that answers by rank.
///
/// Whatever it forgets is read from the database again. A standing replaces an older one of the same learner only, so that
/// standings may be applied repeatedly and in any order.
package protocol LiveRanking: Sendable {
    /// Applies standings.
    ///
    /// - Returns: The place of the last one; `nil` when the event's places must be built first, and nothing was applied.
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func apply(_ standings: [EventStanding], to event: RankingKey) async throws -> RankedPlace?

    /// Reads the best places and a learner's.
    ///
    /// - Returns: The reading; `nil` when the event's places must be built first.
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func read(_ event: RankingKey, top: Int, member: Int64?) async throws -> RankingReading?

    /// Removes learners, until a newer standing of theirs is applied.
    ///
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func remove(_ members: [Int64], from event: RankingKey) async throws

    /// Builds an event's places beside those that there are, and replaces these at once.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - change: The change of the database before which nothing is missing in what `page` returns.
    ///   - page: A function that returns the standings behind a learner's number; an empty page is the last.
    /// - Returns: False when another process builds them.
    /// - Throws: What `page` throws, `RankingUnavailable`, or `CancellationError`; the places are as before.
    func build(
        _ event: RankingKey, through change: Int64,
        from page: (_ after: Int64) async throws -> [EventStanding]
    ) async throws -> Bool

    /// Notes that nothing is missing before a change of the database.
    ///
    /// The note is a part of the places: those of an older state, as after the restart of a Redis from its file, have
    /// an older note.
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func note(through change: Int64, of event: RankingKey) async throws

    /// Forgets an event's places.
    ///
    /// - Throws: `RankingUnavailable`, or `CancellationError`.
    func drop(_ event: RankingKey) async throws
}

extension LiveRanking {
    /// Builds places that nobody follows.
    package func build(
        _ event: RankingKey, from page: (_ after: Int64) async throws -> [EventStanding]
    ) async throws -> Bool {
        try await build(event, through: 0, from: page)
    }
}
