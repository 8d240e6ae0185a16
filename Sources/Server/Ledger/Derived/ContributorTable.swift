import GRDB
package import ServiceAPI
import UserData

/// The first answers that one account contributes to the review of keys, if it agreed.
struct ContributorTable {
    private let database: Database
    /// The account's number.
    private let account: Int64

    init(_ database: Database, _ account: Int64) {
        self.database = database
        self.account = account
    }

    /// The contributor's number; `nil` for an account that did not agree.
    var number: Int64? {
        get throws {
            try Int64.fetchOne(
                database.cachedStatement(
                    sql: "SELECT number FROM contributor WHERE account = ?"),
                arguments: [account])
        }
    }

    /// Adds first answers; of several to one version of a question the one that came first stays.
    func add(_ answers: [FirstAnswer]) throws {
        guard !answers.isEmpty, let number = try number else { return }
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO first_answer (contributor, item, response, flags) VALUES (?, ?, ?, ?)
                ON CONFLICT (contributor, item) DO NOTHING
                """)
        for answer in answers {
            try insert.execute(arguments: [number, answer.item, answer.response, answer.flags])
        }
    }

    /// Replaces first answers that are taken back by rows without a response, which get a later number.
    ///
    /// That of another device to the same question stays.
    func remove(_ answers: [FirstAnswer]) throws {
        guard !answers.isEmpty, let number = try number else { return }
        for answer in answers {
            try database.cachedStatement(
                sql: """
                    DELETE FROM first_answer
                    WHERE contributor = ? AND item = ? AND response = ? AND flags = ?
                    """
            ).execute(arguments: [number, answer.item, answer.response, answer.flags])
            guard database.changesCount > 0 else { continue }
            var gone = answer
            gone.response = ""
            try add([gone])
        }
    }
}

extension SQLiteAnswers {
    /// The number of answers that are in memory at once.
    private static let runMax = 10_000

    /// Reads all answers of the account except those that are taken back, in parts, device by device.
    package func forEachRun(_ body: (EncodedAnswers) throws -> Void) throws {
        let retracted = try retracted()
        for (client, last) in try lastAnswers() {
            for first in stride(from: 1, through: Int(last), by: Self.runMax) {
                let span = AnswerSpan(
                    client: client, first: UInt64(first),
                    count: min(Self.runMax, Int(last) - first + 1))
                for run in try page([span], bytesMax: .max).runs {
                    try body(run.counted(without: retracted))
                }
            }
        }
    }
}
