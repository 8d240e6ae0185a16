import Foundation
import GRDB
import QuestionEngine

/// The reading and updating of a bank's stored schedules, within a transaction that the caller opened.
struct ScheduleLoader {
    let database: Database
    let user: String
    let bank: String

    // MARK: Reading

    /// Returns the schedules; `nil` when they must be updated first.
    func schedules(
        by scheduler: ReviewScheduler, settings: String, now: Date
    ) throws -> [String: StudiedQuestion]? {
        guard try CountingProgress(database: database, user: user).isComplete(),
            try storedSettings() == settings
        else { return nil }
        let cards = try cards()
        guard !cards.contains(where: \.card.isStale) else { return nil }
        return try studied(cards, by: scheduler, now: now) { _ in true }
    }

    /// Returns the schedules by the counted answers, replayed if the stored ones are not valid.
    func countedSchedules(
        by scheduler: ReviewScheduler, settings: String, now: Date
    ) throws -> [String: StudiedQuestion] {
        let isStored = try storedSettings() == settings
        return try studied(cards(), by: scheduler, now: now) { isStored && !$0.isStale }
    }

    /// Returns the cards with an answer that holds.
    private func cards() throws -> [(question: String, card: Card)] {
        let storage = try CardStorage(database, user: user)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT \(CardStorage.columns), question FROM card
                    WHERE user = ? AND bank = ? AND answers > 0
                    """),
            arguments: [user, bank])
        var cards: [(question: String, card: Card)] = []
        while let row = try rows.next() { cards.append((row[14], storage.card(row))) }
        return cards
    }

    /// Returns the number of answers to each question with a retracted one, which the learner saw too.
    func exposures() throws -> [String: Int] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT question, answers + retracted FROM card
                    WHERE user = ? AND bank = ? AND retracted > 0
                    """),
            arguments: [user, bank]
        ).reduce(into: [:]) { $0[$1[0]] = $1[1] }
    }

    private func studied(
        _ cards: [(question: String, card: Card)], by scheduler: ReviewScheduler, now: Date,
        holds: (Card) -> Bool
    ) throws -> [String: StudiedQuestion] {
        let storage = try CardStorage(database, user: user)
        var studied: [String: StudiedQuestion] = [:]
        for (question, card) in cards {
            let schedule =
                holds(card)
                ? try schedule(card, by: scheduler, storage, now: now)
                : scheduler.replay(try storage.reviews(of: card), now: now)
            studied[question] = StudiedQuestion(
                question: question, answerCount: card.answers,
                schedule: scheduler.fuzzed(
                    schedule, card: question, reviewCount: card.answers))
        }
        return studied
    }

    /// Returns the stored schedule, or a replay if a clock that was ahead dated an answer after `now`.
    private func schedule(
        _ card: Card, by scheduler: ReviewScheduler, _ storage: CardStorage, now: Date
    ) throws -> CardSchedule {
        guard let lastReview = card.schedule.lastReview, lastReview > now else {
            return card.schedule
        }
        return scheduler.replay(try storage.reviews(of: card), now: now)
    }

    private func storedSettings() throws -> String {
        try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT settings FROM scheduling WHERE user = ? AND bank = ?"),
            arguments: [user, bank]) ?? SchedulerSettings(SchedulerSettings.standard).text
    }

    // MARK: Updating

    /// Updates a bounded part of the schedules; the last call leaves all readable.
    func update(by scheduler: ReviewScheduler, settings: String) throws {
        let progress = CountingProgress(database: database, user: user)
        if try progress.step() { return }
        if try storedSettings() != settings {
            try database.execute(
                sql: "INSERT OR REPLACE INTO scheduling (user, bank, settings) VALUES (?, ?, ?)",
                arguments: [user, bank, settings])
            try database.execute(
                sql: "UPDATE card SET isStale = 1 WHERE user = ? AND bank = ?",
                arguments: [user, bank])
        }
        try replayStale(by: scheduler)
    }

    /// Replays stale schedules, up to about `CountingProgress.answersPerStep` answers.
    private func replayStale(by scheduler: ReviewScheduler) throws {
        let storage = try CardStorage(database, user: user)
        let stale = try Row.fetchAll(
            database,
            sql: """
                SELECT \(CardStorage.columns) FROM card
                WHERE user = ? AND bank = ? AND isStale AND answers > 0
                """,
            arguments: [user, bank]
        ).map(storage.card)
        var answers = 0
        for var card in stale {
            guard answers < CountingProgress.answersPerStep else { return }
            answers += card.answers
            card.schedule = scheduler.replay(try storage.reviews(of: card), now: .distantFuture)
            card.isStale = false
            try storage.save(card)
        }
    }
}
