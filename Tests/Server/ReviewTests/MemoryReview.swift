import Accounts
import Foundation
import GRDB
import Ledger
import Review
import Tables

/// The review of keys of a database in memory, into which a test puts answers and reports.
struct MemoryReview: Sendable {
    let database: UserDatabase
    /// The storage.
    let storage: ReviewStorage

    init() throws {
        database = try .inMemory()
        storage = ReviewStorage(database)
    }

    /// The entries of the audit log, the oldest first.
    var entries: [AuditEntry] {
        get async throws {
            try await AdministrationService(AdministrationStorage(database)) { .distantPast }
                .entries().reversed()
        }
    }

    /// Adds answers; of several of one contributor to one item the first counts.
    func add(_ answers: [(contributor: Int64, answer: FirstAnswer)]) async throws {
        try await database.write { database in
            for (contributor, answer) in answers {
                try Self.addAccount(contributor, in: database)
                try database.execute(
                    sql:
                        "INSERT OR IGNORE INTO contributor (number, account, since) VALUES (?1, ?1, 0)",
                    arguments: [contributor])
                try database.execute(
                    sql: """
                        INSERT INTO first_answer (contributor, item, response, flags)
                        VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
                        """,
                    arguments: [contributor, answer.item, answer.response, answer.flags])
            }
        }
    }

    func add(_ contributor: Int64, _ answer: FirstAnswer) async throws {
        try await add([(contributor, answer)])
    }

    /// Takes an answer back, as the ledger does.
    func retract(_ one: StoredFirstAnswer) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM first_answer WHERE number = ?", arguments: [one.number])
            try database.execute(
                sql: """
                    INSERT INTO first_answer (contributor, item, response, flags)
                    VALUES (?, ?, '', ?)
                    """,
                arguments: [one.contributor, one.answer.item, one.answer.flags])
        }
    }

    func remove(_ contributor: Int64) async throws {
        try await database.write { database in
            try database.execute(
                sql: "DELETE FROM contributor WHERE number = ?", arguments: [contributor])
        }
    }

    func report(
        _ bank: String, _ question: String, _ version: String, learners: Int64 = 1
    ) async throws {
        try await database.write { database in
            for learner in 1...learners {
                try Self.addAccount(learner, in: database)
                try database.execute(
                    sql: "INSERT INTO question_report VALUES (?, ?, ?, ?, 'wrong-key', '', 0)",
                    arguments: [learner, bank, question, version])
            }
        }
    }

    private static func addAccount(_ number: Int64, in database: Database) throws {
        try database.execute(
            sql: "INSERT OR IGNORE INTO account (number, id, created_at) VALUES (?, ?, 0)",
            arguments: [number, "user-\(number)"])
    }
}
