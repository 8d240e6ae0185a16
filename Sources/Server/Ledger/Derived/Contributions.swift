import PostgresDriver
import ServiceAPI
package import Tables

/// The statements of what a user contributes to the review of keys, as the user.
struct Contributions {
    /// The statement that has the next step look at the user's consents and reports.
    static let change: PostgresStatement =
        "INSERT INTO underway.review_change (member) VALUES (underway.claim())"

    /// Returns the statement that adds first answers of a user who agreed, or those that are taken back.
    static func adding(
        _ answers: [FirstAnswer], areRetracted: Bool = false
    ) -> PostgresStatement {
        """
        INSERT INTO underway.first_answer_inbox (account, item, response, flags, is_retracted)
        SELECT underway.claim(), u.*, \(areRetracted) FROM unnest(\(answers.map(\.item))::bigint[],
            \(answers.map(\.response))::text[], \(answers.map { Int16($0.flags) })::smallint[]) u
        """
    }
}

extension TableTransaction {
    /// Adds the user's earlier first answers after consent, up to the limit of one consent.
    ///
    /// It is one transaction, during which all other writers of SQLite wait.
    package func addEarlierAnswers() throws {
        var left = ServiceLimits.firstAnswersPerConsent
        func first(in answers: EncodedAnswers) -> [FirstAnswer] {
            guard left > 0 else { return [] }
            let first = Array(FirstAnswer.all(in: answers).prefix(left))
            left -= first.count
            return first
        }
        switch connection {
        case .sqlite(let database):
            guard let account else { return }
            let table = ContributorTable(database, account)
            try SQLiteAnswers(database, account).forEachRun { try table.add(first(in: $0)) }
        case .postgres(let transaction):
            try AnswerLoader.forEachRun(in: transaction) { answers in
                let first = first(in: answers)
                if !first.isEmpty { try transaction.query(Contributions.adding(first)) }
            }
        }
    }
}
