import Foundation
import GRDB
import QuestionEngine
import UserData

/// A question of a bank with its schedule, computed from its reviews.
struct Card {
    /// The position of an answer in the order of a replay: by time, then by device, then by number.
    struct Place: Comparable {
        var milliseconds: Int64
        var client: ClientID
        var counter: Int64

        static func < (left: Place, right: Place) -> Bool {
            if left.milliseconds != right.milliseconds {
                return left.milliseconds < right.milliseconds
            }
            return (left.client, left.counter) < (right.client, right.counter)
        }
    }

    let number: Int64
    var answers: Int
    /// The place of the newest answer; `nil` before the first.
    var last: Place?
    var schedule: CardSchedule
    /// True when the schedule must be replayed before it is read.
    var isStale: Bool
}

/// The storage of cards and reviews, within a transaction that the caller opened.
struct CardStorage {
    let database: Database
    let user: String
    /// The numbers of the user's devices in `review` and `card`.
    let clients: [Int64: ClientID]

    init(_ database: Database, user: String) throws {
        self.database = database
        self.user = user
        let statement = try database.cachedStatement(
            sql: "SELECT number, client FROM countedClient WHERE user = ?")
        var clients: [Int64: ClientID] = [:]
        let rows = try Row.fetchCursor(statement, arguments: [user])
        while let row = try rows.next() { clients[row[0]] = ClientID(row[1]) }
        self.clients = clients
    }

    /// The columns that `card(_:)` reads, in its order.
    static let columns = """
        number, answers, lastMilliseconds, lastClient, lastCounter, phase, step, stability,
        difficulty, lastDay, dueDay, dueMoment, isStale, lapses
        """

    func card(_ row: Row) -> Card {
        let milliseconds: Int64 = row[2]
        let stability: Double? = row[7]
        let (lastDay, dueDay): (Int?, Int?) = (row[9], row[10])
        let dueMoment: Double? = row[11]
        return Card(
            number: row[0], answers: row[1],
            last: row[1] == 0
                ? nil
                : Card.Place(
                    milliseconds: milliseconds, client: clients[row[3]] ?? ClientID(""),
                    counter: row[4]),
            schedule: CardSchedule(
                phase: CardSchedule.Phase(rawValue: row[5]) ?? .new, step: row[6],
                memory: stability.map { MemoryState(stability: $0, difficulty: row[8] ?? 1) },
                lastReview: row[1] == 0 ? nil : Self.date(milliseconds),
                lastDay: lastDay.map(LearningDay.init(_:)),
                dueDay: dueDay.map(LearningDay.init(_:)),
                dueMoment: dueMoment.map(Date.init(timeIntervalSinceReferenceDate:)),
                lapses: row[13]),
            isStale: row[12])
    }

    /// Converts milliseconds by the same formula as an `AnswerRecord`, to the bit.
    static func date(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// Writes a card that has at least one review.
    func save(_ card: Card) throws {
        guard let last = card.last else { return }
        let schedule = card.schedule
        try database.cachedStatement(
            sql: """
                UPDATE card SET answers = ?, lastMilliseconds = ?, lastCounter = ?, phase = ?,
                    step = ?, stability = ?, difficulty = ?, lastDay = ?, dueDay = ?, dueMoment = ?,
                    lapses = ?, isStale = ? WHERE number = ?
                """
        ).execute(arguments: [
            card.answers, last.milliseconds, last.counter, schedule.phase.rawValue,
            schedule.step, schedule.memory?.stability, schedule.memory?.difficulty,
            schedule.lastDay?.number, schedule.dueDay?.number,
            schedule.dueMoment?.timeIntervalSinceReferenceDate, schedule.lapses, card.isStale,
            card.number,
        ])
    }

    /// Reviews of one learner's day are closer: a day is 24 hours, and zones differ by 36 at most.
    private static let dayWidthMilliseconds: Int64 = 60 * 60 * 60 * 1000

    /// Returns true if a card has a review on the learner's day of a moment.
    func hasReview(of card: Int64, on day: LearningDay, near milliseconds: Int64) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM review
                        WHERE card = ? AND milliseconds BETWEEN ? AND ? AND day = ?)
                    """),
            arguments: [
                card, milliseconds - Self.dayWidthMilliseconds,
                milliseconds + Self.dayWidthMilliseconds, day.number,
            ]) ?? false
    }

    /// Returns the place and the device of the newest review of a card; `nil` when it has none.
    func newestReview(ofCard card: Int64) throws -> (place: Card.Place, client: Int64)? {
        let rows = try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT milliseconds, client, counter FROM review
                    WHERE card = :card AND milliseconds =
                        (SELECT max(milliseconds) FROM review WHERE card = :card)
                    """),
            arguments: ["card": card])
        return rows.map { row -> (place: Card.Place, client: Int64) in
            let place = Card.Place(
                milliseconds: row[0], client: clients[row[1]] ?? ClientID(""), counter: row[2])
            return (place, row[1])
        }.max { $0.place < $1.place }
    }

    /// Returns the reviews of a card in the order of a replay.
    func reviews(of card: Card) throws -> [Review] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT milliseconds, client, counter, isCorrect, rating, offsetMinutes FROM review
                WHERE card = ?
                ORDER BY milliseconds
                """)
        var reviews: [(place: Card.Place, review: Review)] = []
        reviews.reserveCapacity(card.answers)
        let rows = try Row.fetchCursor(statement, arguments: [card.number])
        while let row = try rows.next() {
            let place = Card.Place(
                milliseconds: row[0], client: clients[row[1]] ?? ClientID(""), counter: row[2])
            let review = Self.review(
                place.milliseconds, isCorrect: row[3], rating: row[4], offsetMinutes: row[5])
            reviews.append((place, review))
        }
        // Equal times of two devices are in the order of their numbers here, not of their names.
        reviews.sort { $0.place < $1.place }
        return reviews.map(\.review)
    }

    static func review(
        _ milliseconds: Int64, isCorrect: Bool, rating: Int?, offsetMinutes: Int
    ) -> Review {
        Review(
            rating.flatMap(Rating.init) ?? Rating(isCorrect: isCorrect), at: date(milliseconds),
            offsetMinutes: offsetMinutes)
    }
}
