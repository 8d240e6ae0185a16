import GRDB

extension LedgerAccount {
    /// The name of the account's history, as devices see it.
    ///
    /// An operator who restores a backup starts a generation of the whole server, which stands before
    /// the account's own epoch: `2.Yz9…`. Before the first restore there is none.
    /// - Parameters:
    ///   - text: The account's epoch, should it have none yet.
    ///   - database: The writer's, within a transaction.
    /// - Returns: The epoch.
    /// - Throws: An error of the database.
    func epoch(else text: String, in database: Database) throws -> String {
        let known = try String.fetchOne(
            database.cachedStatement(sql: "SELECT epoch FROM account WHERE number = ?"),
            arguments: [number])
        if let known, !known.isEmpty { return try Self.named(known, in: database) }
        return try startEpoch(text, in: database)
    }

    /// Gives this account's history another name, so that each of its devices compares what it has.
    ///
    /// - Returns: The epoch.
    func startEpoch(_ text: String, in database: Database) throws -> String {
        try database.execute(
            sql: "UPDATE account SET epoch = ? WHERE number = ?", arguments: [text, number])
        return try Self.named(text, in: database)
    }

    private static func named(_ text: String, in database: Database) throws -> String {
        let generation = try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM setting WHERE name = 'generation'"))
        return generation.map { "\($0).\(text)" } ?? text
    }
}
