import AnswerStorage
import Tables

extension SQLiteCopy {
    /// Returns the query whose columns are those of the table, in the order of its key.
    static func selection(_ table: CopyTable) -> String {
        guard let declared = table.declared else { return answers }
        return declared.copySelection(.sqlite, computed: table.name == "device" ? device : [:])
    }

    /// The statements that add a row of a declared table, by its name; a device's number is of this database alone.
    static let insertions = CopyTable.all.compactMap(\.declared).reduce(into: [:]) {
        $0[$1.name] = $1.copyInsertion(
            .sqlite, without: $1.name == "device" ? Set(device.keys) : [])
    }

    private static let device = CopyTable.deviceColumns(of: wholeAccounts)

    /// All but the closed accounts whose answers upkeep removes in pieces: after a kill some are left.
    private static let wholeAccounts = """
        SELECT number FROM account AS whole WHERE id NOT GLOB 'deleted *' OR NOT EXISTS (
            SELECT 1 FROM device AS one WHERE one.account = whole.number AND last_answer <> (
                SELECT count(*) FROM answerRow AS its WHERE its.device = one.number))
        """

    private static let answers = """
        SELECT device.account AS account, device.name AS device, answerRow.counter AS counter,
            answerRow.question IS NULL AS is_void, \(AnswerSchema.columns)
        FROM device JOIN answerRow ON answerRow.device = device.number
            LEFT JOIN answerQuestion ON answerQuestion.number = answerRow.question
            LEFT JOIN answerSession ON answerSession.number = answerRow.session
        WHERE device.account IN (\(wholeAccounts))
        ORDER BY device.account, device.name, answerRow.counter
        """
}
