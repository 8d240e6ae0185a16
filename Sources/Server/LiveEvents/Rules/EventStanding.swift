package import ServiceAPI
package import UserData

/// A learner's score in an event.
package struct EventStanding: Sendable, Hashable {
    /// The account's number.
    package var member: Int64
    /// The score.
    package var score: Int
    /// The second of the event in which the score was reached; 0 for a score of 0.
    package var second: Int
    /// The number of counted submissions; the newer of two standings has more, see `isNewer`.
    package var submissions: Int
    /// The number of the database change that stored it, or of the previous change.
    package var change: Int64

    package init(
        member: Int64, score: Int = 0, second: Int = 0, submissions: Int = 0, change: Int64 = 0
    ) {
        self.member = member
        self.score = score
        self.second = second
        self.submissions = submissions
        self.change = change
    }

    /// Returns true for a standing that replaces another one of the same learner.
    ///
    /// After merged accounts with equal submissions, the number of submissions is unchanged; the later change is then
    /// newer. Changes compare only within one epoch of the database.
    func isNewer(than other: EventStanding) -> Bool {
        (submissions, change) > (other.submissions, other.change)
    }

    /// The sort key of places: the highest score first, then the earlier second.
    ///
    /// It is exact as a double, the type of a sorted set of Redis: the second is below 2²⁰, the score at most 10⁸.
    ///
    /// | score | second | order |
    /// |---|---|---|
    /// | 0 | 0 | 0 |
    /// | 1 | 7 | 7 − 2²⁰ |
    /// | 2 | 7 | 7 − 2 · 2²⁰ |
    package var order: Int64 { Int64(second) - Int64(score) << 20 }

    /// Returns the score of an order.
    package static func score(of order: Int64) -> Int {
        Int((-order + 1 << 20 - 1) >> 20)
    }

    /// Returns the second of an order.
    package static func second(of order: Int64) -> Int {
        Int(order + Int64(score(of: order)) << 20)
    }
}

/// The decision about a submission, from the state of the database.
package struct EventDecision: Sendable, Hashable {
    /// The verdict.
    package let result: EventReceipt.Result
    /// The learner's standing, including the submission if it counts.
    package let standing: EventStanding

    /// Decides whether a submission counts.
    ///
    /// - Parameters:
    ///   - submission: The submission.
    ///   - event: The event.
    ///   - standing: The learner's standing before the submission.
    ///   - isKnown: True if a submission of the learner with this id was counted before.
    ///   - now: The time of arrival, in milliseconds since 1970.
    /// - Throws: `WireError` for more points than the event allows.
    package init(
        _ submission: EventSubmission, to event: StoredEvent, after standing: EventStanding,
        isKnown: Bool, now: Int64
    ) throws(WireError) {
        let definition = event.definition
        var next = standing
        guard submission.points <= definition.rule.pointsMax else {
            throw WireError("points", "must be from 0 to \(definition.rule.pointsMax)")
        }
        // A repeated request gets the verdict that the lost reply had, also after the end.
        if isKnown {
            result = .duplicate
        } else if now < definition.startsAt * 1000 {
            result = .early
        } else if now >= definition.endsAt * 1000 || event.isFrozen {
            result = .late
        } else if standing.submissions >= definition.rule.submissionsMax {
            result = .tooMany
        } else {
            result = .counted
            next.add(
                submission.points, by: definition.rule,
                second: Int((now - definition.startsAt * 1000) / 1000))
        }
        self.standing = next
    }
}

extension EventStanding {
    /// Counts submissions again, in the order of their arrival.
    ///
    /// - Parameters:
    ///   - member: The account's number.
    ///   - submissions: At least one, with its time of arrival in milliseconds since 1970.
    ///   - definition: The event.
    package init(
        member: Int64, counting submissions: [(points: Int, at: Int64)],
        in definition: EventDefinition
    ) {
        self.init(member: member)
        for submission in submissions {
            add(
                submission.points, by: definition.rule,
                second: Int((submission.at - definition.startsAt * 1000) / 1000))
        }
    }

    fileprivate mutating func add(_ points: Int, by rule: EventRule, second: Int) {
        submissions += 1
        let reached = rule.counts == .sum ? score + points : max(score, points)
        guard reached > score else { return }
        score = reached
        // A clock that goes back does not make a score earlier than the one before it.
        self.second = max(self.second, second)
    }
}
