/// The tables of the ledger, with the roles' privileges, the policies of rows and the functions of an exchange.
///
/// No rule of the ledger is in SQL: the functions read and write what they are given. Their names end in a version, so
/// that two versions of the program can run side by side: a migration adds `_2`, and a later release drops `_1`.
package enum LedgerMigration {
    /// The first migration.
    package static let ledger = PostgresMigration(
        name: "1 ledger",
        script: [
            accounts, log, answers, sums, ownRows, upkeepRows, erasure, entering, opening, reading,
            writing, refusing, appending, counting, answerReading, statistics,
        ].joined(separator: "\n\n"))
}
