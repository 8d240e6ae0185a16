import ContentDatabase
import ContentModel
import DatabaseTestSupport
import HTTPTypes
import PostgresDriver
import ServerTestSupport
import TestSupport
import Testing

/// Hostile texts at the routes of published questions: the release and the tables give the same reply.
@Suite struct HostileExamTests {
    private let folder: TemporaryFolder
    private let routers: [InProcessRouter]

    init() async throws {
        folder = try TemporaryFolder()
        let question = Question(
            id: "q", type: .singleChoice, difficulty: 3,
            stem: "'; DROP TABLE content.questions; --",
            options: [QuestionOption(id: "a", text: "A"), QuestionOption(id: "b", text: "\\")],
            correct: [0])
        let bank = Blueprint(
            kind: .exam, id: "de/x", title: "x", version: "1", questions: [question])
        let checksum = Checksum(of: bank.canonicalBytes)
        try folder.write(bank.canonicalBytes, to: ReleasePath.object(checksum).text)
        var manifest = Manifest(release: 1)
        manifest.exams["de/x"] = ExamEntry(
            blueprint: ContentReference(checksum: checksum, size: bank.canonicalBytes.count))
        try folder.write(manifest.canonicalBytes, to: ReleasePath.manifest.text)
        let server = try await UserDatabaseServer()
        let tables = ContentTables(pool: PostgresPool(PoolSettings(server.login)))
        let outcome = try await tables.fill(from: folder.path, now: Moment(microseconds: 1))
        guard case .filled = outcome else { throw ProgramFailure(description: "\(outcome)") }
        routers = [
            InProcessRouter(release: folder.path),
            InProcessRouter(release: folder.path, tables: tables),
        ]
    }

    /// Compares the two replies; pages name their histories, which differ.
    private func send(_ path: String) async throws -> TestClient.Reply {
        let one = try await routers[0].get("/api/v1/exams/" + path)
        let other = try await routers[1].get("/api/v1/exams/" + path)
        #expect(one.status == other.status && other.status.code < 500, "\(path) \(other.text)")
        if !other.isSuccess { #expect(one.body == other.body, "\(path)") }
        return other
    }

    @Test func theQuestionItselfIsAnswered() async throws {
        #expect(try await send("de/x/questions?difficulty=3").text.contains("DROP TABLE"))
        #expect(try await send("de/x/changes").text.contains("DROP TABLE"))
    }

    @Test func parametersAreJudgedAlike() async throws {
        for text in HostileTexts.all {
            let part = HostileTexts.encoded(text)
            for path in [
                "\(part)/x/questions", "de/\(part)/questions", "\(part)/x/changes",
                "de/\(part)/changes", "de/x/questions?difficulty=\(part)",
                "de/x/questions?after=\(part)", "de/x/questions?limit=\(part)",
                "de/x/changes?limit=\(part)",
            ] { _ = try await send(path) }
        }
        #expect(try await send("de/x/questions").text.contains("DROP TABLE"))
    }
}
