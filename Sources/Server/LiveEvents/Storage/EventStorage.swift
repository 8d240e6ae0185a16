package import ServiceAPI
package import Tables
import UserData

/// A stored event.
package struct StoredEvent: Sendable, Hashable {
    /// The event's number in its database.
    package var number: Int64
    /// A random identifier, unique among all servers that share a Redis.
    package var id: String
    /// The definition.
    package var definition: EventDefinition
    /// The time at which its final places were stored, in milliseconds since 1970; `nil` before.
    package var frozenAt: Int64?
    /// The number of final places.
    package var places: Int
    /// The server's generation, which changes with a restore.
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
    /// The identifier of its places in a ranking.
    package var key: RankingKey { RankingKey(id: id, epoch: epoch) }
    /// True when its final places are stored.
    package var isFrozen: Bool { frozenAt != nil }
    /// The time of the final places, in seconds since 1970; 0 before.
    var finalTime: Double { Double(frozenAt ?? 0) / 1000 }
}

/// A learner's public data in an event.
package struct EventMember: Sendable, Hashable {
    /// The display name.
    package var name: String?
    /// False for a learner who opted out of a place.
    package var isListed: Bool

    package init(name: String?, isListed: Bool) {
        self.name = name
        self.isListed = isListed
    }
}

/// The decision about a submission, with its event.
package struct EventVerdict: Sendable, Hashable {
    /// The event.
    package var event: StoredEvent
    /// The decision.
    package var decision: EventDecision
    /// False for a learner who opted out of a place; the score is stored anyway.
    package var isListed: Bool

    package init(event: StoredEvent, decision: EventDecision, isListed: Bool) {
        self.event = event
        self.decision = decision
        self.isListed = isListed
    }
}

