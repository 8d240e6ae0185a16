import Ledger
import PostgresDriver
import ServiceAPI
import Tables

extension PostgresCopy {
    /// Returns the query whose columns are those of the table, in the order of its key.
    static func selection(_ table: CopyTable) -> String {
        guard let declared = table.declared else { return answers }
        return declared.copySelection(.postgres, computed: table.name == "device" ? device : [:])
    }

    /// Returns the statement that adds `rows` of a declared table; a device's last answer is written with the answers.
    static func insertion(_ table: Table) -> String {
        table.copyInsertion(
            .postgres, without: table.name == "device" ? ["last_answer"] : [],
            further: further(table))
    }

    /// Returns the column of an account's identity for policies, which only this database has.
    static func further(_ table: Table) -> [Column] {
        table.name == "account" ? table.columns.filter { $0.kind == .uuid } : []
    }

    /// The statements after which a table gives later numbers than those of its rows: no number is given twice.
    ///
    /// They are not undone with the transaction.
    static let numberings = Table.all.filter(\.isCopied).compactMap { table in
        table.columns.first { $0.kind == .identity }.map { column in
            PostgresStatement(
                sql: """
                    SELECT setval(pg_get_serial_sequence('\(table.path(.postgres))', '\(column.name)'),
                        max(\(column.name)))
                    FROM \(table.path(.postgres)) HAVING max(\(column.name)) IS NOT NULL
                    """)
        }
    }

    private static let device = CopyTable.deviceColumns(of: wholeAccounts)

    /// All but the closed accounts whose answers upkeep removes in pieces: after a kill some are left.
    private static let wholeAccounts = """
        SELECT number FROM underway.account whole WHERE id NOT LIKE 'deleted %' OR NOT EXISTS (
            SELECT FROM underway.device one WHERE one.account = whole.number AND last_answer <> (
                SELECT count(*) FROM underway.answer its
                WHERE its.account = one.account AND its.device = one.number))
        """

    /// A credit that follows from the key is written out.
    private static let numbers = AnswerField.allCases.map { field in
        let value =
            field == .credit
            ? "coalesce(a.credit, CASE WHEN a.question IS NOT NULL THEN (a.flags & 1)::double precision END)"
            : field.expression
        return "\(value) AS \"\(field.rawValue)\""
    }.joined(separator: ", ")

    private static let answers = """
        SELECT a.account, d.name AS device, a.counter, (a.question IS NULL)::integer AS is_void,
            q.bank, q.text AS question, v.domain, v.text AS version, s.name AS session, s.mode,
            coalesce(o.text, a.response) AS options, \(numbers)
        FROM underway.answer a
            JOIN underway.device d ON d.account = a.account AND d.number = a.device
            LEFT JOIN underway.own_name v ON v.account = a.account AND v.number = a.question
            LEFT JOIN underway.own_name q ON q.account = v.account AND q.number = v.question
            LEFT JOIN underway.own_name o ON o.account = a.account AND o.number = a.options
            LEFT JOIN underway.session s ON s.account = a.account AND s.number = a.session
        WHERE a.account IN (\(wholeAccounts))
        ORDER BY a.account, d.name, a.counter
        """
}
