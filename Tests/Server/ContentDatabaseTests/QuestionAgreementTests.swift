import PostgresDriver
import TestSupport
import Testing

@testable import ContentDatabase
@testable import ContentModel

/// The constraints of the tables accept exactly the questions that the checker accepts.
@Suite struct QuestionAgreementTests {
    /// Tries to store each question, and undoes it; `text` is what the database read.
    private static let accepts = """
        create function accepts(q jsonb) returns boolean language plpgsql as $$
        begin
            insert into content.questions (region, exam, id, type, difficulty, stem, code_language,
                code, image, audio, options, correct, explanation, tags, bytes, checksum,
                content_updated_at, revision)
            values ('de', 'aws', q->>'id', q->>'type', (q->>'difficulty')::integer, q->>'stem',
                q->'code'->>'language', q->'code'->>'text', q->>'image',
                nullif(q->'audio', 'null'), nullif(q->'options', 'null'), nullif(case when q->>'type' = 'numeric-entry'
                    then q->'number' else q->'correct' end, 'null'), q->>'explanation',
                coalesce((select array_agg(tag) from jsonb_array_elements_text(q->'tags') as tag),
                    '{}'), 1, 'checksum', now(), 1);
            raise exception using errcode = 'UW999';
        exception
            when check_violation or not_null_violation then return false;
            when sqlstate 'UW999' then return true;
        end $$;
        insert into content.regions values ('de');
        insert into content.exams (region, id, title, version, checksum, content_updated_at, revision)
        values ('de', 'aws', 'AWS', '1', 'checksum', now(), 1);
        """

    private static func verdict(_ json: String) throws -> Bool {
        let report = DecodingReport(file: "question.json", strictness: .authored)
        let node: DocumentNode
        do {
            node = try JSONParser.parse(Array(json.utf8))
        } catch {
            // A number beyond all doubles.
            return false
        }
        return Question.read(node, report: report) != nil
    }

    /// The judgement of both sides about one question.
    private struct Judgement {
        var json: String
        var type: String
        var isAccepted: Bool
        var isSound: Bool
    }

    /// Has 100 questions judged by both.
    private static func judgements(
        _ fixture: TablesFixture, _ questions: inout RandomQuestion<SeededGenerator>
    ) async throws -> [Judgement] {
        let batch = (0..<100).map { _ in questions.next() }
        let rows = try await fixture.pool.query(
            """
            select q::text as text, q->>'type' as type, accepts(q) as is_accepted
            from unnest(\(batch)::jsonb[]) with ordinality as t (q, place) order by place
            """)
        return try rows.map { row in
            // The database keeps one of two equal names, and no exponents: its text is judged.
            let text = try row.value("text", as: String.self)
            return Judgement(
                json: text, type: try row.value("type", as: String?.self) ?? "",
                isAccepted: try row.value("is_accepted"), isSound: try verdict(text))
        }
    }

    @Test(arguments: [UInt64(1), 2, 3, 4])
    func mutatedQuestionsAreJudgedAlike(seed: UInt64) async throws {
        let fixture = try await TablesFixture()
        try await fixture.execute(Self.accepts)
        var questions = RandomQuestion(using: SeededGenerator(seed: seed))
        var all: [Judgement] = []
        for _ in 0..<25 { all += try await Self.judgements(fixture, &questions) }
        for one in all {
            #expect(one.isAccepted == one.isSound, "seed \(seed): \(one.json.prefix(2_000))")
        }
        for type in QuestionType.allCases.map(\.rawValue) {
            let sound = all.count { $0.type == type && $0.isSound }
            let unsound = all.count { $0.type == type && !$0.isSound }
            #expect(sound > 50 && unsound > 50, "seed \(seed), \(type): \(sound) and \(unsound)")
        }
    }

    /// Functions that look right and are not; the comparison finds each of them.
    @Test(arguments: [
        ("is_visible(value text) returns boolean", "coalesce(value ~ '\\S', false)"),
        ("identifier_ok(value text) returns boolean", "value ~ '^[A-Za-z0-9._-]+$'"),
        ("spaced_text(value text) returns text", "lower(value)"),
        ("spaced_text(value text) returns text", "value"),
        ("text_ok(value text) returns boolean", "coalesce(char_length(value) <= 16384, false)"),
        ("path_ok(value text) returns boolean", "coalesce(value !~ '[.][.]|^/', false)"),
        ("decimal_text(value text) returns numeric", "value::numeric"),
        ("plain_number(value double precision) returns numeric", "value::numeric"),
    ])
    func aWrongConstraintIsFound(function: String, body: String) async throws {
        let fixture = try await TablesFixture()
        try await fixture.execute(Self.accepts)
        try await fixture.execute(
            """
            create or replace function content.\(function) language plpgsql immutable as $$
            begin return \(body); exception when others then return null; end $$
            """)
        var questions = RandomQuestion(using: SeededGenerator(seed: 1))
        for _ in 0..<100 {
            let some = try await Self.judgements(fixture, &questions)
            if some.contains(where: { $0.isAccepted != $0.isSound }) { return }
        }
        Issue.record("seed 1: 10,000 questions agree with \(body)")
    }

    /// What the text of JSON says and `jsonb` does not is refused before: by the reader of releases.
    @Test(arguments: [
        ("\"correct\":[0]", "\"correct\":[0e0]"),
        ("\"correct\":[0]", "\"correct\":[0],\"correct\":[1]"),
        ("\"text\":\"A\"", "\"text\":\"A\",\"text\":\"B\""),
    ])
    func theTextIsCheckedBefore(sound: String, damaged: String) throws {
        let bank = BankFixture.bank("de/aws", ["q1": "Stem"])
        let text = String(decoding: bank.canonicalBytes, as: UTF8.self)
        #expect(text.contains(sound))
        #expect(throws: ContentError.self) {
            try ReleaseReader.blueprint(Array(text.replacing(sound, with: damaged).utf8))
        }
    }

    /// Each comparison of texts, pair by pair: the random questions meet few of them.
    @Test func textsAreComparedAlike() async throws {
        let fixture = try await TablesFixture()
        var random = SeededGenerator(seed: 14)
        let scalars = (0..<20_000).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 1...0x2FFFF, using: &random))
        }
        let texts = stride(from: 0, to: scalars.count - 3, by: 3).map { start in
            let separator = ["", " ", "x"].randomElement(using: &random) ?? ""
            return scalars[start..<start + 3].map { "\($0)" }.joined(separator: separator)
        }
        for start in stride(from: 0, to: texts.count, by: 500) {
            let batch = Array(texts[start..<min(start + 500, texts.count)])
            let rows = try await fixture.pool.query(
                """
                select content.spaced_text(t.text) as compared, content.is_visible(t.text) as visible
                from unnest(\(batch)::text[]) with ordinality as t (text, place) order by place
                """)
            for (text, row) in zip(batch, rows) {
                // `==` of Swift is canonical equivalence.
                let compared = try row.value("compared", as: String.self)
                #expect(compared == text.singleSpaced, "\(text.debugDescription)")
                #expect(try row.value("visible", as: Bool.self) == !text.isBlank)
            }
        }
    }
}
