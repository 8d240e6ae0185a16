import Crypto
import Foundation
import GRDB
import ServiceAPI

/// Codes that people copy from an e-mail: 50 bits in an alphabet without look-alikes.
enum EmailCode {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 10

    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(
            (0..<length).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] })
    }

    /// Returns the hash of a code as typed.
    static func hash(_ code: String) -> Data {
        let plain = code.uppercased().filter { $0 != " " && $0 != "-" }
        return Data(SHA256.hash(data: Data(plain.utf8)))
    }
}

extension AccountStore {
    /// Stores the hash of a new code beside earlier ones.
    ///
    /// - Parameters:
    ///   - message: The code and its address.
    ///   - id: The account; `nil` for that of the email.
    /// - Returns: True when the address belongs to such an account.
    /// - Throws: An error of the database.
    func store(_ message: AccountMessage, of id: String?) async throws -> Bool {
        try await database.write { database in
            let number = try Int64.fetchOne(
                database,
                sql: """
                    SELECT number FROM password JOIN account ON account.number = password.account
                    WHERE email = ? AND account.id = coalesce(?, account.id)
                    """, arguments: [message.email, id])
            guard let number else { return false }
            try database.execute(
                sql: """
                    INSERT INTO emailCode (account, purpose, email, hash, expiresAt)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    number, message.purpose.rawValue, message.email, EmailCode.hash(message.code),
                    Int64(message.expiresAt.timeIntervalSince1970),
                ])
            return true
        }
    }

    /// Returns the account of a code; `nil` for one that is wrong or has expired.
    func account(
        ofCode code: String, _ purpose: AccountMessage.Purpose, email: String, now: Date
    ) async throws -> String? {
        try await database.read { database in
            try Self.find(code, purpose, email, now, in: database)?.id
        }
    }

    private static func find(
        _ code: String, _ purpose: AccountMessage.Purpose, _ email: String, _ now: Date,
        in database: Database
    ) throws -> Row? {
        try GRDB.Row.fetchOne(
            database,
            sql: """
                SELECT account.number, account.id, tokenGeneration FROM password
                JOIN account ON account.number = password.account
                JOIN emailCode ON emailCode.account = password.account
                    AND emailCode.email = password.email
                WHERE password.email = ? AND purpose = ? AND emailCode.hash = ? AND expiresAt > ?
                """,
            arguments: [
                email, purpose.rawValue, EmailCode.hash(code), Int64(now.timeIntervalSince1970),
            ]
        ).map { Row(number: $0["number"], id: $0["id"], tokenGeneration: $0["tokenGeneration"]) }
    }

    /// Redeems a code: the email becomes verified and, with a new password, all sessions end.
    ///
    /// - Returns: False when the code is wrong, has expired, or was redeemed before.
    func redeem(
        _ code: String, _ purpose: AccountMessage.Purpose, email: String,
        newPassword: Passwords.Hash?, now: Date
    ) async throws -> Bool {
        let store = self
        return try await database.write { database in
            guard let account = try Self.find(code, purpose, email, now, in: database) else {
                return false
            }
            try database.execute(
                sql: "DELETE FROM emailCode WHERE account = ?", arguments: [account.number])
            try database.execute(
                sql: "UPDATE password SET verifiedAt = ? WHERE account = ?",
                arguments: [Int64(now.timeIntervalSince1970), account.number])
            guard let hash = newPassword else { return true }
            try database.execute(
                sql: "UPDATE password SET salt = ?, hash = ?, rounds = ? WHERE account = ?",
                arguments: [
                    Data(hash.salt), Data(hash.bytes), hash.rounds, account.number,
                ])
            try store.endSessions(of: account, except: nil, now, in: database)
            return true
        }
    }
}
