import Foundation
import GRDB
import QuestionEngine
import UserData

/// Reads the kept schedules of a bank and makes them ready, within a transaction that the caller opened.
struct ScheduleReading {
    let database: Database
    let user: String
    let bank: String

    // MARK: Reading

    /// The schedules; `nil` when they must be made ready first.
    func schedules(
        by scheduler: ReviewScheduler, settings: String, now: Date
    ) throws -> [String: StudiedQuestion]? {
        guard try CountingProgress(database: database, user: user).isComplete(),
            try keptSettings() == settings
        else { return nil }
        let storage = try CardStorage(database, user: user)
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT \(CardStorage.columns), question FROM card WHERE user = ? AND bank = ?
                    """),
            arguments: [user, bank])
        var studied: [String: StudiedQuestion] = [:]
        while let row = try rows.next() {
            let card = storage.card(row)
            guard !card.isStale else { return nil }
            let question: String = row[11]
            studied[question] = StudiedQuestion(
                question: question, answerCount: card.answers,
                schedule: try schedule(card, by: scheduler, storage, now: now))
        }
        return studied
    }

    /// A clock that was ahead gave an answer a date after `now`: then the replay depends on `now`.
    private func schedule(
        _ card: Card, by scheduler: ReviewScheduler, _ storage: CardStorage, now: Date
    ) throws -> CardSchedule {
        guard let lastReview = card.schedule.lastReview, lastReview > now else {
            return card.schedule
        }
        return scheduler.replay(try storage.reviews(of: card), now: now)
    }

    private func keptSettings() throws -> String {
        try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT settings FROM scheduling WHERE user = ? AND bank = ?"),
            arguments: [user, bank]) ?? SchedulerSettings(SchedulerSettings.standard).text
    }

    func done(since moment: Date) throws -> DueQueue.Done {
        let start = Int64((moment.timeIntervalSince1970 * 1000).rounded(.up))
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT answers, (SELECT count(*) FROM review
                    WHERE review.card = card.number AND review.milliseconds >= :start)
                FROM card WHERE user = :user AND bank = :bank AND lastMilliseconds >= :start
                """,
            arguments: ["start": start, "user": user, "bank": bank])
        var done = DueQueue.Done()
        while let row = try rows.next() {
            let (all, since): (Int, Int) = (row[0], row[1])
            done.newCards += all == since ? 1 : 0
            done.reviews += all == since ? since - 1 : since
        }
        return done
    }

    // MARK: Making ready

    /// Makes one bounded step towards schedules that can be read.
    func makeReady(by scheduler: ReviewScheduler, settings: String) throws {
        let progress = CountingProgress(database: database, user: user)
        if try progress.step() { return }
        if try keptSettings() != settings {
            try database.execute(
                sql: "INSERT OR REPLACE INTO scheduling (user, bank, settings) VALUES (?, ?, ?)",
                arguments: [user, bank, settings])
            try database.execute(
                sql: "UPDATE card SET isStale = 1 WHERE user = ? AND bank = ?",
                arguments: [user, bank])
        }
        try replayStale(by: scheduler)
    }

    /// Replays questions until about as many answers were read as one transaction may hold.
    private func replayStale(by scheduler: ReviewScheduler) throws {
        let storage = try CardStorage(database, user: user)
        let stale = try Row.fetchAll(
            database,
            sql: """
                SELECT \(CardStorage.columns) FROM card WHERE user = ? AND bank = ? AND isStale
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
