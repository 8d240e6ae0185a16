import AnswerStorage
import GRDB
import ServiceAPI
import UserData

/// The stored retractions of a user, judged by `Retractions`, within a transaction that the caller opened.
///
/// A retraction names an answer by the name that its device had, so that of a detached answer is read without its mark.
/// Cost: a few searches a retraction, independent of the number of answers.
struct RetractionStorage {
    let database: Database
    let user: String

    /// An answer or a retraction with its identity.
    typealias Stored = (id: AnswerID, row: AnswerRow)

    // MARK: Judging

    /// Returns those of some answers that are taken back, with their rows.
    func retracted(among targets: some Sequence<AnswerID>) throws -> [Stored] {
        try Set(targets).sorted().compactMap { target in
            guard let answer = try row(target) else { return nil }
            let rule = Retractions(try [(target, answer)] + retractions(of: target))
            return rule.isRetracted(target) ? (target, answer) : nil
        }
    }

    /// Returns the answers of a bank, or of all, that are taken back, each with the retraction that holds.
    ///
    /// Cost: O(retractions of the user).
    func holding(in bank: String? = nil) throws -> [AnswerID: AnswerID] {
        let undos = try stored(
            "FROM retraction JOIN answerRow USING (device, counter)",
            "answerQuestion.bank = coalesce(:bank, answerQuestion.bank)", ["bank": bank])
        let targets = Set(undos.compactMap(\.row.retracts))
        let answers: [Stored] = try targets.compactMap { target in
            try row(target).map { (target, $0) }
        }
        return Retractions(undos + answers).holding
    }

    // MARK: Reading

    /// Returns the numbers of a device's answers in a range that retractions name.
    func targets(of client: ClientID, from first: Int64, through last: Int64) throws -> [AnswerID] {
        let client = ResponseStorage.former(client)
        return try Int64.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT DISTINCT target FROM retraction
                        JOIN answerDevice ON answerDevice.number = retraction.device
                        JOIN answerAccount ON answerAccount.number = answerDevice.account
                    WHERE retraction.client = ? AND target BETWEEN ? AND ? AND user = ?
                    """),
            arguments: [client.text, first, last, user]
        ).map { AnswerID(client: client, number: UInt64($0)) }
    }

    /// Returns the rows of a session, of all banks, with their identities.
    func rows(ofSession session: String) throws -> [Stored] {
        try stored(
            "FROM answerRow", "answerSession.session = :session", ["session": session])
    }

    /// Returns the retractions that name an answer.
    private func retractions(of target: AnswerID) throws -> [Stored] {
        try stored(
            "FROM retraction JOIN answerRow USING (device, counter)",
            "retraction.client = :client AND retraction.target = :number", Self.arguments(target))
    }

    private func row(_ id: AnswerID) throws -> AnswerRow? {
        try stored(
            "FROM answerRow",
            "answerDevice.client IN (:client, ' ' || :client) AND answerRow.counter = :number",
            Self.arguments(id)
        ).first?.row
    }

    private static func arguments(_ id: AnswerID) -> StatementArguments {
        ["client": id.client.text, "number": Int64(id.number)]
    }

    /// Reads rows of the user.
    ///
    /// - Parameters:
    ///   - source: The tables, with `answerRow`.
    ///   - condition: The condition.
    ///   - arguments: The named arguments of the condition.
    /// - Returns: The rows that the server did not reject.
    /// - Throws: An error of the database.
    private func stored(
        _ source: String, _ condition: String, _ arguments: StatementArguments
    ) throws -> [Stored] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT ltrim(answerDevice.client) AS client, answerRow.counter AS counter,
                        \(AnswerSchema.columns)
                    \(source)
                        JOIN answerDevice ON answerDevice.number = answerRow.device
                        JOIN answerAccount ON answerAccount.number = answerDevice.account
                        JOIN answerQuestion ON answerQuestion.number = answerRow.question
                        JOIN answerSession ON answerSession.number = answerRow.session
                            AND answerSession.account = answerAccount.number
                    WHERE answerAccount.user = :user AND \(condition)
                    """),
            arguments: arguments &+ ["user": user]
        ).map { row in
            let id = AnswerID(
                client: ClientID(row["client"]), number: UInt64(row["counter"] as Int64))
            return (id, AnswerRow(row))
        }
    }
}
