import AnswerStorage
import GRDB
import ServiceAPI
import UserData

/// The tables of answers in memory, with accounts and devices of the numbers 1 and 2.
///
/// Device 1 is of account 1, device 2 of account 2, and device 3 of account 1.
struct AnswerDatabase {
    let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE person (number INTEGER PRIMARY KEY) STRICT;
                    CREATE TABLE machine (
                        number INTEGER PRIMARY KEY,
                        person INTEGER NOT NULL REFERENCES person (number) ON DELETE CASCADE
                    ) STRICT;
                    INSERT INTO person VALUES (1), (2);
                    INSERT INTO machine VALUES (1, 1), (2, 2), (3, 1);
                    """)
            try database.execute(
                sql: AnswerSchema.schema(account: "person", device: "machine"))
        }
    }

    func append(
        _ rows: [AnswerRow?], account: Int64 = 1, device: Int64 = 1, first: Int64 = 1
    ) throws {
        try append(EncodedAnswers(rows), account: account, device: device, first: first)
    }

    func append(
        _ answers: EncodedAnswers, account: Int64 = 1, device: Int64 = 1, first: Int64 = 1
    ) throws {
        try queue.write {
            try AnswerWriter($0, account: account).append(answers, to: device, first: first)
        }
    }

    func read(
        device: Int64 = 1, _ counters: ClosedRange<Int64> = 1...Int64.max, bytesMax: Int = .max
    ) throws -> AnswerReader.Result {
        try queue.read {
            try AnswerReader($0).answers(
                of: device, from: counters.lowerBound, through: counters.upperBound,
                bytesMax: bytesMax)
        }
    }

    func count(_ table: String) throws -> Int {
        try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") ?? 0 }
    }

    func execute(_ sql: String) throws {
        try queue.write { try $0.execute(sql: sql) }
    }
}

extension AnswerRow {
    /// An answer of which only the question and the time matter.
    static func plain(_ question: String, at milliseconds: Int64 = 5) -> AnswerRow {
        AnswerRow(
            bank: "es", session: "s", question: question, isCorrect: true, takenMilliseconds: 1,
            exposuresBefore: 0, mode: "study", milliseconds: milliseconds)
    }
}
