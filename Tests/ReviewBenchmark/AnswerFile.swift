import Foundation
import GRDB
import Ledger
import Tables

/// The database of a server, into which first answers are written directly: no exchange is timed here.
struct AnswerFile {
    let path: String
    private let queue: DatabaseQueue

    /// Makes the database in a folder.
    init(_ folder: URL) throws {
        path = folder.appending(path: "users.sqlite").path
        _ = try UserDatabase(path: path)
        queue = try DatabaseQueue(path: path)
    }

    /// Adds learners who agreed, with their answers.
    func add(_ learners: [[FirstAnswer]]) throws {
        try queue.write { database in
            let account = try database.cachedStatement(
                sql: "INSERT INTO account (id, created_at) VALUES (?, 0)")
            let contributor = try database.cachedStatement(
                sql: "INSERT INTO contributor (account, since) VALUES (?, 0)")
            let answer = try database.cachedStatement(
                sql: """
                    INSERT INTO first_answer (contributor, item, response, flags) VALUES (?, ?, ?, ?)
                    """)
            for answers in learners {
                try account.execute(arguments: [UUID().uuidString])
                try contributor.execute(arguments: [database.lastInsertedRowID])
                let number = database.lastInsertedRowID
                for one in answers {
                    try answer.execute(arguments: [number, one.item, one.response, one.flags])
                }
            }
        }
    }
}
