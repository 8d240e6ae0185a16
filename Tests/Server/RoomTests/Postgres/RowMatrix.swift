import Foundation
import PostgresDriver
import Tables
import Testing

/// The rows of two users in every table, and what callers can do to those of `u`.
struct RowMatrix: Sendable {
    /// A table with a row for each account.
    struct Table: Sendable, CustomTestStringConvertible {
        let name: String
        /// The columns and values of a row of the account `$1` with the key `$2`.
        let columns: String
        let values: String
        /// The column of the account's number.
        var account = "account"
        /// The condition of the policy.
        var own = """
            account = (SELECT a.number FROM underway.account a
                WHERE a.user_id = (SELECT underway.token_user()))
            """

        var testDescription: String { name }
    }

    static let tables = [
        Table(
            name: "account", columns: "number, id, user_id, created_at",
            values: "$1 + 100 * $2, 'x' || $2 || $1, gen_random_uuid(), 0", account: "number",
            own: "user_id = (SELECT underway.token_user())"),
        Table(name: "device", columns: "account, number, name", values: "$1, $2, 'd' || $2"),
        Table(
            name: "record", columns: "account, collection, id, position, batch, json",
            values: "$1, 'c', 'r' || $2, $2, $2, '{}'"),
        Table(
            name: "damaged_record", columns: "account, collection, id, position, found_at, json",
            values: "$1, 'c', 'r' || $2, $2, 1, 'x'"),
        Table(name: "mark", columns: "account, position, text", values: "$1, $2, 'm'"),
        Table(
            name: "result", columns: "account, device, counter, kind, hash",
            values: "$1, 1, $2, 'merged', ''"),
        Table(
            name: "own_name", columns: "account, number, kind, digest, text",
            values: "$1, -$2, 'options', gen_random_uuid(), '[]'"),
        Table(
            name: "session", columns: "account, number, name, mode",
            values: "$1, $2, 's' || $2, 'study'"),
        Table(name: "answer", columns: "account, device, counter", values: "$1, 1, $2"),
        Table(name: "question_day", columns: "account, day, question", values: "$1, $2, -1"),
        Table(
            name: "question_domain", columns: "account, question, domain",
            values: "$1, -1, 'd' || $2"),
        Table(
            name: "answer_day",
            columns: """
                account, day, bank, domain, answers, correct, questions_of_day,
                questions_of_domain, taken, last_at, histogram
                """,
            values: "$1, $2, 'b', 'd', 1, 1, 1, 1, 1, 1, '{1}'"),
        Table(
            name: "regraded_answer",
            columns: """
                account, device, counter, bank, session, day, domain, is_correct, credit, correct,
                points, first_points
                """,
            values: "$1, 1, $2, 'b', 1, 1, 'd', true, 1, 1, 10, 10"),
    ]

    let users: PostgresUsers
    private let numbers: (u: Int64, v: Int64)
    /// One connection, so that each caller comes after another on it.
    private let pool: PostgresPool

    init() async throws {
        users = try await PostgresUsers(["u", "v"])
        pool = users.pool(1)
        let rows = try await users.execute("SELECT number FROM underway.account ORDER BY id")[0]
        let found = try rows.column("number", as: Int64.self)
        numbers = (found[0], found[1])
        for table in Self.tables.dropFirst() {
            for number in found { try await users.execute(table.insertion(number, key: 1)) }
        }
    }

    // MARK: Callers

    private enum Caller: String, CaseIterable {
        case owner
        case otherUser
        case anonymous
        case anonymousWithClaims
        case expired
        case noClaim
        case forgedAccountClaim
        case forgedSetting
        /// The number of another account with the caller's own subject, as any session can say it.
        case forgedNumber
        case strangeSubject
        case strangeClaims
        case deletedUser
        case login
        case tableOwner
    }

    private func claims(_ caller: Caller) -> String? {
        let (u, v) = (UserClaims(of: "u").user.uuidString, UserClaims(of: "v").user.uuidString)
        return switch caller {
        case .owner, .anonymousWithClaims: "{\"sub\":\"\(u)\"}"
        case .otherUser, .forgedSetting, .forgedNumber: "{\"sub\":\"\(v)\"}"
        case .expired: "{\"sub\":\"\(u)\",\"exp\":1}"
        case .forgedAccountClaim: "{\"sub\":\"\(v)\",\"account\":\(numbers.u)}"
        case .strangeSubject: "{\"sub\":\"\(numbers.u)' OR true --\"}"
        case .strangeClaims: "\(numbers.u) \(u)"
        case .deletedUser: "{\"sub\":\"\(UserClaims(of: "w").user.uuidString)\"}"
        case .anonymous, .noClaim, .login, .tableOwner: nil
        }
    }

