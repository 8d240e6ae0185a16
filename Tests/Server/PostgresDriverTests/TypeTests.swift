import DatabaseTestSupport
import Foundation
import PostgresDriver
import TestSupport
import Testing

/// Values go to the server and come back as they were.
@Suite struct TypeTests {
    /// Sends random values with the type in SQL, and compares what returns, in both directions of NULL.
    private func expectRoundTrip<
        Value: Equatable & Sendable & PostgresEncodable & PostgresDecodable
    >(
        _ type: String, seed: UInt64, _ make: (inout SeededGenerator) -> Value
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let values = (0..<200).map { _ in make(&random) }
        try await withPool { pool in
            let returned = try await pool.use { connection in
                try values.map { value in
                    let rows = try connection.query(
                        "SELECT \(value)::\(sql: type) AS value, \(value)::\(sql: type)::text AS text"
                    )
                    return (
                        try rows[0].value("value", as: Value.self),
                        try rows[0].value("text", as: String?.self)
                    )
                }
            }
            #expect(returned.map(\.0) == values, "seed \(seed)")
            // What is text for the server is no NULL: the value was understood there.
            #expect(returned.allSatisfy { $0.1 != nil }, "seed \(seed)")
            let missing = try await pool.query("SELECT \(Value?.none)::\(sql: type) AS value")
            #expect(try missing[0].value("value", as: Value?.self) == nil)
            #expect(throws: PostgresDecodingError(column: "value", reason: .null)) {
                try missing[0].value("value", as: Value.self)
            }
        }
    }

    private func text(_ random: inout SeededGenerator) -> String {
        let letters: [Character] = [
            "a", "'", "\\", "\"", "é", "e\u{301}", "漢", "😀", "\n", "\t", "\u{1}", "$", "{", ",",
            "ß", "\u{A0}",
        ]
        return String(
            (0..<Int.random(in: 0...20, using: &random)).map { _ in
                letters.randomElement(using: &random) ?? "a"
            })
    }

    @Test func integers() async throws {
        try await expectRoundTrip("bigint", seed: 1) { Int.random(in: .min ... .max, using: &$0) }
        try await expectRoundTrip("bigint", seed: 2) { Int64.random(in: .min ... .max, using: &$0) }
        try await expectRoundTrip("int", seed: 3) { Int32.random(in: .min ... .max, using: &$0) }
        try await expectRoundTrip("smallint", seed: 4) {
            Int16.random(in: .min ... .max, using: &$0)
        }
    }

    @Test func numbersAndTruth() async throws {
        try await expectRoundTrip("boolean", seed: 5) { Bool.random(using: &$0) }
        try await expectRoundTrip("float8", seed: 6) { random in
            let value = Double(bitPattern: random.next())
            return value.isNaN ? 0.1 : value
        }
        try await expectRoundTrip("real", seed: 7) { Float.random(in: -1e30...1e30, using: &$0) }
    }

    @Test func textsAndBytes() async throws {
        try await expectRoundTrip("text", seed: 8) { text(&$0) }
        try await expectRoundTrip("bytea", seed: 9) { random in
            (0..<Int.random(in: 0...40, using: &random)).map { _ in
                UInt8.random(in: 0...3, using: &random)
            }
        }
        try await expectRoundTrip("jsonb", seed: 10) {
            "{\"n\": \(Int.random(in: 0...99, using: &$0))}"
        }
    }

    @Test func identifiersAndTimes() async throws {
        try await expectRoundTrip("uuid", seed: 11) { random in
            UUID(uuid: unsafeBitCast((random.next(), random.next()), to: uuid_t.self))
        }
        try await expectRoundTrip("timestamptz", seed: 12) { random in
            // Whole microseconds, which is what both sides have.
            Date(
                timeIntervalSinceReferenceDate: Double(
                    Int.random(in: -4_000_000_000...8_000_000_000, using: &random)))
        }
        let rows = try await withPool {
            try await $0.query("SELECT '2026-11-22 15:43:18.123456Z'::timestamptz AS at")
        }
        let at = try rows[0].value("at", as: Date.self)
        #expect(abs(at.timeIntervalSince1970 - 1_795_362_198.123456) < 1e-6)
    }

    @Test func arrays() async throws {
        func list<Element>(
            _ random: inout SeededGenerator, _ make: (inout SeededGenerator) -> Element
        ) -> [Element] {
            (0..<Int.random(in: 0...9, using: &random)).map { _ in make(&random) }
        }
        try await expectRoundTrip("bigint[]", seed: 13) {
            list(&$0) { Int.random(in: .min ... .max, using: &$0) }
        }
        try await expectRoundTrip("int[]", seed: 14) {
            list(&$0) { Int32.random(in: .min ... .max, using: &$0) }
        }
        try await expectRoundTrip("smallint[]", seed: 15) {
            list(&$0) { Int16.random(in: .min ... .max, using: &$0) }
        }
        try await expectRoundTrip("float8[]", seed: 16) {
            list(&$0) { Double.random(in: -1...1, using: &$0) }
        }
        try await expectRoundTrip("text[]", seed: 17) { list(&$0) { text(&$0) } }
        try await expectRoundTrip("boolean[]", seed: 18) { list(&$0) { Bool.random(using: &$0) } }
        try await expectRoundTrip("int[]", seed: 19) {
            list(&$0) { random in
                Bool.random(using: &random) ? nil : Int32.random(in: .min ... .max, using: &random)
            }
        }
        try await expectRoundTrip("text[]", seed: 20) {
            list(&$0) { random -> String? in
                Bool.random(using: &random) ? nil : text(&random)
            }
        }
    }

    @Test func rowsAreInsertedFromArrays() async throws {
        try await withPool { pool in
            try await pool.query(
                "CREATE TABLE answer (counter int PRIMARY KEY, credit float8, response text)")
            let counters = (1...1_000).map(Int32.init)
            let credits = counters.map { Double($0) / 3 }
            let responses = counters.map { $0 % 7 == 0 ? nil : "r\($0)" }
            let inserted = try await pool.query(
                """
                INSERT INTO answer (counter, credit, response)
                SELECT * FROM unnest(\(counters), \(credits), \(responses))
                """)
            #expect(inserted.affectedRows == 1_000)
            let rows = try await pool.query(
                "SELECT counter, credit, response FROM answer ORDER BY counter")
            #expect(try rows.column("counter") == counters)
            #expect(try rows.column("credit") == credits)
            #expect(try rows.column("response", as: String?.self) == responses)
        }
    }

    @Test func whatCannotBeDecodedIsNamed() async throws {
        let rows = try await withPool { pool in
            try await pool.query(
                "SELECT 70000::int AS big, 'x'::text AS text, 1 AS twice, 2 AS twice, 1.5::numeric AS n"
            )
        }
        func reason<Value: PostgresDecodable>(_ column: String, _ type: Value.Type)
            -> PostgresDecodingError.Reason?
        {
            do throws(PostgresDecodingError) {
                _ = try rows[0].value(column, as: type)
                return nil
            } catch {
                #expect(error.column == column)
                return error.reason
            }
        }
        #expect(reason("big", Int16.self) == .outOfRange)
        #expect(reason("text", Int.self) == .wrongType(25))
        #expect(reason("big", String.self) == .wrongType(23))
        #expect(reason("n", Double.self) == .wrongType(1700))
        #expect(reason("none", Int.self) == .missingColumn)
        #expect(reason("twice", Int.self) == .ambiguousColumn)
        #expect(reason("text", [Int].self) == .wrongType(25))
    }

    @Test func whatTheServerCannotReceiveIsRefusedBeforeItIsSent() async throws {
        try await withPool { pool in
            for (value, code) in [
                ("a\0b".postgresValue, SQLState.characterNotInRepertoire),
                (["a\0b"].postgresValue, .characterNotInRepertoire),
                (Date(timeIntervalSince1970: .infinity).postgresValue, .datetimeOverflow),
                (Date(timeIntervalSince1970: .nan).postgresValue, .datetimeOverflow),
            ] {
                let error = await failure {
                    try await pool.pipeline(["SELECT 1", "SELECT \(value)"])
                }
                #expect(error?.code == code)
                #expect(error?.phase == .encoding)
                #expect(error?.statementIndex == 1)
            }
            let refusal = await failure {
                try await pool.query(PostgresStatement(sql: "SELECT 1\0"))
            }
            #expect(refusal?.phase == .encoding)
            #expect(pool.status.idle == 1)
        }
    }
}
