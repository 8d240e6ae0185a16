import AnswerStorage
import Foundation
import GRDB
import QuestionEngine
import UserData

/// A writer of cards and reviews for the counting of a device's answers, by statements that are bound by hand, within a
/// transaction that the caller opened.
struct CardWriter {
    /// An answer as a replay reads it.
    struct Review {
        var card: Int64
        var answer: CountedAnswer
    }

    private let storage: CardStorage
    /// The number of the device in `countedClient`.
    private let client: Int64
    private let selection: BoundStatement
    private let insertion: BoundStatement
    private let update: BoundStatement
    private let domains: BoundStatement

    init(_ storage: CardStorage, client: Int64) throws {
        self.storage = storage
        self.client = client
        selection = try BoundStatement(
            storage.database,
            "SELECT \(CardStorage.columns) FROM card WHERE user = ? AND bank = ? AND question = ?")
        insertion = try BoundStatement(
            storage.database,
            """
            INSERT INTO card (user, bank, question, answers, lastMilliseconds, lastClient,
                lastCounter, phase, step, isStale) VALUES (?, ?, ?, 0, 0, ?, 0, 'new', 0, 0)
            """)
        update = try BoundStatement(
            storage.database,
            """
            UPDATE card SET answers = ?, lastMilliseconds = ?, lastClient = coalesce(?, lastClient),
                lastCounter = ?, phase = ?, step = ?, stability = ?, difficulty = ?,
                lastDay = ?, dueDay = ?, dueMoment = ?, isStale = ?, lapses = ? WHERE number = ?
            """)
        domains = try BoundStatement(
            storage.database,
            """
            INSERT INTO cardDomain (card, domain, answers, correct) VALUES (?, ?, ?, ?)
            ON CONFLICT (card, domain) DO UPDATE SET answers = answers + excluded.answers,
                correct = correct + excluded.correct
            """)
    }

    // MARK: Cards

    /// Finds a card, or adds one without reviews, whose place is given by `save`.
    func card(of question: String, in bank: String) throws -> Card {
        for (index, text) in [storage.user, bank, question].enumerated() {
            try selection.bind(text, at: Int32(index) + 1)
            try insertion.bind(text, at: Int32(index) + 1)
        }
        defer { selection.reset() }
        if try selection.next() { return storage.card(selection) }
        try insertion.bind(client, at: 4)
        try insertion.run()
        return Card(
            number: storage.database.lastInsertedRowID, answers: 0, last: nil, schedule: .new,
            isStale: false)
    }

    /// Writes a card that has at least one review.
    ///
    /// - Parameters:
    ///   - card: The card.
    ///   - hasMoved: True when its newest review is of this device.
    /// - Throws: An error of the database.
    func save(_ card: Card, hasMoved: Bool) throws {
        guard let last = card.last else { return }
        try update.bind(Int64(card.answers), at: 1)
        try update.bind(last.milliseconds, at: 2)
        try hasMoved ? update.bind(client, at: 3) : update.bindNull(at: 3)
        try update.bind(last.counter, at: 4)
        let schedule = card.schedule
        try update.bind(schedule.phase.rawValue, at: 5)
        try update.bind(Int64(schedule.step), at: 6)
        try bind(schedule.memory?.stability, at: 7)
        try bind(schedule.memory?.difficulty, at: 8)
        try bind(schedule.lastDay, at: 9)
        try bind(schedule.dueDay, at: 10)
        try bind(schedule.dueMoment?.timeIntervalSinceReferenceDate, at: 11)
        try update.bind(card.isStale, at: 12)
        try update.bind(Int64(schedule.lapses), at: 13)
        try update.bind(card.number, at: 14)
        try update.run()
    }

    private func bind(_ value: Double?, at place: Int32) throws {
        if let value { try update.bind(value, at: place) } else { try update.bindNull(at: place) }
    }

