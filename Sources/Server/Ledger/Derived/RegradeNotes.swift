package import Accounts
package import Tables

/// Notes of accounts whose answers are to be graded again, because they answered a version that had a wrong key.
package enum RegradeNotes {
    /// Returns what notes those of accounts that have answers to such a version, as the keeper; with `orGraded` those too
    /// over whose answers a grade is laid, which may hold no longer.
    package static func noting(_ members: [Int64], orGraded: Bool) -> Bound {
        statement(["members": members, "graded": orGraded])
    }

    // SQLite walks the corrected versions, of which there are few, and not all questions of each account.
    private static let statement = Statement(
        sqlite: """
            INSERT INTO {regrade_note} (member)
            SELECT m.value FROM json_each(:members) AS m
            WHERE EXISTS (
                    SELECT 1 FROM {corrected_version} AS named CROSS JOIN answerQuestion AS asked
                    WHERE asked.account = m.value AND asked.bank = named.bank
                        AND asked.question = named.question AND asked.version = named.version)
                OR :graded AND EXISTS (SELECT 1 FROM {regraded_answer} WHERE account = m.value)
            """,
        postgres: """
            INSERT INTO {regrade_note} (member)
            SELECT m.number FROM unnest(:members::bigint[]) AS m (number)
                CROSS JOIN {corrected_version} c
                JOIN {own_name} q ON q.account = m.number AND q.digest = c.digest
                JOIN {own_name} v ON v.account = q.account AND v.kind = 'version'
                    AND v.question = q.number AND v.text = c.version
            UNION
            SELECT r.account FROM {regraded_answer} r
            WHERE :graded AND r.account = ANY (:members)
            """)
}

extension MovedRows {
    /// The grades of the account that stays.
    package static let regrades = MovedRows(finishing: [
        { transaction, _, target in
            try transaction.run([RegradeNotes.noting([target], orGraded: true)])
        }
    ])
}
