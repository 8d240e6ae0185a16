import Ledger
import PostgresDriver
import ServiceAPI
package import Tables
package import UserData

/// The storage of boards and profiles.
///
/// Any number of processes may use it on PostgreSQL; one of them at a time refreshes the boards.
package struct BoardStorage: Sendable {
    let database: any TableDatabase
    /// The most changes that one transaction takes.
    let changesMax: Int

    /// Creates a storage over a database.
    ///
    /// - Parameters:
    ///   - database: The database.
    ///   - changesMax: The maximum number of changes in a transaction, during which exchanges wait for SQLite's
    ///     writer: about 20 ms for 1,000.
    package init(_ database: any TableDatabase, changesMax: Int) {
        (self.database, self.changesMax) = (database, changesMax)
    }

    /// Runs a refresh in a transaction of its own.
    ///
    /// - Returns: The result of `body`; `nil` if another refresh is running.
    /// - Throws: The error of `body`, or `StorageError`; then nothing is written.
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

    /// Adds a definition, or replaces the one with its name.
    ///
    /// - Throws: `StorageError`, or `BoardDefinition.ValidationError` above the maximum number (remove a board
    ///   first).
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

    /// Removes a definition; returns false if there is none.
    ///
    /// - Throws: `StorageError`.
    package func removeDefinition(_ name: String) async throws -> Bool {
        try await change(Self.undefining(["name": name])).isEmpty == false
    }

    private static let undefining = Statement(
        "DELETE FROM {board_definition} WHERE name = :name RETURNING name AS changed")

    // MARK: Profiles

    /// Reads a profile; `nil` if the account has none.
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
    ///   - profile: The profile; its code applies only if the account has none.
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

    /// Adds a profile to an account without one.
    ///
    /// - Returns: The current profile of the account.
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

    /// Removes display names for an operator, and blocks new names of their learners until `allowName`.
    ///
    /// - Parameter text: The name exactly as shown, or a friend code.
    /// - Returns: The friend codes of the learners with that name.
    /// - Throws: `StorageError`.
    package func removeNames(_ text: String) async throws -> [String] {
        try await change(Self.blocking(["text": text])).sorted()
    }

    private static let blocking = Statement(
        """
        UPDATE {board_profile} SET name = NULL, is_name_blocked = TRUE
        WHERE name IS NOT NULL AND (name = :text OR code = :text) RETURNING code AS changed
        """)

    /// Allows a learner to choose a name again.
    ///
    /// - Parameter code: The friend code.
    /// - Returns: False if the learner was not blocked.
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

    /// Recomputes the sums of the next account's answers, and notes the change for the boards.
    ///
    /// - Parameters:
    ///   - member: The number of the previous account; 0 for the first.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Returns: The account's number; `nil` after the last account.
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
