package import Accounts
package import GRDB
package import PostgresDriver

/// Notes of accounts whose answers are to be graded again, because they answered a version that had a wrong key.
package enum RegradeNotes {
    /// Notes those of accounts that have answers to such a version; with `orGraded` those too over whose answers a grade
    /// is laid, which may hold no longer.
    package static func write(
        _ members: [Int64], orGraded: Bool, in database: Database
    ) throws {
        // The statement would walk all questions of each account to find that none was corrected.
        let hasCorrections = "SELECT EXISTS (SELECT 1 FROM corrected_version)"
        guard try orGraded || Bool.fetchOne(database.cachedStatement(sql: hasCorrections)) == true
        else { return }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO regrade_note (member)
                SELECT :member WHERE EXISTS (
                    SELECT 1 FROM corrected_version AS named JOIN answerQuestion AS asked
                        ON asked.account = :member AND asked.bank = named.bank
                        AND asked.question = named.question AND asked.version = named.version)
                    OR :orGraded AND EXISTS (
                        SELECT 1 FROM regraded_answer WHERE account = :member)
                """)
        for member in members {
            try statement.execute(arguments: ["member": member, "orGraded": orGraded])
        }
    }

    /// The statement that notes them in PostgreSQL, as the keeper.
    package static func statement(_ members: [Int64], orGraded: Bool) -> PostgresStatement {
        """
        INSERT INTO underway.regrade_note (member)
        SELECT m.number FROM unnest(\(members)::bigint[]) AS m (number)
            CROSS JOIN underway.corrected_version c
            JOIN underway.own_name q ON q.account = m.number AND q.digest = c.digest
            JOIN underway.own_name v ON v.account = q.account AND v.kind = 'version'
                AND v.question = q.number AND v.text = c.version
        UNION
        SELECT r.account FROM underway.regraded_answer r
        WHERE \(orGraded)::boolean AND r.account = ANY (\(members)::bigint[])
        """
    }
}

extension MovedRows<Database> {
    /// The grades of the account that stays.
    package static var regrades: MovedRows<Database> {
        MovedRows(finishing: [{ try RegradeNotes.write([$2], orGraded: true, in: $0) }])
    }
}

extension MovedRows<PostgresTransaction> {
    /// The grades of the account that stays.
    package static var regrades: MovedRows<PostgresTransaction> {
        MovedRows(finishing: [{ try $0.query(RegradeNotes.statement([$2], orGraded: true)) }])
    }
}
