package import Accounts
package import Tables

/// Notes of accounts that answered a version with a wrong key, for regrading their answers.
package enum RegradeNotes {
    /// Returns the statement of upkeep that notes those of accounts with answers to such a version; with `orGraded`
    /// also those with stored regrades, which may have become obsolete.
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
    /// The step that notes the target of a move for regrading.
    package static let regrades = MovedRows(finishing: [
        { transaction, _, target in
            try transaction.run([RegradeNotes.noting([target], orGraded: true)])
        }
    ])
}
