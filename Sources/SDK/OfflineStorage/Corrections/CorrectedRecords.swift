import Foundation
import GRDB
import QuestionEngine

/// The grading of a bank's stored answers as records, within a transaction that the caller opened.
struct CorrectedRecords {
    private let database: Database
    private let user: String
    private let corrections: GradeCorrections

    init(_ database: Database, user: String, bank: String) throws {
        self.database = database
        self.user = user
        corrections = try CorrectionStorage(database: database).corrections(of: bank)
    }

    /// Returns the answers by the corrections that the store knows.
    func regraded(_ records: [AnswerRecord]) throws -> [AnswerRecord] {
        guard !corrections.isEmpty else { return records }
        var policies: [String: ScoringPolicy?] = [:]
        return try records.map { record in
            guard corrections.question(record.questionID, version: record.contentVersion) != nil
            else { return record }
            let policy = try policies[record.sessionID] ?? self.policy(of: record.sessionID)
            policies[record.sessionID] = .some(policy)
            return regraded(record, policy)
        }
    }

    private func regraded(_ record: AnswerRecord, _ policy: ScoringPolicy?) -> AnswerRecord {
        if let policy { return corrections.regraded(record, policy: policy) ?? record }
        guard let new = corrections.regraded(record), new.isCorrect != record.isCorrect else {
            // A part of the credit that an unknown policy gave stays.
            return record
        }
        return new
    }

    /// Returns the scoring policy of a session; `nil` for one that this device does not have.
    private func policy(of session: String) throws -> ScoringPolicy? {
        let text = try String.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT CASE WHEN json_valid(CAST(json AS TEXT))
                        THEN json_extract(CAST(json AS TEXT), '$.policy') END
                    FROM session WHERE user = ? AND id = ?
                    """),
            arguments: [user, session])
        // The format of another version says as little as no session.
        return text.flatMap { try? JSONDecoder().decode(ScoringPolicy.self, from: Data($0.utf8)) }
    }
}
