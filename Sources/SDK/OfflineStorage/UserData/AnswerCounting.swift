import Foundation
import GRDB
import QuestionEngine
import ServiceAPI
import UserData

/// An answer without its texts, in the order of its card and then of time.
struct CountedAnswer: Comparable {
    /// The index of the card among those of the run.
    var card: Int32
    /// The index of the question in the run.
    var question: Int32
    /// The time at which it counts, see `EffectiveTimes`.
    var milliseconds: Int64
    var counter: Int64
    /// The grade by the stored corrections.
    var isCorrect: Bool
    /// The recall rating from 1 to 4; 0 for none.
    var rating: Int
    /// The minutes by which the device's zone was ahead of UTC then.
    var offsetMinutes: Int
    /// True for the modes that use up the limits of a day, see `EncodedAnswers.Session.isStudy`.
    var isStudy: Bool
    /// The hour at which a day begins.
    var rolloverHour: Int

    /// The answer as a review for the scheduler.
    var review: Review {
        CardStorage.review(
            milliseconds, isCorrect: isCorrect, rating: rating == 0 ? nil : rating,
            offsetMinutes: offsetMinutes)
    }

    /// The learner's day.
    var day: LearningDay {
        LearningClock.day(
            of: CardStorage.date(milliseconds), offsetMinutes: offsetMinutes,
            rolloverHour: rolloverHour)
    }

    static func < (left: CountedAnswer, right: CountedAnswer) -> Bool {
        if left.card != right.card { return left.card < right.card }
        return (left.milliseconds, left.counter) < (right.milliseconds, right.counter)
    }
}

/// The addition of one device's answers to schedules and statistics, in the transaction that saves them.
///
/// An answer that is newer than all others of its question advances the schedule by one step. A late one makes the
/// schedule stale: it is replayed from that question's reviews at the next read.
/// Cost: a few statements a question, and a row an answer.
struct AnswerCounting {
    private let database: Database
    private let user: String
    private let storage: CardStorage
    private let writer: CardWriter
    private let client: (number: Int64, id: ClientID)
    private let rolloverHour: Int
    private var days: StudyDays
    private var schedulers: [String: ReviewScheduler] = [:]

    /// Creates the counting of the answers of a device in `countedClient`.
    init(_ database: Database, user: String, client: (number: Int64, id: ClientID)) throws {
        self.database = database
        self.user = user
        self.client = client
        storage = try CardStorage(database, user: user)
        writer = try CardWriter(storage, client: client.number)
        rolloverHour = try CountedRollover(database: database, user: user).hour()
        days = StudyDays(database, user: user)
    }

    private struct CardKey: Hashable {
        var bank: String
        var question: String
    }

    /// Adds answers that are in the database and not counted yet.
    ///
    /// - Parameters:
    ///   - answers: The answers.
    ///   - times: The time at which each counts, in milliseconds since 1970.
    ///   - first: The number of the first one.
    /// - Throws: An error of the database.
    mutating func add(_ answers: EncodedAnswers, times: [Int64], first: Int64) throws {
        let grades = try CountedGrades(answers, in: database)
        let (keys, rows) = sorted(answers, times, grades, first)
        var reviews: [CardWriter.Review] = []
        reviews.reserveCapacity(rows.count)
        for (card, rows) in try cards(keys, rows) {
            var card = card
            try countDays(of: rows, card)
            try countDomains(of: rows, card, answers)
            try move(&card, by: rows, scheduler(of: keys[Int(rows[rows.startIndex].card)].bank))
            for row in rows { reviews.append(.init(card: card.number, answer: row)) }
        }
        try days.save()
        try writer.add(reviews)
    }

    /// Sorts answers by card and then by time.
    private func sorted(
        _ answers: EncodedAnswers, _ times: [Int64], _ grades: CountedGrades, _ first: Int64
    ) -> (keys: [CardKey], rows: [CountedAnswer]) {
        var keys = EncodedAnswers.Distinct<CardKey>()
        let cards = answers.questions.map {
            keys.index(of: CardKey(bank: $0.bank, question: $0.question))
        }
        var rows: [CountedAnswer] = []
        rows.reserveCapacity(answers.rows.count)
        var zone = ZoneOffsets()
        for (offset, row) in answers.rows.enumerated() {
            guard let row else { continue }
            let grade = grades.grade(row)
            rows.append(
                CountedAnswer(
                    card: cards[Int(row.question)], question: row.question,
                    milliseconds: times[offset], counter: first + Int64(offset),
                    isCorrect: grade.isCorrect, rating: grade.rating,
                    offsetMinutes: row.offsetMinutes.map(Int.init)
                        ?? zone.minutes(at: row.milliseconds),
                    isStudy: answers.sessions[Int(row.session)].isStudy, rolloverHour: rolloverHour)
            )
        }
        rows.sort()
        return (keys.values, rows)
    }

    /// Finds or adds the cards, in the order of their numbers, so that each page of the tables is read
    /// and written once.
    private func cards(
        _ keys: [CardKey], _ rows: [CountedAnswer]
    ) throws -> [(card: Card, rows: ArraySlice<CountedAnswer>)] {
        var groups: [(card: Card, rows: ArraySlice<CountedAnswer>)] = []
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, rows[end].card == rows[start].card { end += 1 }
            let key = keys[Int(rows[start].card)]
            groups.append((try writer.card(of: key.question, in: key.bank), rows[start..<end]))
            start = end
        }
        return groups.sorted { $0.card.number < $1.card.number }
    }

    /// Advances a card by answers in the order of time.
    private func move(
        _ card: inout Card, by answers: ArraySlice<CountedAnswer>, _ scheduler: ReviewScheduler?
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
            card.schedule = scheduler.schedule(card.schedule, after: answer.review)
        }
        try writer.save(card, hasMoved: hasMoved)
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

    /// Counts answers, which are new to the database's reviews.
    private mutating func countDays(
        of answers: ArraySlice<CountedAnswer>, _ card: Card
    ) throws {
        var counted: Set<LearningDay> = []
        for answer in answers {
            let day = answer.day
            var isFirst = counted.insert(day).inserted
            if isFirst, card.last != nil {
                isFirst = try !storage.hasReview(
                    of: card.number, on: day, near: answer.milliseconds)
            }
            days.count(day, isCorrect: answer.isCorrect, isFirstOfDay: isFirst)
        }
    }

    private func countDomains(
        of rows: ArraySlice<CountedAnswer>, _ card: Card, _ answers: EncodedAnswers
    ) throws {
        var domains: [String: (answers: Int64, correct: Int64)] = [:]
        for (question, rows) in Dictionary(grouping: rows, by: \.question) {
            let domain = answers.questions[Int(question)].domain ?? ""
            domains[domain, default: (0, 0)].answers += Int64(rows.count)
            domains[domain, default: (0, 0)].correct += Int64(rows.count { $0.isCorrect })
        }
        for (domain, sum) in domains {
            try writer.count(domain, of: card, answers: sum.answers, correct: sum.correct)
        }
    }
}
