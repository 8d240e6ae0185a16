package import PostgresDriver

/// The statements of what a user contributes to the review of keys, as the user.
package struct Contributions {
    /// The statement that tells whether the user agreed.
    package static let state: PostgresStatement = """
        SELECT EXISTS (SELECT FROM underway.contributor WHERE account = underway.claim())
            AS contributes
        """

    /// The statement that has the next step look at the user's consents and reports.
    static let change: PostgresStatement =
        "INSERT INTO underway.review_change (member) VALUES (underway.claim())"

    /// The statement that adds first answers of a user who agreed.
    package static func adding(_ answers: [FirstAnswer]) -> PostgresStatement {
        """
        INSERT INTO underway.first_answer_inbox (account, item, response, flags)
        SELECT underway.claim(), * FROM unnest(\(answers.map(\.item))::bigint[],
            \(answers.map(\.response))::text[], \(answers.map { Int16($0.flags) })::smallint[])
        """
    }
}
