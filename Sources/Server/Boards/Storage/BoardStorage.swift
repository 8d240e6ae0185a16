import Ledger
import PostgresDriver
import ServiceAPI
package import Tables
package import UserData

/// The storage of boards and profiles.
///
/// On PostgreSQL any number of processes may use it, one of which refreshes the boards at a time.
package struct BoardStorage: Sendable {
    let database: any TableDatabase
    /// The most changes that one transaction takes.
    let changesMax: Int

    /// Uses a database.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - changesMax: The most changes that one transaction takes: exchanges wait for SQLite's writer meanwhile, about
    ///     20 ms for 1,000.
    package init(_ database: any TableDatabase, changesMax: Int) {
        (self.database, self.changesMax) = (database, changesMax)
    }

    /// Runs a refresher in a transaction of its own.
    ///
    /// - Returns: The refresher's value; `nil` when another one is at work.
    /// - Throws: What `body` throws, or `StorageError`; nothing is written then.
    package func refresh<Value: Sendable>(
        _ body: @escaping @Sendable (BoardTransaction) throws -> Value
    ) async throws -> Value? {
        try await database.write(as: .keeper) { transaction in
            let rows = try transaction.run([DerivedLock.taking()])[0]
            if try rows.first?.value("taken") == false { return nil }
            return try body(BoardTransaction(transaction: transaction))
        }
    }

    // MARK: Definitions

    /// Reads the definitions, in the order of names.
    ///
    /// - Throws: `StorageError`.
    package func definitions() async throws -> [BoardDefinition] {
        try await database.read(as: .keeper) { transaction in
            try transaction.commit(after: [BoardTransaction.definitions()])[0]
                .compactMap { try BoardDefinition(row: $0) }
        }
    }

    /// Adds a definition, or replaces that of its name.
    ///
    /// - Throws: `StorageError`, or `BoardDefinition.ValidationError` for one too many.
    package func set(_ definition: BoardDefinition) async throws {
        try await database.write(as: .keeper) { transaction in
            let count: Int? = try transaction.run([
                Self.defining(["name": definition.name, "text": definition.text]), Self.count(),
            ])[1].first?.value("boards")
            if (count ?? 0) > ServiceLimits.boardsMax {
                throw BoardDefinition.ValidationError.tooMany
            }
        }
    }

    private static let defining = Statement(
        """
        INSERT INTO {board_definition} (name, text) VALUES (:name, :text)
        ON CONFLICT (name) DO UPDATE SET text = excluded.text
        """)

    private static let count = Statement("SELECT count(*) AS boards FROM {board_definition}")

    /// Removes a definition; false when there is none.
    ///
    /// - Throws: `StorageError`.
    package func removeDefinition(_ name: String) async throws -> Bool {
        try await change(Self.undefining(["name": name])).isEmpty == false
    }

    private static let undefining = Statement(
        "DELETE FROM {board_definition} WHERE name = :name RETURNING name AS changed")

    // MARK: Profiles

    /// Reads a profile; `nil` when the account has none.
    ///
    /// - Throws: `StorageError`.
    package func profile(of user: String) async throws -> BoardProfile? {
        try await database.read(as: .user(user)) { transaction in
            try transaction.commit(after: [Self.own()])[0].first.map(BoardProfile.init(row:))
        }
    }

    private static let own = Statement(
        "SELECT name, is_listed, code FROM {board_profile} WHERE account = {me}")

    /// Writes a profile, and notes the change for the boards.
    ///
    /// - Parameters:
    ///   - profile: The profile, whose code is taken only when the account has none.
    ///   - user: The account.
    /// - Returns: The profile with its code.
    /// - Throws: `StorageError`.
    package func set(_ profile: BoardProfile, of user: String) async throws -> BoardProfile {
        try await write(
            profile, of: user, [Self.setting(profile.values), DerivedAccounts.noting()])
    }

    private static let adding = """
        INSERT INTO {board_profile} AS known (account, code, name, is_listed)
        VALUES ({me}, :code, :name, :is_listed) ON CONFLICT (account) DO
        """

    private static let setting = Statement(
        """
        \(adding) UPDATE SET is_listed = excluded.is_listed,
            name = CASE WHEN known.is_name_blocked THEN NULL ELSE excluded.name END
        """)

    /// Adds a profile to an account that has none.
    ///
    /// - Returns: The profile that the account has now.
    /// - Throws: `StorageError`.
    package func addProfile(_ profile: BoardProfile, of user: String) async throws -> BoardProfile {
        try await write(profile, of: user, [Self.addingOnce(profile.values)])
    }

    private static let addingOnce = Statement("\(adding) NOTHING")

    private func write(
        _ profile: BoardProfile, of user: String, _ batch: [Bound]
    ) async throws -> BoardProfile {
        try await database.write(as: .user(user)) { transaction in
            try transaction.commit(after: batch + [Self.own()]).last?.first
                .map(BoardProfile.init(row:)) ?? profile
        }
    }

    /// Removes display names for an operator, and lets their learners choose none until `allowName`.
    ///
    /// - Parameter text: The name exactly as it is shown, or a friend code.
    /// - Returns: The friend codes of the learners who had it.
    /// - Throws: `StorageError`.
    package func removeNames(_ text: String) async throws -> [String] {
        try await change(Self.blocking(["text": text])).sorted()
    }

    private static let blocking = Statement(
        """
        UPDATE {board_profile} SET name = NULL, is_name_blocked = TRUE
        WHERE name IS NOT NULL AND (name = :text OR code = :text) RETURNING code AS changed
        """)

    /// Lets a learner choose a name again; false when that was not forbidden.
    ///
    /// - Parameter code: The friend code.
    /// - Returns: False when there was nothing to allow.
    /// - Throws: `StorageError`.
    package func allowName(of code: String) async throws -> Bool {
        try await change(Self.allowing(["code": code])).isEmpty == false
    }

    private static let allowing = Statement(
        """
        UPDATE {board_profile} SET is_name_blocked = FALSE
        WHERE code = :code AND is_name_blocked RETURNING code AS changed
        """)

    /// Executes a statement of an operator, and returns the texts that it says it changed.
    private func change(_ statement: Bound) async throws -> [String] {
        try await database.write(as: .keeper) { transaction in
            try transaction.commit(after: [statement])[0].map { try $0.value("changed") }
        }
    }

    // MARK: Recounting

    /// Sums the answers of the next account anew, and notes the change for the boards.
    ///
    /// - Parameters:
    ///   - member: The number of the account before; 0 for the first.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: The account's number; `nil` when there is none left.
    /// - Throws: `StorageError`.
    package func recount(after member: Int64, now: Int64) async throws -> Int64? {
        let next = try await database.read(as: .keeper) { transaction in
            try transaction.commit(after: [
                DerivedAccounts.page(["member": member, "limit": 1])
            ])[0].first.map { row in
                (
                    number: try row.value("number", as: Int64.self),
                    user: try row.value("id", as: String.self)
                )
            }
        }
        guard let next else { return nil }
        do {
            try await database.write(as: .user(next.user)) {
                try Self.recount(next.number, now: now, in: $0)
            }
        } catch StorageError.noAccount {
            // Deleted meanwhile: there is nothing to sum.
        }
        return next.number
    }

    private static func recount(
        _ member: Int64, now: Int64, in transaction: TableTransaction
    ) throws {
        var sums: [SessionScore] = []
        func add(_ answers: EncodedAnswers) {
            sums = SessionScore.merged(sums + SessionScore.sums(answers, now: now))
        }
        try transaction.run([])
        switch transaction.connection {
        case .sqlite(let database):
            try SQLiteAnswers(database, member).forEachRun(add)
            try SessionScoreTable(database, member).replace(by: sums)
        case .postgres(let transaction):
            try AnswerLoader.forEachRun(in: transaction, add)
            try transaction.commit(after: SessionSums(sums).replacement)
        }
    }
}

extension BoardProfile {
    fileprivate var values: [String: any TableValue] {
        ["code": friendCode, "name": name, "is_listed": isListed]
    }

    fileprivate init(row: TableRow) throws {
        self.init(
            name: try row.value("name"), isListed: try row.value("is_listed"),
            friendCode: try row.value("code"))
    }
}
