import GRDB
import QuestionEngine
import ServiceAPI

/// The cards of a bank that were studied on a learner's day, within a transaction that the caller opened.
///
/// Only answers of study sessions use up the limits of a day: exams and placement tests do not.
struct StudiedDay {
    let database: Database
    let user: String
    let bank: String
    let day: LearningDay
    /// The wall clock in milliseconds since 1970: an answer dated later counts as given on the day; `Int64.max` for none.
    let now: Int64

    init(
        _ database: Database, user: String, bank: String, day: LearningDay, now: Int64 = .max
    ) {
        (self.database, self.user, self.bank) = (database, user, bank)
        (self.day, self.now) = (day, now)
    }

    /// Counts the new and the reviewed cards.
    ///
    /// A card is new if its first answer is of the day and of study. It was reviewed if it has an answer of study of the
    /// day, and an answer of an earlier day.
    func usage() throws -> DueQueue.Usage {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT count(*) FILTER (WHERE firstDay = :day AND isFirstStudy) AS new,
                    count(*) FILTER (WHERE firstDay < :day) AS reviewed
                FROM (SELECT min(\(Self.shownDay)) AS firstDay,
                        (SELECT isStudy FROM review AS earliest WHERE earliest.card = card.number
                            ORDER BY milliseconds, client, counter LIMIT 1) AS isFirstStudy,
                        max(\(Self.isStudied)) AS isStudied
                    FROM card JOIN review ON review.card = card.number
                    WHERE user = :user AND bank = :bank AND \(Self.isNear)
                    GROUP BY card.number)
                WHERE isStudied
                """, arguments: arguments)
        return DueQueue.Usage(newCards: row?["new"] ?? 0, reviews: row?["reviewed"] ?? 0)
    }

    /// Returns the questions that were studied on the day.
    func questions() throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: """
                SELECT DISTINCT question FROM card JOIN review ON review.card = card.number
                WHERE user = :user AND bank = :bank AND \(Self.isStudied)
                """, arguments: arguments)
    }

    /// Returns the questions that were answered wrongly on the day or the days before it and not right on the day since,
    /// the newest first.
    ///
    /// - Parameters:
    ///   - days: The number of days, with the day.
    ///   - limit: The maximum number of questions.
    /// - Returns: The ids of the questions.
    /// - Throws: An error of the database.
    func missed(days: Int, limit: Int) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT question FROM card JOIN review ON review.card = card.number
                WHERE user = :user AND bank = :bank AND NOT isCorrect
                    AND \(Self.shownDay) BETWEEN :first AND :day AND NOT \(Self.isMended)
                GROUP BY card.number
                ORDER BY max(review.milliseconds) DESC, question LIMIT :limit
                """,
            arguments: [
                "user": user, "bank": bank, "now": now, "day": day.number,
                "first": (day + (1 - days)).number, "limit": limit,
            ])
    }

    private var arguments: StatementArguments {
        ["day": day.number, "user": user, "bank": bank, "now": now]
    }

    private static let shownDay =
        "(CASE WHEN review.milliseconds > :now THEN :day ELSE review.day END)"
    /// True for a review after which its question was answered right on the day.
    private static let isMended = """
        EXISTS (SELECT 1 FROM review AS later WHERE later.card = card.number AND later.isCorrect
            AND (later.day = :day OR later.milliseconds > :now)
            AND (later.milliseconds, later.client, later.counter)
                > (review.milliseconds, review.client, review.counter))
        """
    private static let isStudied = "(isStudy AND \(shownDay) = :day)"
    /// The cards with an answer of the day.
    private static let isNear = """
        EXISTS (SELECT 1 FROM review AS other WHERE other.card = card.number
            AND (other.day = :day OR other.milliseconds > :now))
        """
}

extension EncodedAnswers.Session {
    /// True for the modes whose answers use up the limits of a day: study, and repeats within it.
    var isStudy: Bool { mode == SessionMode.study.rawValue || mode == "repeat" }
}