/// The final places of an event, read from one state of the database.
package struct FinalPlaces: Sendable, Hashable {
    /// A stored place.
    package struct Place: Sendable, Hashable {
        /// The rank, from 1; a deleted account leaves its rank empty.
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
    /// The requesting account's place.
    package var own: Place?

    package init(top: [Place], own: Place?) {
        self.top = top
        self.own = own
    }
}

/// The storage of events.
///
/// Only the database decides which submissions count.
package struct EventStorage: Sendable {
    let database: any TableDatabase

    package init(_ database: any TableDatabase) { self.database = database }

    // MARK: Events

    /// Reads the events, in the order of names.
    ///
    /// - Throws: `StorageError`.
    package func events() async throws -> [StoredEvent] {
        try await database.read(as: .keeper) { transaction in
            try transaction.commit(after: [Self.all()])[0].compactMap { try StoredEvent(row: $0) }
        }
    }

    /// Adds an event, or replaces the one with its name unless that has submissions.
    ///
    /// - Parameters:
    ///   - definition: The definition.
    ///   - id: The random identifier of a new event.
    /// - Throws: `StorageError`, or `EventDefinition.ValidationError`.
    package func set(_ definition: EventDefinition, id: String) async throws {
        try await database.write(as: .keeper) { transaction in
            if let known = try Self.event(definition.name, in: transaction) {
                let found = try transaction.run([
                    Self.exclusively(["event": known.number]),
                    Self.hasSubmissions(["event": known.number]),
                ])[1]
                if try found.first?.value("found") == true {
                    guard known.definition == definition else {
                        throw EventDefinition.ValidationError.hasBegun
                    }
                    return
                }
            }
            let count: Int? = try transaction.run([
                Self.declaring([
                    "id": id, "name": definition.name, "text": definition.text,
                ]), Self.count(),
            ])[1].first?.value("events")
            if (count ?? 0) > ServiceLimits.eventsMax {
                throw EventDefinition.ValidationError.tooMany
            }
        }
    }

    /// Removes an event with its submissions.
    ///
    /// - Returns: The event; `nil` for an unknown name.
    /// - Throws: `StorageError`.
    package func remove(_ name: String) async throws -> StoredEvent? {
        try await database.write(as: .keeper) { transaction in
            guard let row = try transaction.run([Self.named(["name": name])])[0].first else {
                return nil
            }
            let number: Int64 = try row.value("number")
            try transaction.commit(after: [
                Self.exclusively(["event": number]), Self.removing(["event": number]),
            ])
            // One that this version cannot read is removed, too.
            return try StoredEvent(row: row)
        }
    }

    private static func event(
        _ name: String, in transaction: TableTransaction
    ) throws -> StoredEvent? {
        try transaction.run([named(["name": name])])[0].first.flatMap { try StoredEvent(row: $0) }
    }

    // MARK: Submissions

    /// Decides about a submission, and stores it if it counts, in one transaction.
    ///
    /// - Parameters:
    ///   - submission: The submission.
    ///   - name: The event.
    ///   - user: The account.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: The verdict; `nil` for an unknown event.
    /// - Throws: `StorageError`, or `WireError` for more points than the event allows.
    package func submit(
        _ submission: EventSubmission, to name: String, of user: String, now: Int64
    ) async throws -> EventVerdict? {
        try await database.write(as: .user(user), together: true) { transaction in
            let rows = try transaction.run([
                Self.sharing(["name": name]), Self.named(["name": name]),
                Self.standing(["name": name]),
                Self.isKnown(["name": name, "id": submission.id]), Self.isListed(),
            ])
            guard let event = try rows[1].first.flatMap({ try StoredEvent(row: $0) }) else {
                return nil
            }
            let standing = try rows[2].first.map { try EventStanding(row: $0) }
            let decision = try EventDecision(
                submission, to: event,
                after: standing ?? EventStanding(member: transaction.account ?? 0),
                isKnown: try rows[3].first?.value("found") ?? false, now: now)
            let verdict = EventVerdict(
                event: event, decision: decision,
                isListed: try rows[4].first?.value("is_listed") ?? true)
            try transaction.commit(
                after: decision.result == .counted
                    ? [
                        Self.submitting([
                            "event": event.number, "id": submission.id,
                            "points": submission.points, "at": now,
                        ])
                    ] + Self.storing(decision.standing, in: event.number) : [])
            return verdict
        }
    }

    /// Returns the statements that store a score as a visible change.
    ///
    /// None of them fails after another has written, since the transaction may be shared.
    package static func storing(_ standing: EventStanding, in event: Int64) -> [Bound] {
        [
            counting(["event": event]),
            scoring([
                "event": event, "account": standing.member, "score": standing.score,
                "second": standing.second, "submissions": standing.submissions,
            ]),
        ]
    }

    // MARK: Standings

    /// Returns a number not greater than that of any change that is not yet visible.
    ///
    /// A reader that gets it first and then reads all changes since its previous number misses none.
    ///
    /// - Throws: `StorageError`.
    package func cursor(of event: Int64) async throws -> Int64 {
        try await database.read(as: .keeper) { transaction in
            let rows = try transaction.commit(after: [Self.cursor(["event": event])])[0]
            return try rows.first?.value("change") ?? 0
        }
    }

    /// Reads changed standings of listed learners, in the order of their numbers.
    ///
    /// - Parameters:
    ///   - event: The event's number.
    ///   - change: The first change, from `cursor`; 0 for all.
    ///   - member: The last account number of the previous page.
    ///   - limit: The maximum number of standings.
    /// - Returns: The standings; an empty page is the last.
    /// - Throws: `StorageError`.
    package func standings(
        of event: Int64, since change: Int64, after member: Int64, limit: Int
    ) async throws -> [EventStanding] {
        try await database.read(as: .keeper) { transaction in
            try transaction.commit(after: [
                Self.changed([
                    "event": event, "change": change, "member": member, "limit": limit,
                ])
            ])[0].map { try EventStanding(row: $0) }
        }
    }

    /// Reads the public data of learners; a deleted account has no entry.
    ///
    /// - Throws: `StorageError`.
    package func members(_ numbers: [Int64]) async throws -> [Int64: EventMember] {
        guard !numbers.isEmpty else { return [:] }
        return try await database.read(as: .keeper) { transaction in
            let rows = try transaction.commit(after: [Self.members(["numbers": numbers])])[0]
            return Dictionary(
                try rows.map { row in
                    (
                        try row.value("number"),
                        EventMember(
                            name: try row.value("name"), isListed: try row.value("is_listed"))
                    )
                }, uniquingKeysWith: { $1 })
        }
    }

    /// Returns the number of an account.
    ///
    /// - Throws: `StorageError`, including `noAccount`.
    package func member(of user: String) async throws -> Int64 {
        try await database.read(as: .keeper) { transaction in
            try Self.number(in: transaction.commit(after: [Self.member(["user": user])])[0])
        }
    }

    private static func number(in rows: Rows) throws -> Int64 {
        guard let row = rows.first else { throw StorageError.noAccount }
        return try row.value("number")
    }

    /// Reads the standings of a user with the names of their events, for an export.
    ///
    /// - Throws: `StorageError`, including `noAccount`.
    package func standings(
        of user: String
    ) async throws -> [(event: String, standing: EventStanding)] {
        try await database.read(as: .user(user)) { transaction in
            try transaction.commit(after: [Self.exported()])[0].map {
                (try $0.value("name"), try EventStanding(row: $0))
            }
        }
    }

    // MARK: Final places

    /// Stores the final places of all listed learners; does nothing if they are stored.
    ///
    /// - Parameters:
    ///   - event: The event's number.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Throws: `StorageError`.
    package func freeze(_ event: Int64, now: Int64) async throws {
        try await database.write(as: .keeper) { transaction in
            let open = try transaction.run([
                Self.exclusively(["event": event]), Self.isOpen(["event": event]),
            ])[1]
            guard !open.isEmpty else { return }
            try transaction.commit(after: [
                Self.ranking(["event": event]), Self.freezing(["event": event, "now": now]),
            ])
        }
    }

    /// Opens a frozen event again, as after a clock that was ahead; does nothing for an open event.
    ///
    /// - Parameter event: The event's number.
    /// - Throws: `StorageError`.
    package func reopen(_ event: Int64) async throws {
        try await database.write(as: .keeper) { transaction in
            _ = try transaction.commit(after: [
                Self.exclusively(["event": event]), Self.unranking(["event": event]),
                Self.reopening(["event": event]),
            ])
        }
    }

    /// Reads the final places.
    ///
    /// - Parameters:
    ///   - event: The event's number.
    ///   - top: The number of best places to return.
    ///   - user: The requesting account; `nil` for none.
    /// - Returns: The places of learners who are still listed.
    /// - Throws: `StorageError`, including `noAccount`.
    package func finalPlaces(
        of event: Int64, top: Int, for user: String?
    ) async throws -> FinalPlaces {
        try await database.read(as: .keeper) { transaction in
            let best = Self.topPlaces(["event": event, "top": top])
            guard let user else {
                return FinalPlaces(
                    top: try transaction.commit(after: [best])[0].map {
                        try FinalPlaces.Place(row: $0)
                    },
                    own: nil)
            }
            let rows = try transaction.commit(after: [
                Self.member(["user": user]), best, Self.ownPlace(["event": event, "user": user]),
            ])
            _ = try Self.number(in: rows[0])
            return FinalPlaces(
                top: try rows[1].map { try FinalPlaces.Place(row: $0) },
                own: try rows[2].first.map { try FinalPlaces.Place(row: $0) })
        }
    }
}
