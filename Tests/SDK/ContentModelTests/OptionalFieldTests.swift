import ContentModel
import Testing

/// Optional fields of a wrong type, as a device reads a blueprint with them.
@Suite struct OptionalFieldTests {
    private static let question = """
        {"id":"1","type":"single-choice","difficulty":1,"stem":"S","correct":[0],\
        "options":[{"id":"a","text":"x"},{"id":"b","text":"y"}]}
        """

    private func text(_ fields: String, domain: String? = nil) -> [UInt8] {
        let own = domain.map {
            Self.question.replacing("{\"id\":\"1\"", with: "{\"domain\":\"\($0)\",\"id\":\"1\"")
        }
        return Array(
            """
            {"kind":"exam","id":"de/x","title":"T",\(fields)"questions":[\(own ?? Self.question)]}
            """.utf8)
    }

    private func read(_ bytes: [UInt8]) throws -> (value: Blueprint, leftOut: [Problem]) {
        try ReleaseReader.blueprint(bytes)
    }

    @Test(arguments: [
        ("\"version\":3,", 1), ("\"levels\":\"6\",", 1), ("\"levels\":{\"6\":\"a\",\"2\":7},", 2),
        ("\"scoring\":[],", 1), ("\"scoring\":{\"pass\":70},", 1),
        ("\"scoring\":{\"pass\":\"x\",\"outOf\":\"8\"},", 2),
        ("\"scoring\":{\"cuts\":[{\"level\":1,\"from\":0},{\"level\":\"B\",\"from\":2}]},", 1),
        ("\"scoring\":{\"cuts\":[{\"level\":\"A\",\"from\":3}]},", 1), ("\"domains\":3,", 1),
    ])
    func aWrongTypeLeavesTheFieldOutAndCounts(fields: String, count: Int) throws {
        let (value, leftOut) = try read(text(fields))
        #expect(leftOut.count == count)
        #expect(value.questions.map(\.id) == ["1"] && value.leftOutCount == 0)
        #expect(value.version.isEmpty && value.levels.isEmpty && value.domains.isEmpty)
        #expect(value.scoring == Scoring())
        // The author learns the place.
        let error = #expect(throws: ContentError.self) { try Blueprint(released: text(fields)) }
        #expect(error?.problems.count ?? 0 >= count)
        #expect(error?.problems.allSatisfy { $0.position.line > 0 } == true)
    }

    @Test func whatIsRightBesideItStays() throws {
        let fields = """
            "version":"7","levels":{"1":"easy","9":"no"},"scoring":{"cuts":[{"level":"A","from":0}],\
            "outOf":[],"pass":0.5},
            """
        let (value, leftOut) = try read(text(fields))
        #expect(leftOut.count == 2)
        #expect(value.version == "7" && value.levels == [1: "easy"])
        #expect(
            value.scoring == Scoring(cuts: [CutScore(level: "A", from: 0)], passFraction: 0.5))
    }

    @Test func questionsKeepTheirDomainWhereItsIdCanBeRead() throws {
        let fields = "\"domains\":[{\"id\":\"net\",\"title\":4,\"weight\":\"30\"},7],"
        let (value, leftOut) = try read(text(fields, domain: "net"))
        #expect(leftOut.count == 3)
        #expect(value.domains == [Domain(id: "net", title: "net", weight: 1)])
        #expect(value.questions.map(\.domain) == ["net"])
        // An unreadable list of domains counts as none.
        let none = try read(text("\"domains\":\"net\",", domain: "net"))
        #expect(none.value.domains.isEmpty && none.value.questions.map(\.domain) == [nil])
    }

    @Test(arguments: [
        ("\"kind\":\"exam\"", "\"kind\":1"), ("\"id\":\"de/x\"", "\"id\":1"),
        ("\"title\":\"T\"", "\"title\":1"), ("\"questions\":[", "\"questions\":1,\"q\":["),
    ])
    func whatMakesADocumentUnusableRefusesIt(part: String, wrong: String) {
        let bytes = Array(
            String(decoding: text(""), as: UTF8.self).replacing(part, with: wrong).utf8)
        #expect(throws: ContentError.self) { try read(bytes) }
    }

    @Test func tooManyQuestionsAreNotReadOneByOne() {
        let many = Array(repeating: "1", count: ContentLimits.questionsMax + 1)
        let bytes = Array(
            String(decoding: text(""), as: UTF8.self)
                .replacing(Self.question, with: many.joined(separator: ",")).utf8)
        let error = #expect(throws: ContentError.self) { try read(bytes) }
        #expect(error?.problems.map(\.rule) == [.limitExceeded])
    }

    // MARK: The manifest

    @Test func oddEntriesBeyondTheFirstAreCounted() throws {
        let reference = "{\"checksum\":\"sha256:\(String(repeating: "ab", count: 32))\"}"
        let odd = (0..<5000).map { "\"o \($0)\":{\"blueprint\":\(reference)}" }
        let text =
            "{\"schemaVersion\":2,\"languages\":{\(odd.joined(separator: ",")),"
            + "\"de\":{\"blueprint\":\(reference)},\"es\":[]}}"
        let read = try ReleaseReader.manifest(Array(text.utf8)) { kind, key in
            kind == .blueprint && key == "es"
        }
        #expect(read.unread.count == ContentLimits.unreadEntriesListed + 1)
        // A shown document is named whatever comes before it.
        #expect(read.unread.last?.key == "es" && read.unread.last?.kind == .blueprint)
        #expect(read.unread.count + read.unlistedCount == 2 * 5001)
        let none = text.replacing("\"de\":{\"blueprint\":\(reference)},", with: "")
        let error = #expect(throws: ManifestError.self) {
            try ReleaseReader.manifest(Array(none.utf8))
        }
        #expect(error?.description.contains("(and 10001 more)") == true)
    }
}
