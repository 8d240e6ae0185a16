import Testing

@testable import ContentModel

/// The clip of a question: what an author writes, what a release has, and what older apps do with it.
@Suite struct QuestionAudioTests {
    private func read(
        _ audio: String, _ strictness: DecodingReport.Strictness = .authored,
        as profile: DecoderProfile? = nil
    ) throws -> (Question?, DecodingReport) {
        let source = """
            {"id": "q", "type": "single-choice", "difficulty": 1, "stem": "What do you hear?",
             "audio": \(audio), "correct": [0],
             "options": [{"id": "a", "text": "a bell"}, {"id": "b", "text": "a horn"}]}
            """
        let report = DecodingReport(file: "q.yaml", strictness: strictness, profile: profile)
        return (Question.read(try JSONParser.parse(Array(source.utf8)), report: report), report)
    }

    private static let whole =
        #"{"file": "bell.wav", "title": "At the harbour", "transcript": "A bell."}"#

    @Test func aReleaseHasTheClipAsTheAuthorWroteIt() throws {
        let (read, report) = try read(Self.whole)
        let question = try #require(read)
        #expect(report.problems == [])
        #expect(
            question.audio
                == QuestionAudio(
                    file: "bell.wav", title: "At the harbour", transcript: "A bell."))
        #expect(question.mediaNames == ["bell.wav"] && question.imageNames == [])
        let bank = Blueprint(
            kind: .exam, id: "int/demo", title: "T", version: "1", questions: [question])
        #expect(bank.canonicalBytes == bank.json.canonicalBytes)
        #expect(try Blueprint(released: bank.canonicalBytes).questions == [question])
    }

    @Test func aClipWithoutATitleIsWarnedAbout() throws {
        for audio in [#"{"file": "bell.wav"}"#, #"{"file": "bell.wav", "title": " "}"#] {
            let (question, report) = try read(audio)
            #expect(question?.audio?.file == "bell.wav")
            #expect(report.problems.map(\.rule) == [.audioTitle])
            #expect(report.problems.first?.rule.severity == .warning)
        }
    }

    @Test(arguments: [
        (#"{"title": "T"}"#, Rule.missingField), (#""bell.wav""#, .wrongType),
        (#"{"file": "../bell.wav", "title": "T"}"#, .unsafePath),
        (#"{"file": "bell.svg", "title": "T"}"#, .invalidValue),
        (#"{"file": "bell.wav", "title": "T", "loop": true}"#, .unknownField),
    ])
    func aClipThatNoAppCanPlayIsRefused(audio: String, rule: Rule) throws {
        let (question, report) = try read(audio)
        #expect(question == nil)
        #expect(report.problems.map(\.rule) == [rule])
    }

    @Test func aTranscriptIsNoPartOfWhatIsAskedAndATitleIs() throws {
        let question = try #require(try read(Self.whole).0)
        var other = question
        other.audio?.transcript = "Another bell."
        #expect(other.asked == question.asked && other != question)
        other.audio?.title = "On a ship"
        #expect(other.asked != question.asked)
    }

    @Test func anAppThatKnowsNoClipsWouldAskWithoutIt() throws {
        var older = DecoderProfile.current(appVersion: "1.0")
        older.fields["question"]?.remove("audio")
        let (question, report) = try read(Self.whole, .released, as: older)
        #expect(question != nil && question?.audio == nil)
        #expect(report.ignored.map(\.field) == ["audio"])
        #expect(DocumentShape.question.severity(of: "audio") == .misleads(.picture))
        #expect(DocumentShape.audio.severity(of: "transcript") == .degrades)
    }
}
