import Foundation
import GRDB
import ServiceAPI

/// The accounts in the database: identities, sign-in methods and sessions.
struct AccountStore: Sendable {
    let database: UserDatabase
    let tokens: RefreshTokens
    let journal: RevocationJournal

    /// The columns of an account that each request needs.
    struct Row: Sendable {
        let number: Int64
        let id: String
        /// The least valid generation of access tokens.
        let tokenGeneration: Int64
    }

    // MARK: Accounts

    func make(id: String, now: Date) async throws {
        try await database.write { database in
            _ = try Self.insert(id, tokenGeneration: 0, now, in: database)
        }
    }

    static func insert(
        _ id: String, tokenGeneration: Int64, _ now: Date, in database: Database
    ) throws -> Row {
        let seconds = Int64(now.timeIntervalSince1970)
        try database.execute(
            sql: """
                INSERT INTO account (id, createdAt, lastUsedAt, tokenGeneration)
                VALUES (?, ?, ?, ?)
                """,
            arguments: [id, seconds, seconds, tokenGeneration])
        return Row(number: database.lastInsertedRowID, id: id, tokenGeneration: tokenGeneration)
    }

    /// Returns an account; `nil` when it does not exist or was deleted.
    func account(_ id: String) async throws -> Row? {
        try await database.read { try Self.find(id, in: $0) }
    }

    /// Returns an account, and whether a session of it is open.
    ///
    /// A session that ended has no refresh token left. Tokens of earlier versions name no session.
    func account(_ id: String, session: String) async throws -> (Row, isOpen: Bool)? {
        try await database.read { database in
            guard let row = try Self.find(id, in: database) else { return nil }
            if session.isEmpty { return (row, true) }
            let statement = try database.cachedStatement(
                sql: "SELECT EXISTS (SELECT 1 FROM refreshToken WHERE family = ? AND account = ?)")
            let isOpen = try Bool.fetchOne(statement, arguments: [session, row.number])
            return (row, isOpen ?? false)
        }
    }

    static func find(_ id: String, in database: Database) throws -> Row? {
        let statement = try database.cachedStatement(
            sql: "SELECT number, id, tokenGeneration FROM account WHERE id = ?")
        return try GRDB.Row.fetchOne(statement, arguments: [id]).map {
            Row(number: $0["number"], id: $0["id"], tokenGeneration: $0["tokenGeneration"])
        }
    }

    static func required(_ id: String, in database: Database) throws -> Row {
        guard let row = try find(id, in: database) else { throw UserServiceError.accountIsDeleted }
        return row
    }

    /// Marks an account as deleted: no request finds it from now on, and upkeep removes its rows.
    ///
    /// - Throws: An error of the file system or the database.
    func markDeleted(_ id: String, now: Date) async throws {
        let milliseconds = now.millisecondsSince1970
        try await database.write { database in
            guard let row = try Self.find(id, in: database) else { return }
            try journal.add(.account(id, at: milliseconds))
            try Self.markDeleted(row.number, now: now, in: database)
        }
    }

    /// Renames a deleted account to an id that no token and no request can contain.
    static func markDeleted(_ number: Int64, now: Date, in database: Database) throws {
        try database.execute(
            sql: "UPDATE account SET id = 'deleted ' || number, deletedAt = ? WHERE number = ?",
            arguments: [Int64(now.timeIntervalSince1970), number])
        for table in ["password", "identity", "emailCode"] {
            try database.execute(
                sql: "DELETE FROM \(table) WHERE account = ?", arguments: [number])
        }
    }
}

extension Date {
    var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1000).rounded(.down)) }
}
