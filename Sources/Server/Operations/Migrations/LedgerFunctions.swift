/// The functions of an exchange.
///
/// No rule of the ledger is in SQL: the functions read and write what they are given. Their names end in a version, so
/// that two versions of the program can run side by side: a migration adds `_2`, and a later release drops `_1`.
///
/// Plans are generic: with arrays as arguments each statement would be planned anew in each call, which
/// costs more than to execute it. So statements are written for one plan whatever the number of rows:
/// each key is one probe of an index.
enum LedgerFunctions {
    /// All of them, each after those that it calls.
    static let all = [
        entering, opening, reading, refusing, writing, counting, names, appending, answers,
    ]
}
