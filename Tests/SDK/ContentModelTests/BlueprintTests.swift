import ContentModel
import Testing

@Suite struct BlueprintTests {
    static let question = Question(
        id: "q1", type: .multiChoice, domain: "net", difficulty: 3, stem: "Which?",
        code: CodeSnippet(language: "swift", text: "let a = 1"), image: "a.svg",
        options: [
            QuestionOption(id: "a", text: "one"),
            QuestionOption(id: "b", text: "two", isPinned: true),
            QuestionOption(id: "c", text: "", image: "c.svg"),
        ], correct: [2, 0], explanation: "Because.", tags: ["t"], shufflesOptions: false)

    static let blueprint = Blueprint(
        kind: .exam, id: "de/aws", title: "Exam", version: "2",
        domains: [Domain(id: "net", title: "Net", weight: 30.5)], levels: [1: "easy", 5: "hard"],
        scoring: Scoring(cuts: [CutScore(level: "A", from: 0)], passFraction: 0.72),
        questions: [question])

    @Test func writtenAndReadBackIsTheSame() throws {
        let bytes = Self.blueprint.json.canonicalBytes
        #expect(try Blueprint(released: bytes) == Self.blueprint)
        #expect(try Blueprint(released: bytes).json.canonicalBytes == bytes)
    }

    @Test func writtenDirectlyItIsTheSameAsByItsJSON() {
        var blueprint = Self.blueprint
        #expect(blueprint.canonicalBytes == blueprint.json.canonicalBytes)
        blueprint.questions[0].isRetired = true
        blueprint.questions[0].stem = "a \"b\" \\ \u{1} \n é 😀"
        blueprint.questions[0].options[0].feedback = "\""
        blueprint.questions.append(
            Question(
                id: "q2", type: .ordering, difficulty: 1, stem: "",
                options: [QuestionOption(id: "a", text: "\t")], correct: []))
        blueprint.domains = []
        blueprint.levels = [:]
        blueprint.scoring = Scoring()
        #expect(blueprint.canonicalBytes == blueprint.json.canonicalBytes)
        blueprint.questions = []
        #expect(blueprint.canonicalBytes == blueprint.json.canonicalBytes)
    }

    @Test func theKeyNamesOptionsByTheirIDs() {
        #expect(Self.question.correctOptionIDs == ["c", "a"])
        #expect(Self.blueprint.region == "de")
    }

    @Test func aDeviceIgnoresFieldsOfALaterVersion() throws {
        guard case .object(var members) = Self.blueprint.json else { return }
        members["future"] = ["x": 1]
        #expect(try Blueprint(released: JSONValue.object(members).canonicalBytes) == Self.blueprint)
    }

    @Test func aDeviceRefusesAKeyThatIsOutOfRange() {
        var broken = Self.blueprint
        broken.questions[0].correct = [7]
        let bytes = broken.json.canonicalBytes
        let error = #expect(throws: ContentError.self) { try Blueprint(released: bytes) }
        #expect(error?.problems.map(\.rule) == [.keyOutOfRange])
    }

    @Test func everyProblemOfAnAuthorIsReportedAtOnce() throws {
        let text = """
            {"kind": "placement", "id": "es", "titel": "x", "questions": [
              {"id": "q 1", "type": "choice", "difficulty": 9, "stem": " ",
               "options": [{"id": "a", "text": "x"}, {"id": "a", "text": "X"}], "correct": [5]}]}
            """
        let report = DecodingReport(file: "f.json", strictness: .authored)
        _ = Blueprint.read(try JSONParser.parse(Array(text.utf8)), report: report)
        #expect(report.problems.map(\.rule).contains(.unknownField))
        #expect(report.problems.map(\.rule).contains(.missingField))
    }

    @Test func questionsOfOneReportAreAllRead() throws {
        let text = """
            [{"id": "q 1", "type": "choice", "difficulty": 9, "stem": " ",
               "options": [{"id": "a", "text": "x"}, {"id": "a", "text": "X"}], "correct": [5]},
             {"id": "ok", "type": "ordering", "difficulty": 1, "stem": "s",
               "options": [{"id": "a", "text": "x"}, {"id": "b", "text": "y"}], "correct": [1]}]
            """
        let report = DecodingReport(file: "f.json", strictness: .authored)
        var blueprint = Self.blueprint
        blueprint.domains = []
        blueprint.questions = []
        blueprint.addQuestions(try JSONParser.parse(Array(text.utf8)), report: report)
        #expect(
            report.problems.map(\.rule) == [
                .invalidValue, .invalidValue, .difficultyRange, .stemBlank, .optionDuplicate,
                .optionCase, .keyOutOfRange, .keyCount,
            ])
        #expect(blueprint.questions.isEmpty)
    }

    /// No database stores it, and no page shows it; what is released already is still read.
    @Test(arguments: ["stem", "explanation", "feedback", "text"])
    func anAuthorsTextHasNoNull(field: String) throws {
        let member = { (name: String) in name == field ? "a\\u0000b" : "a \(name)" }
        let text = """
            {"id": "q", "type": "single-choice", "difficulty": 1, "stem": "\(member("stem"))",
             "explanation": "\(member("explanation"))", "correct": [0], "options": [
               {"id": "a", "text": "\(member("text"))", "feedback": "\(member("feedback"))"},
               {"id": "b", "text": "y"}]}
            """
        let node = try JSONParser.parse(Array(text.utf8))
        let authored = DecodingReport(file: "f.json", strictness: .authored)
        #expect(Question.read(node, report: authored) == nil)
        #expect(authored.problems.map(\.rule) == [.invalidValue])
        let released = DecodingReport(file: "f.json", strictness: .released)
        #expect(Question.read(node, report: released) != nil)
    }
}
