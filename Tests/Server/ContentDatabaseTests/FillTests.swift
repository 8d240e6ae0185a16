import ContentModel
import DatabaseTestSupport
import Foundation
import PostgresDriver
import TestSupport
import Testing

@testable import ContentDatabase

/// Filling the tables from releases.
@Suite struct FillTests {
    /// Every kind of question, with all that a question may have.
    private static let everyKind: [Question] = [
        Question(
            id: "single", type: .singleChoice, domain: "net", difficulty: 1, stem: "Was ist »TCP«?",
            image: "images/net.png",
            audio: QuestionAudio(file: "net.wav", title: "Ein Anruf", transcript: "Hallo."),
            options: [
                QuestionOption(id: "a", text: "Ein Protokoll", isPinned: true, feedback: "Ja."),
                QuestionOption(id: "b", text: "", image: "b.png"),
            ], correct: [0], explanation: "RFC 9293", tags: ["b", "a", "b"], shufflesOptions: false),
        Question(
            id: "multi", type: .multiChoice, domain: "net", difficulty: 2, stem: "\"{}\\ '",
            options: [
                QuestionOption(id: "a", text: "A"), QuestionOption(id: "b", text: "B"),
                QuestionOption(id: "c", text: "C"),
            ], correct: [2, 0], isRetired: true),
        Question(
            id: "order", type: .ordering, domain: "sec", difficulty: 3, stem: "Order",
            options: [QuestionOption(id: "a", text: "A"), QuestionOption(id: "b", text: "B")],
            correct: [1, 0]),
        Question(
            id: "code", type: .codeSnippet, domain: "sec", difficulty: 4, stem: "Prints?",
            code: CodeSnippet(language: "swift", text: "print(\"\\u{1}\")\n"),
            options: [QuestionOption(id: "a", text: "A"), QuestionOption(id: "b", text: "B")],
            correct: [1]),
        Question(
            id: "number", type: .numericEntry, domain: "sec", difficulty: 5, stem: "g?",
            key: .number(
                NumericKey(
                    .value(DecimalNumber("9.81")!, .absolute(DecimalNumber("0.01")!)), unit: "m/s²")
            )),
    ]

    private static let bank = Blueprint(
        kind: .exam, id: "de/all", title: "All", version: "2",
        domains: [
            Domain(id: "net", title: "Networks", weight: 30),
            Domain(id: "sec", title: "Security", weight: 0.5),
        ], levels: [1: "easy"], scoring: Scoring(passFraction: 0.72), questions: everyKind)

    private func questions(_ fixture: TablesFixture) async throws -> [String: Question] {
        let rows = try await fixture.pool.query(
            "select id, content.question_json(q) as question from content.questions as q")
        var questions: [String: Question] = [:]
        for row in rows {
            let json = try row.value("question", as: String.self)
            let report = DecodingReport(file: "q", strictness: .released)
            questions[try row.value("id")] = Question.read(
                try JSONParser.parse(Array(json.utf8)), report: report)
        }
        return questions
    }

