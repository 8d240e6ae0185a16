import AnswerStorage
import GRDB
import ServiceAPI
import TestSupport
import Testing
import UserData

/// What is written into the tables is what is read from them.
@Suite struct AnswerRoundTripTests {
    private let database: AnswerDatabase

    init() throws { database = try AnswerDatabase() }

    private static func text(_ random: inout SeededGenerator) -> String {
        ["a", "b", "", "é 日本", "\"quoted\"", "[\\]"].randomElement(using: &random) ?? ""
    }

    private static func row(_ random: inout SeededGenerator) -> AnswerRow {
        let isCorrect = Bool.random(using: &random)
        let isOther = Int.random(in: 0..<5, using: &random) == 0
        return AnswerRow(
            bank: text(&random), session: text(&random), question: text(&random),
            domain: Bool.random(using: &random) ? nil : text(&random), version: text(&random),
            options: (isOther ? ["#number"] : [])
                + (0..<Int.random(in: 0..<3, using: &random)).map { _ in text(&random) },
            isCorrect: isCorrect,
            credit: [nil, 0.1, -0.25, 1, 0].randomElement(using: &random) ?? nil,
            rating: [nil, 1, 2, 3, 4].randomElement(using: &random) ?? nil,
            takenMilliseconds: Int64.random(in: 0...86_400_000, using: &random),
            exposuresBefore: Int64.random(in: 0...9, using: &random), mode: text(&random),
            isRandomlySelected: Bool.random(using: &random),
            milliseconds: Int64.random(in: 0...FieldValue.integerMax, using: &random),
            offsetMinutes: [nil, 0, 345, -1_080, 1_080].randomElement(using: &random) ?? nil)
    }

    /// Sixteen rows are written by one statement, and the rest one by one.
    @Test(arguments: [0, 1, 15, 16, 17, 32, 50])
    func runsOfEachLengthAreReadAsTheyWereWritten(count: Int) throws {
        var random = SeededGenerator(seed: UInt64(count))
        let rows = (0..<count).map { index in index % 5 == 3 ? nil : Self.row(&random) }
        try database.append(rows, first: 7)
        let result = try database.read(7...Int64(6 + max(1, count)))
        #expect(result.answers.answers == rows, "seed \(count)")
        #expect(!result.hasMore)
        let bytes = rows.reduce(0) { $0 + ($1?.estimatedBytes ?? 1) }
        #expect(result.bytes == bytes, "seed \(count)")
    }

