import Foundation
import GRDB

/// Reads what a decision about an account needs to see.
struct AccountReader {
    private let database: Database
    private let keys: AccountReadSet
    private let journal: RevocationJournal

    init(_ database: Database, _ keys: AccountReadSet, _ journal: RevocationJournal) {
        self.database = database
        self.keys = keys
        self.journal = journal
    }

    /// Reads the snapshot; statements that the keys do not ask for are not run.
    func read() throws -> AccountSnapshot {
        var snapshot = AccountSnapshot()
        var number: Int64?
        snapshot.generation = try Setting.readGeneration(in: database)
        if let hash = keys.token { number = try readToken(hash, into: &snapshot) }
        if snapshot.token == nil, let name = keys.account {
            number = try readAccount(name, into: &snapshot)
        }
        if let session = keys.session {
            snapshot.session = try state(session, of: number, snapshot)
        }
        if let number, keys.readsSignInMethods {
            snapshot.password = try password(of: number)
            snapshot.identities = try identities(of: number)
        }
        snapshot.identityOwner = try keys.identity.flatMap { try id(.identity($0)) }
        snapshot.emailOwner = try keys.email.flatMap { try id(.email($0)) ?? formerOwner(of: $0) }
        if let number, let code = keys.code { snapshot.code = try self.code(code, of: number) }
        let moves = SQLiteMoves(database: database)
        if snapshot.account == nil, let id = keys.id { snapshot.move = try moves.move(of: id) }
        if let target = keys.moveTarget {
            snapshot.mover = try keys.id.flatMap { try moves.party($0) }
            snapshot.moveTarget = try moves.party(target)
        }
        if keys.readsMovesInto, let id = keys.id {
            snapshot.movedInto = try moves.sources(into: id)
        }
        snapshot.revocations = journal.known(account: keys.id, session: keys.session)
        return snapshot
    }

    // MARK: Accounts

    private func row(_ name: AccountReadSet.Name) throws -> Row? {
        let columns = "SELECT number, id, token_generation, last_used_at FROM account"
        let (sql, arguments): (String, StatementArguments) =
            switch name {
            case .id(let id): (columns + " WHERE id = ?", [id])
            case .email(let email):
                (columns + " JOIN password ON account = number WHERE email = ?", [email])
            case .identity(let identity):
                (
                    columns + " JOIN identity ON account = number WHERE issuer = ? AND subject = ?",
                    [identity.issuer, identity.subject]
                )
            }
        return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: arguments)
    }

    private func id(_ name: AccountReadSet.Name) throws -> String? { try row(name)?["id"] }

    /// Returns the account that has a way back to an email, which nobody else may take meanwhile.
    private func formerOwner(of email: String) throws -> String? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT id FROM email_code AS code JOIN account ON number = code.account
                    LEFT JOIN password ON password.account = code.account
                WHERE code.email = ? AND purpose = 'resetPassword' AND password.email IS NOT code.email
                ORDER BY code.expires_at
                """)
        return try String.fetchOne(statement, arguments: [email])
    }

    private func readAccount(
        _ name: AccountReadSet.Name, into snapshot: inout AccountSnapshot
    ) throws -> Int64? {
        guard let row = try row(name) else { return nil }
        snapshot.account = StoredAccount(row)
        return row["number"]
    }

    // MARK: Sessions

    private func readToken(
        _ hash: Data, into snapshot: inout AccountSnapshot
    ) throws -> Int64? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT family, parent, expires_at, number, id, token_generation, last_used_at
                FROM refresh_token JOIN account ON number = account
                WHERE hash = ? AND deleted_at IS NULL
                """)
        guard let row = try Row.fetchOne(statement, arguments: [hash]) else { return nil }
        let parent: Data? = row["parent"]
        snapshot.account = StoredAccount(row)
        snapshot.token = StoredToken(
            hash: hash, family: row["family"], expiresAt: row["expires_at"],
            successors: try renewals(of: hash),
            siblings: try parent.map { try renewals(of: $0) }?.filter { $0.hash != hash } ?? [])
        return row["number"]
    }

    private func renewals(of parent: Data) throws -> [StoredToken.Relative] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT hash, expires_at, used_at IS NOT NULL AS isUsed FROM refresh_token
                WHERE parent = ?
                """)
        return try Row.fetchAll(statement, arguments: [parent]).map { row in
            StoredToken.Relative(
                hash: row["hash"], expiresAt: row["expires_at"], isUsed: row["isUsed"])
        }
    }

    private func state(
        _ session: String, of number: Int64?, _ snapshot: AccountSnapshot
    ) throws -> SessionState {
        var state = SessionState()
        if let number {
            state.isOpen =
                try Bool.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT EXISTS
                                (SELECT 1 FROM refresh_token WHERE family = ? AND account = ?)
                            """), arguments: [session, number]) ?? false
        }
        if keys.token != nil, snapshot.token == nil {
            state.isRenewed =
                try Bool.fetchOne(
                    database.cachedStatement(
                        sql: """
                            SELECT EXISTS
                                (SELECT 1 FROM refresh_token WHERE family = ? AND generation = ?)
                            """), arguments: [session, snapshot.generation]) ?? false
        }
        return state
    }

    // MARK: Sign-in methods

    private func password(of number: Int64) throws -> StoredPassword? {
        let statement = try database.cachedStatement(
            sql: "SELECT email, verified_at, salt, hash, rounds FROM password WHERE account = ?")
        return try Row.fetchOne(statement, arguments: [number]).map { row in
            let (salt, hash): (Data, Data) = (row["salt"], row["hash"])
            return StoredPassword(
                email: row["email"],
                hash: Passwords.Hash(
                    salt: [UInt8](salt), bytes: [UInt8](hash), rounds: row["rounds"]),
                verifiedAt: row["verified_at"])
        }
    }

    private func identities(of number: Int64) throws -> [ExternalIdentity] {
        let statement = try database.cachedStatement(
            sql: "SELECT issuer, subject FROM identity WHERE account = ?")
        return try Row.fetchAll(statement, arguments: [number]).map {
            ExternalIdentity(issuer: $0["issuer"], subject: $0["subject"])
        }
    }

    private func code(_ code: AccountReadSet.Code, of number: Int64) throws -> StoredCode? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT email, expires_at, (SELECT max(other.expires_at) FROM email_code AS other
                        LEFT JOIN password ON password.account = other.account
                    WHERE other.account = email_code.account AND other.purpose = 'resetPassword'
                        AND other.email IS NOT password.email) AS wayBackEndsAt
                FROM email_code WHERE account = ? AND purpose = ? AND hash = ?
                """)
        return try Row.fetchOne(
            statement, arguments: [number, code.purpose.rawValue, code.hash]
        ).map {
            StoredCode(
                email: $0["email"], expiresAt: $0["expires_at"],
                wayBackEndsAt: $0["wayBackEndsAt"])
        }
    }
}

extension StoredAccount {
    fileprivate init(_ row: Row) {
        self.init(
            id: row["id"], tokenGeneration: row["token_generation"], lastUsedAt: row["last_used_at"]
        )
    }
}
