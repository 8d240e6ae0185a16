/// The remedies for the faults of an account, as statements for the administrator of its database.
package struct AccountRemedies: Sendable, Hashable {
    /// The kind of database, which determines the names of tables and columns.
    package enum Database: Sendable, Hashable {
        case sqlite
        case postgres
    }

    let database: Database
    let account: Int64

    /// Puts an earlier state in place; devices send what it lacks.
    var restore: String {
        "Restore the last backup, and declare it with `underway db restored`: devices send again what it"
            + " lacks."
    }

    /// Lets the next exchange of the account compute digest, bytes and numbers of records anew.
    var recompute: String {
        switch database {
        case .sqlite: "Run: UPDATE account SET digest = '' WHERE number = \(account);"
        case .postgres:
            "Run as a superuser: UPDATE underway.account SET digest = '' WHERE number = \(account); then"
                + " the next exchange of the account computes it anew."
        }
    }

    /// Lets the next exchange of the account compute the digest of a device's answers anew.
    func recomputeDigest(ofDevice device: Int64) -> String {
        switch database {
        case .sqlite:
            "Run: UPDATE device SET answers_sum = NULL WHERE number = \(device);"
        case .postgres:
            "Run as a superuser: UPDATE underway.device SET answers_sum = NULL WHERE account = \(account)"
                + " AND number = \(device); then the next exchange of the account computes it anew."
        }
    }

    /// Moves the end of the log behind the last record.
    func extend(to position: Int64) -> String {
        let table = database == .sqlite ? "account" : "underway.account"
        let who = database == .sqlite ? "" : " as a superuser"
        return
            "Run\(who): UPDATE \(table) SET position = \(position) WHERE number = \(account); then"
            + " `underway db restored`."
    }

    /// Counts the answers of all devices.
    var countAnswers: String {
        switch database {
        case .sqlite:
            "Run: UPDATE account SET answer_count = (SELECT coalesce(sum(last_answer), 0) FROM device"
                + " WHERE account = \(account)) WHERE number = \(account);"
        case .postgres:
            "Run as a superuser: UPDATE underway.account SET answer_count = (SELECT coalesce(sum(last_answer), 0)"
                + " FROM underway.device WHERE account = \(account)) WHERE number = \(account);"
        }
    }

    /// Makes the sums of answers anew.
    var recount: String {
        switch database {
        case .sqlite:
            "Stop the server, and run with PRAGMA foreign_keys = ON: "
                + ["answered_question", "day_statistics", "domain_statistics"]
                .map { "DELETE FROM \($0) WHERE account = \(account); " }.joined()
                + "UPDATE device SET counted = 0 WHERE account = \(account);"
        case .postgres: "Run as a superuser: SELECT underway.recount_1(\(account));"
        }
    }
}
