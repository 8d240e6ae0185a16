import DatabaseTestSupport
import Foundation
import GRDB
import TestSupport
import Testing

/// Statistics by difficulty follow the releases: what `serve` stores beside the answers on SQLite.
@Suite struct DifficultyTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
    }

    private func write(_ exam: String, _ difficulties: [Int]) throws {
        try folder.write("title: \(exam)\n", to: "content/exams/int/\(exam)/exam.yaml")
        try folder.write(
            difficulties.enumerated().map { number, difficulty in
                """
                - id: q\(number)
                  type: numeric-entry
                  difficulty: \(difficulty)
                  stem: How much is \(number)?
                  number: { value: \(number) }

                """
            }.joined(), to: "content/exams/int/\(exam)/questions.yaml")
    }

    private func publish() async throws {
        let result = try await Tool.run([
            "publish", "--content", folder.path + "/content", "--release",
            folder.path + "/release",
        ])
        #expect(result.status == 0, "\(result.errors)")
    }

    /// Waits until the database has these rows.
    private func expect(_ rows: [String]) async throws {
        let database = try DatabaseQueue(path: folder.path + "/users/users.sqlite")
        try await eventually("\(rows)") {
            try await database.read { database in
                try String.fetchAll(
                    database,
                    sql: """
                        SELECT bank || ' ' || question || ' ' || difficulty FROM question_difficulty
                        ORDER BY bank, question
                        """)
            } == rows
        }
    }

    @Test func theyAreThoseOfTheCurrentRelease() async throws {
        try write("a", [1, 5])
        try write("b", [3])
        try await publish()
        let server = try await Tool.Server([
            "--release", folder.path + "/release", "--data", folder.path + "/users",
        ])
        defer { try? server.kill() }
        try await expect(["int/a q0 1", "int/a q1 5", "int/b q0 3"])
        try write("a", [2])
        try await publish()
        try await expect(["int/a q0 2", "int/b q0 3"])
        #expect(try await server.end() == 0)
        // What was published meanwhile is read at the next start.
        try FileManager.default.removeItem(atPath: folder.path + "/content/exams/int/b")
        try write("c", [4])
        try await publish()
        try await server.start()
        try await expect(["int/a q0 2", "int/c q0 4"])
    }
}