    private func bind(_ day: LearningDay?, at place: Int32) throws {
        if let day {
            try update.bind(Int64(day.number), at: place)
        } else {
            try update.bindNull(at: place)
        }
    }

    /// Adds answers to the domain of a card.
    func count(_ domain: String, of card: Card, answers: Int64, correct: Int64) throws {
        try domains.bind(card.number, at: 1)
        try domains.bind(domain, at: 2)
        try domains.bind(answers, at: 3)
        try domains.bind(correct, at: 4)
        try domains.run()
    }

    // MARK: Reviews

    /// Many rows share the cost of a step.
    private static let rowsPerInsert = 16
    private static let columnCount = 9

    /// Adds reviews, which are in the order of cards and time.
    func add(_ reviews: [Review]) throws {
        let whole = reviews.count / Self.rowsPerInsert * Self.rowsPerInsert
        try add(reviews[..<whole], rowsPerInsert: Self.rowsPerInsert)
        try add(reviews[whole...], rowsPerInsert: 1)
    }

    private func add(_ reviews: ArraySlice<Review>, rowsPerInsert: Int) throws {
        guard !reviews.isEmpty else { return }
        let values = "(?" + String(repeating: ", ?", count: Self.columnCount - 1) + ")"
        let statement = try BoundStatement(
            storage.database,
            """
            INSERT INTO review (card, milliseconds, client, counter, isCorrect, rating, offsetMinutes,
                day, isStudy) VALUES 
            """
                + Array(repeating: values, count: rowsPerInsert).joined(separator: ", "))
        var place: Int32 = 0
        for review in reviews {
            try bind(review, to: statement, at: place)
            place += Int32(Self.columnCount)
            guard place == rowsPerInsert * Self.columnCount else { continue }
            try statement.run()
            place = 0
        }
    }

    private func bind(_ review: Review, to statement: BoundStatement, at place: Int32) throws {
        let answer = review.answer
        try statement.bind(review.card, at: place + 1)
        try statement.bind(answer.milliseconds, at: place + 2)
        try statement.bind(client, at: place + 3)
        try statement.bind(answer.counter, at: place + 4)
        try statement.bind(answer.isCorrect, at: place + 5)
        if answer.rating == 0 {
            try statement.bindNull(at: place + 6)
        } else {
            try statement.bind(Int64(answer.rating), at: place + 6)
        }
        try statement.bind(Int64(answer.offsetMinutes), at: place + 7)
        try statement.bind(Int64(answer.day.number), at: place + 8)
        try statement.bind(answer.isStudy, at: place + 9)
    }
}

extension CardStorage {
    /// Reads a card from a statement that selects `columns`.
    fileprivate func card(_ statement: BoundStatement) -> Card {
        func number(_ column: Int32) -> Double? {
            statement.isNull(column) ? nil : statement.double(column)
        }
        func day(_ column: Int32) -> LearningDay? {
            statement.isNull(column) ? nil : LearningDay(Int(statement.integer(column)))
        }
        let milliseconds = statement.integer(2)
        return Card(
            number: statement.integer(0), answers: Int(statement.integer(1)),
            last: statement.integer(1) == 0
                ? nil
                : Card.Place(
                    milliseconds: milliseconds,
                    client: clients[statement.integer(3)] ?? ClientID(""),
                    counter: statement.integer(4)),
            schedule: CardSchedule(
                phase: CardSchedule.Phase(rawValue: statement.text(5) ?? "") ?? .new,
                step: Int(statement.integer(6)),
                memory: number(7).map { MemoryState(stability: $0, difficulty: number(8) ?? 1) },
                lastReview: statement.integer(1) == 0 ? nil : Self.date(milliseconds),
                lastDay: day(9), dueDay: day(10),
                dueMoment: number(11).map(Date.init(timeIntervalSinceReferenceDate:)),
                lapses: Int(statement.integer(13))),
            isStale: statement.integer(12) != 0)
    }
}
