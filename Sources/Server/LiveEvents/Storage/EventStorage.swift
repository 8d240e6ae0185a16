package import ServiceAPI
import UserData

/// An event as the database has it.
package struct StoredEvent: Sendable, Hashable {
    /// The number by which other rows refer to it.
    package var number: Int64
    /// A random text, unique among all servers that share a Redis.
    package var id: String
    /// The definition.
    package var definition: EventDefinition
    /// The time at which its places were stored for good, in milliseconds since 1970; `nil` before.
    package var frozenAt: Int64?
    /// The number of places then.
    package var places: Int
    /// The history of the server: after a restore it is another one.
    package var epoch: Int64

    package init(
        number: Int64, id: String, definition: EventDefinition, frozenAt: Int64? = nil,
        places: Int = 0, epoch: Int64 = 0
    ) {
        self.number = number
        self.id = id
        self.epoch = epoch
        self.definition = definition
        self.frozenAt = frozenAt
        self.places = places
    }
}

extension StoredEvent {
    /// The name of its places in a ranking.
    package var key: RankingKey { RankingKey(id: id, epoch: epoch) }
}

/// A learner as others see them in an event.
package struct EventMember: Sendable, Hashable {
    /// The display name.
    package var name: String?
    /// False for a learner who does not want a place.
    package var isListed: Bool

    package init(name: String?, isListed: Bool) {
        self.name = name
        self.isListed = isListed
    }
}

/// A submission's decision with what belongs to it.
package struct EventVerdict: Sendable, Hashable {
    /// The event.
    package var event: StoredEvent
    /// The decision.
    package var decision: EventDecision
    /// False for a learner who does not want a place: the score is stored all the same.
    package var isListed: Bool

    package init(event: StoredEvent, decision: EventDecision, isListed: Bool) {
        self.event = event
        self.decision = decision
        self.isListed = isListed
    }
}

/// The final places of an event, as one state of the database has them.
package struct FinalPlaces: Sendable, Hashable {
    /// A stored place.
    package struct Place: Sendable, Hashable {
        /// The rank, from 1; that of a deleted account stays empty.
        package var rank: Int
        /// The standing.
        package var standing: EventStanding
        /// The display name.
        package var name: String?

        package init(rank: Int, standing: EventStanding, name: String?) {
            self.rank = rank
            self.standing = standing
            self.name = name
        }
    }

    /// The best places.
    package var top: [Place]
    /// The place of the account that asks.
    package var own: Place?

    package init(top: [Place], own: Place?) {
        self.top = top
        self.own = own
    }
}

/// The storage of events: what a database adapter implements.
///
/// The database alone decides what counts.
package protocol EventStorage: Sendable {
    /// Reads the events, in the order of names.
    ///
    /// - Throws: `LedgerError`.
    func events() async throws -> [StoredEvent]

    /// Adds an event, or replaces that of its name while nobody has submitted to it.
    ///
    /// - Parameters:
    ///   - definition: The definition.
    ///   - id: The random text of a new event.
    /// - Throws: `LedgerError`, or `EventDefinition.ValidationError`.
    func set(_ definition: EventDefinition, id: String) async throws

    /// Removes an event with its submissions.
    ///
    /// - Returns: The event; `nil` when there is none.
    /// - Throws: `LedgerError`.
    func remove(_ name: String) async throws -> StoredEvent?

    /// Decides about a submission, and stores it if it counts, in one transaction.
    ///
    /// - Parameters:
    ///   - submission: The submission.
    ///   - name: The event.
    ///   - user: The account.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: The verdict; `nil` when there is no such event.
    /// - Throws: `LedgerError`, or `WireError` for more points than the event allows.
    func submit(
        _ submission: EventSubmission, to name: String, of user: String, now: Int64
    ) async throws -> EventVerdict?

    /// Returns a number not greater than that of any change which is not visible yet.
    ///
    /// A reader that asks for it, then reads all changes since the one before, misses none.
    ///
    /// - Throws: `LedgerError`.
    func cursor(of event: Int64) async throws -> Int64

    /// Reads standings of listed learners that changed, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - event: The event's number.
    ///   - change: The first change, as `cursor` returned it; 0 for all.
    ///   - member: The account's number behind which the page begins.
    ///   - limit: The most standings.
    /// - Returns: The standings; an empty page is the last.
    /// - Throws: `LedgerError`.
    func standings(
        of event: Int64, since change: Int64, after member: Int64, limit: Int
    ) async throws -> [EventStanding]

    /// Reads learners; an account that is deleted has no value.
    ///
    /// - Throws: `LedgerError`.
    func members(_ numbers: [Int64]) async throws -> [Int64: EventMember]

    /// Returns the number of an account.
    ///
    /// - Throws: `LedgerError`, also `noAccount`.
    func member(of user: String) async throws -> Int64

    /// Ranks all listed learners for good; nothing happens when that was done.
    ///
    /// - Parameters:
    ///   - event: The event's number.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Throws: `LedgerError`.
    func freeze(_ event: Int64, now: Int64) async throws

    /// Opens an event again that was frozen, as by a clock that was ahead; nothing happens when it is open.
    ///
    /// - Parameter event: The event's number.
    /// - Throws: `LedgerError`.
    func reopen(_ event: Int64) async throws

    /// Reads the final places.
    ///
    /// - Parameters:
    ///   - event: The event's number.
    ///   - top: The number of the best places.
    ///   - user: The account that asks; `nil` for none.
    /// - Returns: The places of those who are still listed.
    /// - Throws: `LedgerError`, also `noAccount`.
    func finalPlaces(of event: Int64, top: Int, for user: String?) async throws -> FinalPlaces

    /// Reads the standings of a user with the names of their events, for an export.
    ///
    /// - Throws: `LedgerError`, also `noAccount`.
    func standings(of user: String) async throws -> [(event: String, standing: EventStanding)]
}
