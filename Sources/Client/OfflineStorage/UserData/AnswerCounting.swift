import Foundation
import GRDB
import QuestionEngine
import UserData

/// The columns of an answer that schedules and statistics need.
struct CountedAnswer {
    var counter: Int64
    var bank: String
    var question: String
    var domain: String?
    var isCorrect: Bool
    var rating: Int?
    var milliseconds: Int64
}

/// The adding of one device's answers to schedules and statistics, in the transaction that saves them.
///
/// An answer that is newer than all others of its question advances the schedule by one step. A late one
/// makes the schedule stale: it is replayed from that question's reviews when it is read.
/// Cost: a few statements a question and day, none an answer.
struct AnswerCounting {
    private let database: Database
    private let user: String
    private let storage: CardStorage
    private let client: (number: Int64, id: ClientID)
    /// The counts of days; `nil` while those of another time zone wait to be counted anew.
    private var days: StudyDays?
    private var schedulers: [String: ReviewScheduler] = [:]

    /// Prepares for the answers of a device that is in `countedClient`.
    init(_ database: Database, user: String, client: (number: Int64, id: ClientID)) throws {
        self.database = database
        self.user = user
        self.client = client
        storage = try CardStorage(database, user: user)
        let hasCards =
            try Bool.fetchOne(
                database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM card WHERE user = ?)"),
                arguments: [user]) ?? false
        let days = StudyDays(database, user: user)
        self.days = try days.prepareToCount(isFirst: !hasCards) ? days : nil
    }

    private struct CardKey: Hashable {
        var bank: String
        var question: String
    }

    /// Adds answers that are in the database and not counted yet.
    mutating func add(_ answers: [CountedAnswer]) throws {
        guard let first = answers.first?.counter, let last = answers.last?.counter else { return }
        let groups = Dictionary(
            grouping: answers, by: { CardKey(bank: $0.bank, question: $0.question) })
        for (key, answers) in groups {
            let sorted = answers.sorted {
                ($0.milliseconds, $0.counter) < ($1.milliseconds, $1.counter)
            }
            var card = try storage.card(of: key.question, in: key.bank, client: client.number)
            try countDays(of: sorted, card)
            try countDomains(of: sorted, card)
            try advance(&card, by: sorted, scheduler(of: key.bank))
        }
        try days?.save()
        try storage.addReviews(of: client, first...last)
    }

    /// Advances a card by answers in the order of time.
    private func advance(
        _ card: inout Card, by answers: [CountedAnswer], _ scheduler: ReviewScheduler?
    ) throws {
        var hasMoved = false
        for answer in answers {
            card.answers += 1
            let place = place(of: answer)
            guard card.last.map({ $0 < place }) ?? true else {
                card.isStale = true
                continue
            }
            card.last = place
            hasMoved = true
            guard let scheduler, !card.isStale else {
                card.isStale = true
                continue
            }
            let review = CardStorage.review(
                answer.milliseconds, isCorrect: answer.isCorrect, rating: answer.rating)
            card.schedule = scheduler.schedule(
                card.schedule, after: review.rating, at: review.date)
        }
        try storage.save(card, lastClient: hasMoved ? client.number : nil)
    }

    private func place(of answer: CountedAnswer) -> Card.Place {
        Card.Place(
            milliseconds: answer.milliseconds, client: client.id, counter: answer.counter)
    }

    /// Returns the scheduler of a bank; `nil` when a version with other formulas stored its settings.
    private mutating func scheduler(of bank: String) throws -> ReviewScheduler? {
        if let scheduler = schedulers[bank] { return scheduler }
        let text = try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT settings FROM scheduling WHERE user = ? AND bank = ?"),
            arguments: [user, bank])
        let scheduler = text.map(SchedulerSettings.scheduler) ?? SchedulerSettings.standard
        schedulers[bank] = scheduler
        return scheduler
    }

    // MARK: Statistics

    /// Counts answers in the order of time, which are new to the database's reviews.
    private mutating func countDays(of answers: [CountedAnswer], _ card: Card) throws {
        guard var days else { return }
        var last: String?
        for answer in answers {
            let day = try days.day(answer.milliseconds)
            var isFirst = day != last
            if isFirst {
                isFirst = try neighbours(of: answer, card).allSatisfy { try days.day($0) != day }
            }
            days.count(day, isCorrect: answer.isCorrect, isFirstOfDay: isFirst)
            last = day
        }
        self.days = days
    }

    /// Returns the moments of the reviews right before and after an answer.
    private func neighbours(of answer: CountedAnswer, _ card: Card) throws -> [Int64] {
        guard let last = card.last else { return [] }
        guard place(of: answer) < last else { return [last.milliseconds] }
        return try storage.neighbours(of: answer.milliseconds, card)
    }

    private func countDomains(of answers: [CountedAnswer], _ card: Card) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO cardDomain (card, domain, answers, correct) VALUES (?, ?, ?, ?)
                ON CONFLICT (card, domain) DO UPDATE SET answers = answers + excluded.answers,
                    correct = correct + excluded.correct
                """)
        for (domain, answers) in Dictionary(grouping: answers, by: { $0.domain ?? "" }) {
            try statement.execute(arguments: [
                card.number, domain, answers.count, answers.count { $0.isCorrect },
            ])
        }
    }
}