    @Test(arguments: 1...10)
    func laterRunsShareTheTextsOfEarlierOnes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var rows: [AnswerRow] = []
        for _ in 0..<5 {
            let run = (0..<Int.random(in: 1...30, using: &random)).map { _ in Self.row(&random) }
            try database.append(run, first: Int64(rows.count) + 1)
            rows += run
        }
        #expect(try database.read().answers.answers == rows, "seed \(seed)")
        let encoded = EncodedAnswers(rows)
        #expect(try database.count("answerQuestion") == encoded.questions.count, "seed \(seed)")
        #expect(try database.count("answerSession") == encoded.sessions.count, "seed \(seed)")
        // A response of another kind is in its row.
        let lists = encoded.responses.filter { $0.first?.hasPrefix("#") != true }
        #expect(try database.count("answerResponse") == lists.count, "seed \(seed)")
    }

    @Test func textsThatNoRowNamesAreNotWritten() throws {
        let rows = ["q1", "q2", "q3"].map { AnswerRow.plain($0) }
        let encoded = EncodedAnswers(rows)
        try database.append(encoded.slice(1..<2))
        #expect(try database.read().answers.answers == [rows[1]])
        #expect(try database.count("answerQuestion") == 1)
        try database.append([nil], first: 2)
        #expect(try database.read().answers.answers == [rows[1], nil])
    }

    @Test func textsOfAccountsAreApart() throws {
        try database.append([.plain("q")], account: 1, device: 1)
        try database.append([.plain("q")], account: 2, device: 2)
        #expect(try database.count("answerQuestion") == 2)
        try database.execute("DELETE FROM person WHERE number = 1")
        #expect(try database.read(device: 1).answers.rows.isEmpty)
        #expect(try database.read(device: 2).answers.answers == [.plain("q")])
        for table in ["answerQuestion", "answerSession", "answerResponse", "answerRow"] {
            #expect(try database.count(table) == 1, "\(table)")
        }
    }

    // MARK: Parts

    @Test func onlyTheNumbersThatAreAskedForAreRead() throws {
        try database.append((1...9).map { .plain("q\($0)") })
        try database.append([.plain("other")], device: 3, first: 4)
        let part = try database.read(4...6).answers.answers
        #expect(part == (4...6).map { .plain("q\($0)") })
        #expect(try database.read(9...20).answers.rows.count == 1)
        #expect(try database.read(10...20).answers.rows.isEmpty)
    }

    /// Each of these answers has 64 bytes and 10 of texts.
    @Test(arguments: [
        (0, 1, true), (73, 1, true), (74, 1, true), (147, 1, true), (148, 2, true), (221, 2, true),
        (222, 3, false), (1000, 3, false),
    ])
    func aLimitInBytesLeavesTheRestOut(bytesMax: Int, count: Int, hasMore: Bool) throws {
        let rows = (1...3).map { AnswerRow.plain("q\($0)") }
        #expect(rows.allSatisfy { $0.estimatedBytes == 74 })
        try database.append(rows)
        let result = try database.read(bytesMax: bytesMax)
        #expect(result.answers.answers == Array(rows.prefix(count)))
        #expect(result.hasMore == hasMore && result.bytes == count * 74)
    }

    @Test func whatNoServerTookCountsAsOneByte() throws {
        try database.append([nil, nil, .plain("q1"), nil])
        let two = try database.read(bytesMax: 2)
        #expect(two.answers.answers == [nil, nil] && two.bytes == 2 && two.hasMore)
        let all = try database.read(bytesMax: 77)
        #expect(all.answers.rows.count == 4 && all.bytes == 77 && !all.hasMore)
    }

    // MARK: Damage

    @Test(arguments: ["answerQuestion", "answerSession", "answerResponse"])
    func aMissingTextIsDamage(table: String) throws {
        try database.append([.plain("q")])
        try database.execute("DELETE FROM \(table)")
        let failure = #expect(throws: DatabaseError.self) { try database.read() }
        #expect(failure?.resultCode == .SQLITE_CORRUPT)
        // The statements are of use again.
        try database.append([.plain("q2")], first: 2)
        #expect(try database.read(2...2).answers.answers == [.plain("q2")])
    }

    @Test func aNumberIsGivenOnce() throws {
        try database.append([.plain("q1")])
        let failure = #expect(throws: DatabaseError.self) { try database.append([.plain("q2")]) }
        #expect(failure?.resultCode == .SQLITE_CONSTRAINT)
        #expect(try database.read().answers.answers == [.plain("q1")])
        // The texts of what was not written are gone with it.
        #expect(try database.count("answerQuestion") == 1)
    }

    @Test(arguments: [
        (AnswerRow.plain("q", at: -1)),
        AnswerRow(
            bank: "es", session: "s", question: "q", isCorrect: true, rating: 5,
            takenMilliseconds: 1, exposuresBefore: 0, mode: "study", milliseconds: 5),
        AnswerRow(
            bank: "es", session: "s", question: "q", isCorrect: true,
            takenMilliseconds: 86_400_001, exposuresBefore: 0, mode: "study", milliseconds: 5),
        AnswerRow(
            bank: "es", session: "s", question: "q", isCorrect: true, takenMilliseconds: 1,
            exposuresBefore: -1, mode: "study", milliseconds: 5),
        AnswerRow(
            bank: "es", session: "s", question: "q", isCorrect: true, takenMilliseconds: 1,
            exposuresBefore: 0, mode: "study", milliseconds: 5, offsetMinutes: 1_081),
    ])
    func theTablesRefuseValuesOutOfRange(row: AnswerRow) throws {
        #expect(throws: DatabaseError.self) { try database.append([.plain("fine"), row]) }
        #expect(try database.read().answers.rows.isEmpty)
    }

    @Test(arguments: ["question", "session", "response", "isCorrect", "milliseconds"])
    func aRowIsWholeOrEmpty(column: String) throws {
        try database.append([.plain("q")])
        #expect(throws: DatabaseError.self) {
            try database.execute("UPDATE answerRow SET \(column) = NULL")
        }
        #expect(try database.read().answers.answers == [.plain("q")])
    }
}
