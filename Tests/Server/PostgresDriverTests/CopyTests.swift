import DatabaseTestSupport
import Foundation
import PostgresDriver
import Testing

@Suite struct CopyTests {
    private struct Stopped: Error {}

    private func text(_ number: Int) -> String? {
        number % 11 == 0
            ? nil : number % 7 == 0 ? "tab\tline\nback\\slash\r\\N ü\(number)" : "n\(number)"
    }

    @Test func aHundredThousandRowsGoInAndComeOut() async throws {
        try await withPool { pool in
            try await pool.query("CREATE TABLE name (number int, text text)")
            let written = try await pool.transaction { transaction in
                try transaction.copyIn("COPY name (number, text) FROM STDIN") { rows in
                    for number in 1...100_000 { try rows.write(row: ["\(number)", text(number)]) }
                }
            }
            #expect(written == 100_000)
            let read = try await pool.use { connection in
                var number = 0
                let count = try connection.copyOut(
                    "COPY (SELECT number, text FROM name ORDER BY number) TO STDOUT"
                ) { row in
                    number += 1
                    guard CopyText.fields(of: row) == ["\(number)", text(number)] else {
                        throw Stopped()
                    }
                }
                return (number, count)
            }
            #expect(read == (100_000, 100_000))
        }
    }

    @Test func rowsOneAtATimeDecodeLikeAResult() async throws {
        try await withPool { pool in
            let sum = try await pool.use { connection in
                var sum = 0
                let count = try connection.forEachRow(
                    of: "SELECT n, 'x' || n AS text FROM generate_series(1, \(100_000)) AS n"
                ) { row in
                    sum += try row.value("n", as: Int.self)
                    _ = try row.value("text", as: String.self)
                }
                #expect(count == 100_000)
                let none = try connection.forEachRow(of: "SELECT 1 AS n WHERE false") { _ in
                    throw Stopped()
                }
                #expect(none == 0)
                return sum
            }
            #expect(sum == 5_000_050_000)
            await #expect(throws: Stopped.self) {
                try await pool.use { connection in
                    try connection.forEachRow(of: "SELECT n FROM generate_series(1, 10000000) AS n")
                    { _ in throw Stopped() }
                }
            }
            let error = await failure {
                try await pool.use {
                    try $0.forEachRow(of: "SELECT 1 / (3 - n) FROM generate_series(1, 5) AS n") {
                        _ in
                    }
                }
            }
            #expect(error?.code == SQLState(rawValue: "22012"))
            #expect(pool.status.idle == 1)
        }
    }

    @Test func aCopyThatIsGivenUpLeavesNothing() async throws {
        try await withPool(connectionsMax: 1) { pool in
            try await pool.query("CREATE TABLE name (number int)")
            await #expect(throws: Stopped.self) {
                try await pool.use { connection in
                    try connection.copyIn("COPY name FROM STDIN") { rows in
                        try rows.write(row: ["1"])
                        throw Stopped()
                    }
                }
            }
            await #expect(throws: Stopped.self) {
                try await pool.use { connection in
                    try connection.copyOut(
                        "COPY (SELECT * FROM generate_series(1, 1000000)) TO STDOUT"
                    ) { _ in throw Stopped() }
                }
            }
            let rows = try await pool.query("SELECT FROM name")
            #expect(rows.isEmpty)
            #expect(pool.status.idle == 1)
        }
    }

    @Test func aRowThatTheTableRefusesIsAnErrorOfTheCopy() async throws {
        try await withPool(connectionsMax: 1) { pool in
            try await pool.query("CREATE TABLE name (number int PRIMARY KEY)")
            let error = await failure {
                try await pool.use { connection in
                    try connection.copyIn("COPY name FROM STDIN") { rows in
                        for _ in 0..<200_000 { try rows.write(row: ["1"]) }
                    }
                }
            }
            #expect(error?.code == .uniqueViolation)
            #expect(error?.phase == .copying)
            let wrong = await failure { try await pool.use { try $0.copyIn("SELECT 1") { _ in } } }
            #expect(wrong?.code == .misplacedStatement)
            let missing = await failure {
                try await pool.use { try $0.copyOut("COPY nothing TO STDOUT") { _ in } }
            }
            #expect(missing?.code == .undefinedTable)
            #expect(pool.status.idle == 1)
        }
    }

    /// In a process of its own, whose memory nobody else uses.
    @Test func theMemoryDoesNotGrowWithTheRows() async throws {
        let server = try PostgresServer.shared()
        let address = try await server.newDatabase()
        let text =
            "postgres://postgres:\(server.password)@127.0.0.1:\(server.port)/\(address.database ?? "")"
        await #expect(processExitsWith: .success) { [text = text as String] in
            try await withPool(PoolSettings(PostgresAddress(text))) { pool in
                try await pool.query("CREATE TABLE big (text text)")
                let row = String(repeating: "x", count: 1_000)
                try await pool.query("SELECT 1")
                let before = peakBytes()
                try await pool.use { connection in
                    let written = try connection.copyIn("COPY big FROM STDIN") { rows in
                        for _ in 0..<100_000 { try rows.write(row: [row]) }
                    }
                    var bytes = 0
                    let copied = try connection.copyOut("COPY big TO STDOUT") { bytes += $0.count }
                    let read = try connection.forEachRow(of: "SELECT text FROM big") { row in
                        bytes += try row.value("text", as: String.self).utf8.count
                    }
                    precondition([written, copied, read] == [100_000, 100_000, 100_000])
                    precondition(bytes == 200_100_000)
                }
                precondition(peakBytes() - before < 8 << 20, "\(peakBytes() - before)")
            }
        }
    }
}

/// Returns the most memory that this process has used.
private func peakBytes() -> Int {
    let status = FileManager.default.contents(atPath: "/proc/self/status") ?? Data()
    let line = String(decoding: status, as: UTF8.self).split(separator: "\n")
        .first { $0.hasPrefix("VmHWM:") }
    let number = line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first
    return (number.flatMap { Int($0) } ?? 0) * 1_024
}