    /// Takes a caller's role and claims, and enters as far as that is possible.
    private func enter(_ caller: Caller, _ transaction: PostgresTransaction) throws {
        let role =
            switch caller {
            case .login, .tableOwner: "none"
            case .anonymous, .anonymousWithClaims: "anon"
            default: "authenticated"
            }
        try transaction.query("SELECT set_config('role', \(role), true)")
        if let claims = claims(caller) {
            try transaction.query("SELECT set_config('request.jwt.claims', \(claims), true)")
        }
        // That it fails is what most callers are for.
        _ = try? transaction.savepoint {
            try transaction.query("SELECT underway.enter_1(false)")
        }
        if caller == .forgedSetting {
            let text = "\(numbers.u) \(UserClaims(of: "u").user.uuidString.lowercased())"
            try transaction.query("SELECT set_config('underway.account', \(text), true)")
        }
        if caller == .forgedNumber {
            let text = "\(numbers.u) \(UserClaims(of: "v").user.uuidString.lowercased())"
            try transaction.query("SELECT set_config('underway.account', \(text), true)")
        }
    }

    // MARK: Operations

    private enum Operation: String, CaseIterable {
        case select
        case insert
        case update
        case delete
        /// A row of one's own becomes a row of `u`.
        case move
    }

    private func statement(_ operation: Operation, _ table: Table) -> PostgresStatement {
        let (name, account) = ("underway.\(table.name)", table.account)
        return switch operation {
        case .select: "SELECT FROM \(sql: name) WHERE \(sql: account) = \(numbers.u)"
        case .insert: table.insertion(numbers.u, key: 2)
        case .update:
            "UPDATE \(sql: name) SET \(sql: account) = \(sql: account) WHERE \(sql: account) = \(numbers.u)"
        case .delete: "DELETE FROM \(sql: name) WHERE \(sql: account) = \(numbers.u)"
        case .move:
            "UPDATE \(sql: name) SET \(sql: account) = \(numbers.u) WHERE \(sql: account) <> \(numbers.u)"
        }
    }

    private struct Undo: Error {
        var rows: Int
    }

    /// Tries an operation, undoes it, and returns the number of rows that it met; 0 when it failed.
    private func rows(
        _ operation: Operation, _ table: Table, _ caller: Caller
    ) async throws -> Int {
        let pool = caller == .tableOwner ? PostgresPool(.patient(users.admin)) : pool
        do {
            try await pool.transaction { transaction in
                try enter(caller, transaction)
                if caller == .tableOwner { try transaction.query("SET LOCAL ROLE underway_owner") }
                throw Undo(rows: try transaction.query(statement(operation, table)).affectedRows)
            }
            return 0
        } catch let undo as Undo {
            return undo.rows
        } catch let error as PostgresError where !error.code.meansConnectionLost {
            return 0
        }
    }

    /// Returns what callers can do that they may not, and what the owner of the rows cannot see.
    func violations(of tables: [Table]) async throws -> [String] {
        var found: [String] = []
        for table in tables {
            for caller in Caller.allCases {
                for operation in Operation.allCases where operation != .move || caller != .owner {
                    let rows = try await rows(operation, table, caller)
                    let isOwn = caller == .owner
                    if isOwn ? operation == .select && rows != 1 : rows != 0 {
                        found.append("\(caller) \(operation) \(table.name): \(rows)")
                    }
                }
            }
        }
        return found
    }
}

extension RowMatrix.Table {
    fileprivate func insertion(_ account: Int64, key: Int64) -> PostgresStatement {
        let identity = name == "account" ? " OVERRIDING SYSTEM VALUE" : ""
        let values = values.replacing("$1", with: "\(account)::bigint")
            .replacing("$2", with: "\(key)::integer")
        return
            "INSERT INTO underway.\(sql: name) (\(sql: columns))\(sql: identity) VALUES (\(sql: values))"
    }
}