    @Test func everyFieldOfEveryKindIsStored() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [Self.bank], updatedAt: 5)
        let report = try await fixture.fill()
        #expect(report.changed.map(\.description) == ["de/all"] && report.leftOut == [])
        let expected = Dictionary(uniqueKeysWithValues: Self.everyKind.map { ($0.id, $0) })
        #expect(try await questions(fixture) == expected)
        let exam = try await fixture.pool.query(
            """
            select e.title, e.version, e.levels->>'1' as level, (e.scoring->>'pass')::float8 as pass,
                extract(epoch from e.content_updated_at)::bigint as seconds,
                (select string_agg(d.id || d.title || d.weight, ',' order by d.place)
                    from content.domains as d where d.region = e.region and d.exam = e.id) as domains
            from content.regions as r join content.exams as e on e.region = r.id
            """)[0]
        #expect(try exam.value("title", as: String.self) == "All")
        #expect(try exam.value("level", as: String.self) == "easy")
        #expect(try exam.value("pass", as: Double.self) == 0.72)
        #expect(try exam.value("seconds", as: Int.self) == 5)
        #expect(try exam.value("domains", as: String.self) == "netNetworks30,secSecurity0.5")
    }

    @Test func onlyChangedRowsAreWritten() async throws {
        let fixture = try await TablesFixture()
        let other = BankFixture.bank("fr/b", ["x": "1"])
        try fixture.publish(1, [Self.bank, other])
        try await fixture.fill()
        let before = try await versions(fixture)
        var bank = Self.bank
        bank.questions[2].stem = "Order!"
        bank.questions.remove(at: 0)
        bank.questions.append(BankFixture.question("new", stem: "new"))
        bank.questions[4].domain = "net"
        try fixture.publish(2, [bank, other])
        let report = try await fixture.fill()
        #expect(report.changed.map(\.description) == ["de/all"])
        #expect(report.questionsWritten == 2 && report.questionsRemoved == 1)
        let after = try await versions(fixture)
        let changed = Set(after.keys).union(before.keys).filter { before[$0] != after[$0] }
        #expect(changed == ["order", "single", "new"])
    }

    /// The identity of each row's version: another one after each write.
    private func versions(_ fixture: TablesFixture) async throws -> [String: String] {
        let rows = try await fixture.pool.query("select id, xmin::text from content.questions")
        return Dictionary(
            uniqueKeysWithValues: try rows.map { (try $0.value("id"), try $0.value("xmin")) })
    }

    @Test func domainsComeAndGoWithTheirQuestions() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [Self.bank])
        try await fixture.fill()
        var bank = Self.bank
        bank.domains = [Domain(id: "all", title: "All", weight: 1)]
        for index in bank.questions.indices { bank.questions[index].domain = "all" }
        try fixture.publish(2, [bank])
        try await fixture.fill()
        let rows = try await fixture.pool.query("select id from content.domains")
        #expect(try rows.column("id", as: String.self) == ["all"])
    }

    @Test func aReleaseIsFilledOnceAndAnOlderOneNever() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(2, [BankFixture.bank("de/a", ["x": "1"])])
        let first = try await fixture.fill()
        #expect(first.revision == 1)
        await #expect(throws: TablesFixture.Unfilled.self) { try await fixture.fill() }
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "0"])])
        await #expect(throws: TablesFixture.Unfilled.self) { try await fixture.fill() }
        // A release without a changed exam moves the release on, and not the revision.
        try fixture.publish(3, [BankFixture.bank("de/a", ["x": "1"])])
        #expect(try await fixture.fill().revision == 1)
        let position = try await fixture.tables.position()
        #expect(position.release == 3 && position.revision == 1)
    }

    @Test func aDamagedReleaseChangesNothing() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1"])])
        try await fixture.fill()
        let damaged = BankFixture.bank("de/b", ["y": "1"])
        try fixture.publish(2, [BankFixture.bank("de/a", ["x": "2"]), damaged])
        try fixture.folder.write(
            "x", to: ReleasePath.object(Checksum(of: damaged.canonicalBytes)).text)
        let error = await #expect(throws: ContentDatabaseError.self) { try await fixture.fill() }
        #expect(error?.code == .unreadableRelease && error?.message.contains("de/b") == true)
        #expect(try await questions(fixture)["x"]?.stem == "1")
        #expect(try await fixture.tables.position().release == 1)
    }

    @Test func whatCannotBeStoredIsLeftOutAndNamed() async throws {
        let fixture = try await TablesFixture()
        try fixture.publish(1, [BankFixture.bank("de/a", ["x": "1", "y": "a\u{0}b"])])
        let report = try await fixture.fill()
        #expect(report.leftOut == ["de/a: y has U+0000"])
        #expect(try await questions(fixture).keys.sorted() == ["x"])
    }

    /// Eight processes see a new release at the same moment: one fills, the others find it done.
    @Test func processesFillOneAtATime() async throws {
        let fixture = try await TablesFixture()
        for release in 1...5 {
            let stems: KeyValuePairs = ["x": "\(release)", "y": "same"]
            try fixture.publish(release, [BankFixture.bank("de/a", stems)])
            let reports = try await withThrowingTaskGroup(of: FillReport?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        let pool = PostgresPool(PoolSettings(fixture.address))
                        let outcome = try await ContentTables(pool: pool).fill(
                            from: fixture.folder.path, now: Moment(microseconds: 1_000_000))
                        await pool.close()
                        guard case .filled(let report) = outcome else { return nil }
                        return report
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
            }
            #expect(reports.count == 1 && reports.first?.revision == Int64(release))
        }
    }

    @Test func anErrorOfTheDatabaseSaysWhatToDo() async throws {
        let address = try await PostgresServer.shared().newDatabase("empty")
        let tables = ContentTables(pool: PostgresPool(PoolSettings(address)))
        let error = await #expect(throws: ContentDatabaseError.self) { try await tables.position() }
        #expect(error?.code == .outdatedSchema)
        let exam = try #require(ExamKey("de/a"))
        let request = try ChangesRequest(exam: exam, since: nil, limit: nil)
        let other = await #expect(throws: ContentDatabaseError.self) {
            try await tables.changes(request)
        }
        #expect(other?.code == .outdatedSchema)
    }
}
