import AnswerStorage
import GRDB
import Testing

/// Values that are bound and read by hand.
@Suite struct BoundStatementTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE thing (value ANY UNIQUE) STRICT") }
    }

    @Test(arguments: ["", "a", "é 日本", "a\u{0}b", String(repeating: "x", count: 100_000)])
    func aTextIsReadAsItWasBound(text: String) throws {
        let bytes = try queue.write { database in
            let insert = try BoundStatement(database, "INSERT INTO thing VALUES (?)")
            try insert.bind(text, at: 1)
            try insert.run()
            return try Int.fetchOne(database, sql: "SELECT length(CAST(value AS BLOB)) FROM thing")
        }
        #expect(bytes == text.utf8.count)
        try queue.read { database in
            let select = try BoundStatement(database, "SELECT value FROM thing")
            #expect(try select.next() && select.isText(0) && !select.isNull(0))
            #expect(select.text(0) == text)
            #expect(try !select.next())
            select.reset()
        }
    }

    @Test func numbersAreReadAsTheyWereBound() throws {
        try queue.read { database in
            let select = try BoundStatement(database, "SELECT ?, ?, ?, ?, ?, ?")
            try select.bind(Int64.min, at: 1)
            try select.bind(-0.1, at: 2)
            try select.bind(true, at: 3)
            try select.bind(false, at: 4)
            try select.bindNull(at: 5)
            try select.bind(nil as String?, at: 6)
            #expect(try select.next())
            #expect(select.integer(0) == .min && select.double(1) == -0.1)
            #expect(select.integer(2) == 1 && select.integer(3) == 0)
            #expect(select.isNull(4) && select.isNull(5) && !select.isText(5))
            #expect(select.integer(4) == 0 && select.double(4) == 0 && select.text(4) == nil)
            select.reset()
        }
    }

    @Test func aResetForgetsWhatWasBound() throws {
        try queue.read { database in
            let select = try BoundStatement(database, "SELECT ?")
            try select.bind(7 as Int64, at: 1)
            #expect(try select.integer() == 7)
            // Values stay for the next run until they are forgotten.
            #expect(try select.integer() == 7)
            select.reset()
            #expect(try select.next() && select.isNull(0))
            select.reset()
        }
    }

    @Test func aStatementWithoutRowsHasNoInteger() throws {
        try queue.read { database in
            let select = try BoundStatement(database, "SELECT value FROM thing")
            #expect(try select.integer() == nil)
        }
    }

    @Test func aPlaceThatIsNotThereIsAnError() throws {
        try queue.read { database in
            let select = try BoundStatement(database, "SELECT ?")
            let failure = #expect(throws: DatabaseError.self) {
                try select.bind(1 as Int64, at: 2)
            }
            #expect(failure?.resultCode == .SQLITE_RANGE)
        }
    }

    @Test func aStatementThatFailedRunsAgain() throws {
        try queue.write { database in
            let insert = try BoundStatement(database, "INSERT INTO thing VALUES (?)")
            for value in [1, 2] as [Int64] {
                try insert.bind(value, at: 1)
                try insert.run()
                #expect(insert.changesCount == 1)
            }
            try insert.bind(2 as Int64, at: 1)
            let failure = #expect(throws: DatabaseError.self) { try insert.run() }
            #expect(failure?.resultCode == .SQLITE_CONSTRAINT)
            #expect(failure?.message?.contains("thing.value") == true)
            try insert.bind(3 as Int64, at: 1)
            try insert.run()
            #expect(try Int.fetchAll(database, sql: "SELECT value FROM thing") == [1, 2, 3])
        }
    }

    @Test func aRunOfAStatementWithRowsIsAnError() throws {
        try queue.read { database in
            let select = try BoundStatement(database, "SELECT 1")
            #expect(throws: DatabaseError.self) { try select.run() }
            #expect(try select.integer() == 1)
        }
    }
}
