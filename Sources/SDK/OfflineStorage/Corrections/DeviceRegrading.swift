import GRDB
import QuestionEngine
import ServiceAPI

/// The regrading of a user's counted answers by changed corrections, within a transaction that the caller opened.
///
/// Answers that are not counted yet are graded when they are. Cost: a few searches an affected card, and one an
/// affected answer; other answers are not read.
struct DeviceRegrading {
    /// A review of an affected card, with its answer.
    private struct Reviewed {
        var milliseconds: Int64
        var day: Int
        var client: Int64
        var counter: Int64
        var grade: CountedGrade
        var answered: CountedGrade
        var version: String
        var domain: String
        var texts: [String]
    }

    private let database: Database
    private let user: String
    private let bank: String
    private let corrections: GradeCorrections
    private var correctByDay: [Int: Int] = [:]

    init(
        _ database: Database, user: String, bank: String, by corrections: GradeCorrections
    ) {
        self.database = database
        self.user = user
        self.bank = bank
        self.corrections = corrections
    }

    /// Regrades the answers to some versions of questions.
    ///
    /// - Parameter versions: The versions whose corrections changed, by question.
    /// - Throws: An error of the database.
    mutating func run(_ versions: [String: Set<String>]) throws {
        // All answers of such a user are counted anew.
        guard try !CountingProgress(database: database, user: user).mustStartAnew() else { return }
        for (question, versions) in versions.sorted(by: { $0.key < $1.key }) {
            let card = try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT number FROM card WHERE user = ? AND bank = ? AND question = ?"),
                arguments: [user, bank, question])
            if let card { try grade(card, of: question, versions) }
        }
        try saveDays()
    }

    private mutating func grade(
        _ card: Int64, of question: String, _ versions: Set<String>
    ) throws {
        var correctByDomain: [String: Int] = [:]
        var isChanged = false
        for review in try reviews(of: card) where versions.contains(review.version) {
            let grade =
                corrections.grade(
                    of: question, version: review.version, review.texts, review.answered)
                ?? review.answered
            guard grade != review.grade else { continue }
            try save(grade, of: review, card)
            isChanged = true
            guard grade.isCorrect != review.grade.isCorrect else { continue }
            correctByDomain[review.domain, default: 0] += grade.isCorrect ? 1 : -1
            correctByDay[review.day, default: 0] += grade.isCorrect ? 1 : -1
        }
        guard isChanged else { return }
        try database.cachedStatement(sql: "UPDATE card SET isStale = 1 WHERE number = ?")
            .execute(arguments: [card])
        for (domain, correct) in correctByDomain {
            try database.cachedStatement(
                sql: "UPDATE cardDomain SET correct = correct + ? WHERE card = ? AND domain = ?"
            ).execute(arguments: [correct, card, domain])
        }
    }

    // MARK: Reviews

    private func reviews(of card: Int64) throws -> [Reviewed] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT review.milliseconds, review.client, review.counter, review.isCorrect,
                        review.rating, answerRow.isCorrect, answerRow.rating,
                        answerQuestion.version, answerQuestion.domain,
                        CASE typeof(answerRow.response) WHEN 'integer' THEN
                            (SELECT options FROM answerResponse WHERE number = answerRow.response)
                            ELSE answerRow.response END, review.day
                    FROM review
                        JOIN countedClient ON countedClient.number = review.client
                        JOIN answerAccount ON answerAccount.user = countedClient.user
                        JOIN answerDevice ON answerDevice.account = answerAccount.number
                            AND answerDevice.client = countedClient.client
                        JOIN answerRow ON answerRow.device = answerDevice.number
                            AND answerRow.counter = review.counter
                        JOIN answerQuestion ON answerQuestion.number = answerRow.question
                    WHERE review.card = ?
                    """),
            arguments: [card])
        var reviews: [Reviewed] = []
        while let row = try rows.next() {
            let domain: String? = row[8]
            reviews.append(
                Reviewed(
                    milliseconds: row[0], day: row[10], client: row[1], counter: row[2],
                    grade: CountedGrade(isCorrect: row[3], rating: row[4] ?? 0),
                    answered: CountedGrade(isCorrect: row[5], rating: row[6] ?? 0),
                    version: row[7], domain: domain ?? "", texts: StoredTexts.texts(row[9])))
        }
        return reviews
    }

    private func save(_ grade: CountedGrade, of review: Reviewed, _ card: Int64) throws {
        try database.cachedStatement(
            sql: """
                UPDATE review SET isCorrect = ?, rating = ?
                WHERE (card, milliseconds, client, counter) = (?, ?, ?, ?)
                """
        ).execute(arguments: [
            grade.isCorrect, grade.rating == 0 ? nil : grade.rating, card, review.milliseconds,
            review.client, review.counter,
        ])
    }

    // MARK: Days

    /// Corrects the counts of days.
    private func saveDays() throws {
        for (day, correct) in correctByDay {
            try database.cachedStatement(
                sql: "UPDATE studyDay SET correct = correct + ? WHERE user = ? AND day = ?"
            ).execute(arguments: [correct, user, day])
        }
    }
}
