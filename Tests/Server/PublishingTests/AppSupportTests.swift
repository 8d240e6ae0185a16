import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Content that a declared version of the app cannot read, at its source, in `check` and `publish`.
@Suite struct AppSupportTests {
    private let library: Library

    init() throws { library = try Library(["es"]) }

    private func write(_ text: String, to path: String) throws {
        try library.folder.write(text, to: "content/" + path)
    }

    private func declare(_ lines: String) throws {
        try write("name: Test\nannouncements: { languages: [en] }\n\(lines)\n", to: "underway.yaml")
    }

    /// Declares app 1.0, whose reader is that of this version but for some changes.
    private func declare(
        policy: String = "refuse", _ change: (inout DecoderProfile) -> Void
    ) throws {
        var profile = DecoderProfile.current(appVersion: "1.0")
        change(&profile)
        try write(profile.text, to: "profiles/1.0.json")
        try declare("supports: [profiles/1.0.json]\nunsupported: \(policy)")
    }

    private static func withoutOrdering(_ profile: inout DecoderProfile) {
        profile.names["questionTypes"]?.remove("ordering")
    }

    private static func withoutFeedback(_ profile: inout DecoderProfile) {
        profile.fields["option"]?.remove("feedback")
    }

    private func writeNumber(_ number: String) throws {
        try write(
            """
            - id: n1
              type: numeric-entry
              domain: net
              difficulty: 1
              stem: "How much?"
              number: \(number)

            """, to: "exams/int/demo/questions-more.yaml")
    }

    private func writeOrdering() throws {
        try write(
            """
            questions:
              - id: q8
                type: single-choice
                domain: net
                difficulty: 1
                stem: "Which is right?"
                options: [{ id: a, text: this }, { id: b, text: that }]
                correct: [0]
              - id: q9
                domain: net
                difficulty: 1
                stem: "In which order?"
                type: ordering
                options: [{ id: a, text: second }, { id: b, text: first }]
                correct: [1, 0]

            """, to: "exams/int/demo/questions-more.yaml")
    }

    private func check(_ supports: [String] = []) throws -> [Problem] {
        try ContentChecker.check(folder: library.content, supports: supports)
    }

    private func publish(_ supports: [String] = []) throws -> PublishSummary {
        var publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        publisher.supports = supports
        return try publisher.publish(nowSeconds: 2_000_000_000, generatedAt: "now")
    }

    // MARK: What is found

    @Test func aQuestionThatAVersionLeavesOutStopsAPublish() throws {
        try writeOrdering()
        try declare(Self.withoutOrdering)
        let found = try check()
        #expect(
            found.map(\.summary) == [
                "exams/int/demo/questions-more.yaml:13:11: error: the question \"q9\" is left out by app"
                    + " 1.0: \"type\" must be one of single-choice, multi-choice, code-snippet,"
                    + " numeric-entry, not \"ordering\" [unsupported]"
            ])
        #expect(found.first?.hint.contains("`unsupported: warn` lets it pass") == true)
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.code == .contentErrors && error?.problems == found)
        #expect(!library.folder.exists("release/manifest.json"))
    }

    @Test func itIsAWarningWhereTheSettingsSaySo() throws {
        try writeOrdering()
        try declare(policy: "warn", Self.withoutOrdering)
        #expect(try check().map(\.rule) == [.partlySupported])
        for _ in 0..<2 {
            let summary = try library.publish()
            let found = try check()
            #expect(summary.release == 1 && summary.warnings == found)
        }
        let status = try Publisher(folder: library.content, releaseDirectory: library.release)
            .status()
        #expect(status.warnings.map(\.rule) == [.partlySupported])
    }

    @Test func aDocumentThatAVersionRefusesIsNamedOnce() throws {
        try declare { $0.names["blueprintKinds"] = ["exam"] }
        let found = try check()
        #expect(found.map(\.rule) == [.unsupported])
        #expect(found.first?.file == "languages/es/blueprint.yaml")
        #expect(found.first?.position == SourcePosition(line: 1, column: 7))
        #expect(
            found.first?.message.hasPrefix(
                "the whole blueprint \"es\" is refused by app 1.0, which keeps what it has") == true
        )
    }

    @Test func aFieldThatAVersionIgnoresIsAWarningWithItsCount() throws {
        try write(
            """
            - id: q9
              type: single-choice
              domain: net
              difficulty: 1
              stem: "Which is right?"
              options:
                - { id: a, text: this, feedback: Yes. }
                - { id: b, text: that, feedback: No. }
                - { id: c, text: third, feedback: Nor this. }
              correct: [0]

            """, to: "exams/int/demo/questions-more.yaml")
        try declare(Self.withoutFeedback)
        #expect(try check().contains { $0.message.hasSuffix("ignored by app 1.0, in 3 places") })
        #expect(try library.publish().warnings == (try check()))
    }

    /// What a version shows wrongly is an error; what it shows less of is a warning.
    @Test func aPictureThatAVersionIgnoresIsAnError() throws {
        try declare { $0.fields["question"]?.remove("image") }
        #expect(
            try check().map(\.summary) == [
                "exams/int/demo/questions.yaml:8:10: error: the field \"image\" of a question is"
                    + " ignored by app 1.0, which then asks without it [unsupported]"
            ])
        // A question that is not asked misleads nobody, unless the version asks it all the same.
        let file = "exams/int/demo/questions.yaml"
        let text = String(decoding: try library.folder.read("content/" + file), as: UTF8.self)
        try write(
            text.replacing("  image: one.svg", with: "  image: one.svg\n  retired: true"),
            to: file)
        #expect(try check() == [])
        try declare { $0.fields["question"]?.subtract(["image", "retired"]) }
        let asked = try check()
        #expect(asked.map(\.rule) == [.unsupported, .unsupported])
        #expect(asked.contains { $0.message.hasSuffix("which then still asks it") })
    }

    /// A version that ignores a tolerance judges right answers wrong.
    @Test func aFieldThatDecidesGradesIsAnError() throws {
        try writeNumber("{ value: 2, tolerance: 0.5 }")
        try declare { $0.fields["number"]?.remove("tolerance") }
        let found = try check()
        #expect(found.map(\.rule) == [.unsupported])
        #expect(found.first?.position == SourcePosition(line: 6, column: 34))
        #expect(found.first?.message.contains("which then grades otherwise") == true)
    }

    /// A unit is shown, and decides nothing.
    @Test func aUnitThatAVersionIgnoresIsAWarning() throws {
        try writeNumber("{ value: 2, unit: km }")
        try declare { $0.fields["number"]?.remove("unit") }
        let found = try check()
        #expect(found.map(\.rule) == [.partlySupported])
        #expect(found.first?.message.contains("grades") == false)
    }

    /// What is not asked any more is missed by nobody.
    @Test func aRetiredQuestionThatAVersionLeavesOutIsNone() throws {
        try writeOrdering()
        try declare(Self.withoutOrdering)
        #expect(try check().map(\.rule) == [.unsupported])
        let file = "exams/int/demo/questions-more.yaml"
        let text = String(
            decoding: try library.folder.read("content/" + file), as: UTF8.self)
        try write(
            text.replacing("type: ordering", with: "type: ordering\n    retired: true"), to: file)
        #expect(try check().isEmpty)
    }

    @Test func fieldsOfTheHeadAndTextsAreFoundAtTheirSources() throws {
        try declare { $0.fields["domain"]?.remove("title") }
        let found = try check()
        #expect(Set(found.map(\.file)) == ["exams/int/demo/exam.yaml"])
        #expect(
            found.contains {
                $0.message.hasPrefix("the domain \"net\" or a field of it is left out by app 1.0")
            })
    }

    @Test func aCorrectionIsFoundInItsFile() throws {
        try write(
            """
            - question: q1
              versions: ["sha256:\(String(repeating: "0", count: 64))"]
              was: b
              is: a
              day: "2026-05-03"

            """, to: "exams/int/demo/corrections.yaml")
        try declare { $0.fields["correction"]?.remove("day") }
        #expect(
            try check().map(\.summary) == [
                "exams/int/demo/corrections.yaml:5:8: warning: the field \"day\" of a correction is"
                    + " ignored by app 1.0 [partly-supported]"
            ])
        try declare { $0.fields["correction"]?.remove("was") }
        #expect(
            try check().map(\.message) == [
                "a correction of \"q1\" is left out by app 1.0: the field \"was\" is missing"
            ])
    }

    @Test func anAnnouncementIsFoundInItsFile() throws {
        for (number, type) in [(1, "information"), (2, "email")] {
            try write(
                """
                identifier: \(number)
                type: \(type)
                link: a@example.org
                texts: { en: { title: T, content: C, buttons: { mail: Write } } }
                start: "200\(number)-01-01T00:00:00Z"
                end: "200\(number)-02-01T00:00:00Z"

                """, to: "announcements/\(number).yaml")
        }
        try declare { $0.names["announcementTypes"]?.remove("email") }
        let found = try check()
        #expect(found.map(\.file) == ["announcements/2.yaml"])
        #expect(found.map(\.position) == [SourcePosition(line: 2, column: 7)])
        #expect(found.first?.message.hasPrefix("the announcement 2 is left out") == true)
    }

    @Test func theManifestIsReadAsAVersionReadsIt() throws {
        try declare { $0.names["assetClasses"]?.remove("onDemand") }
        #expect(
            try check().map(\.summary) == [
                "assets/later.bin:1:1: warning: the value \"onDemand\" of \"class\" of an asset is ignored"
                    + " by app 1.0 [partly-supported]"
            ])
        try declare { $0.limits["manifestSchema"] = 1 }
        let refused = try check()
        #expect(refused.map(\.rule) == [.unsupported])
        #expect(refused.first?.file == "underway.yaml")
        #expect(refused.first?.message.hasPrefix("every release is refused by app 1.0") == true)
        #expect(throws: PublishingError.self) { try library.publish() }
        try declare { $0.limits["manifestBytes"] = 100 }
        #expect(try check().map(\.rule) == [.unsupported])
        #expect(throws: PublishingError.self) { try library.publish() }
        try declare { $0.limits["fileBytes"] = 1 }
        #expect(
            Set(try check().map(\.file))
                == [
                    "assets/later.bin", "assets/links.json", "exams/int/demo", "languages/es",
                ])
    }

    @Test func versionsWithTheSameFindingAreNamedTogether() throws {
        try writeOrdering()
        for version in ["1.0", "1.1"] {
            var profile = DecoderProfile.current(appVersion: version)
            Self.withoutOrdering(&profile)
            try write(profile.text, to: "profiles/\(version).json")
        }
        try write(DecoderProfile.current(appVersion: "2.0").text, to: "profiles/2.0.json")
        try declare("supports: [profiles]")
        #expect(try check().map { $0.message.contains("left out by app 1.0, 1.1:") } == [true])
    }

    // MARK: Unchanged content

    @Test func aNewDeclarationIsCheckedAgainstWhatIsPublished() throws {
        try writeOrdering()
        try library.publish()
        try declare(Self.withoutOrdering)
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.problems == (try check()))
        #expect(try library.manifest.release == 1)

        try declare(policy: "warn", Self.withoutOrdering)
        for _ in 0..<2 { #expect(try library.publish().warnings == (try check())) }
        try declare("")
        #expect(try library.publish().warnings == [])
        #expect(try library.manifest.release == 1)
    }

    /// Of other steps, too: their files stay in the release.
    @Test func aNewDeclarationIsCheckedForAllSteps() throws {
        try writeOrdering()
        try library.publish()
        try declare(Self.withoutOrdering)
        #expect(throws: PublishingError.self) { try library.publish(steps: [.assets]) }
        try library.folder.remove("content/exams/int/demo/questions-more.yaml")
        #expect(throws: PublishingError.self) { try library.publish(steps: [.assets]) }
        #expect(try library.publish().release == 2)
        #expect(try library.publish(steps: [.assets]).warnings == [])
    }

    /// A language in which nothing changed is not even listed; its sources are those that the index knows.
    @Test func anUnchangedLanguageIsNamedAtItsSource() throws {
        try library.publish()
        try declare { $0.names["blueprintKinds"] = ["exam"] }
        let error = #expect(throws: PublishingError.self) { try library.publish() }
        #expect(error?.problems == (try check()))
        #expect(error?.problems.map(\.file) == ["languages/es/blueprint.yaml"])
    }

    /// A reader before formatted text shows the source: of a formula it says little, of emphasis nearly all.
    @Test(arguments: [
        ("Which is **not** a prime?", Rule.partlySupported), ("- one\n- two", .partlySupported),
        ("Solve $x^2=6$.", .unsupported), ("See ![a wheel](w.svg).", .unsupported),
        ("```swift\nlet a = 1\n```", .unsupported), ("|a|b|\n|-|-|\n|1|2|", .unsupported),
    ])
    func aReaderOfPlainTextsShowsTheSource(explanation: String, rule: Rule) throws {
        let text = explanation.replacing("\n", with: "\\n")
        try write(
            """
            - id: q7
              type: single-choice
              domain: net
              difficulty: 1
              text: markdown
              stem: "Which is right?"
              options: [{ id: a, text: this }, { id: b, text: that }]
              correct: [0]
              explanation: "\(text)"

            """, to: "exams/int/demo/questions-more.yaml")
        try write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "exams/int/demo/media/w.svg")
        try declare { $0.fields["question"]?.remove("text") }
        let found = try check().filter { $0.file.hasSuffix("questions-more.yaml") }
        #expect(found.map(\.rule) == [rule])
        #expect(found.first?.position.line == 5)
    }

    @Test func whatIsRemovedFromTheFolderDoesNotStopAPublish() throws {
        try write("title: More\n", to: "exams/int/more/exam.yaml")
        try write(
            TemporaryFolder.question("q1").replacing("single-choice", with: "multi-choice"),
            to: "exams/int/more/questions.yaml")
        try library.publish()
        try declare { $0.names["questionTypes"] = ["single-choice"] }
        #expect(throws: PublishingError.self) { try library.publish() }
        try library.folder.remove("content/exams/int/more")
        #expect(throws: PublishingError.self) { try library.publish(steps: [.assets]) }
        #expect(try library.publish().removed == ["exams/int/more.json"])
    }

    @Test func anUnchangedDeclarationReadsNothingAgain() throws {
        try declare(Self.withoutOrdering)
        try library.publish()
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        var run = try PublishRun(publisher, directory: ReleaseDirectory(root: library.release))
        try run.build(writes: false, generatedAt: "")
        #expect(run.content.summary.unitsBuilt == 0)
        #expect(run.content.index.supportChecksum == run.baseline.loaded.supportChecksum)
        #expect(run.content.index.supportChecksum != nil)
        // With the declaration unknown, each document is read; here the first of them is gone.
        run.content.index.supportChecksum = nil
        let object = try #require(run.content.index.units["blueprints/es"]?.files.first?.checksum)
        try library.folder.remove("release/" + ReleasePath.object(object).text)
        #expect(throws: PublishingError.self) { try run.unsupportedUnits(except: []) }
    }

    @Test func anEditedQuestionIsCheckedByTheEditorToo() throws {
        try declare(Self.withoutFeedback)
        let editor = try ContentEditor(folder: library.content)
        try writeOrdering()
        #expect(try editor.problems(of: .exams).isEmpty)
        try declare(Self.withoutOrdering)
        #expect(try editor.problems(of: .exams).map(\.rule) == [.unsupported])
    }

    // MARK: Profiles of the command

    @Test func aCommandNamesFurtherProfiles() throws {
        try writeOrdering()
        var profile = DecoderProfile.current(appVersion: "0.9")
        Self.withoutOrdering(&profile)
        try library.folder.write(profile.text, to: "old/0.9.json")
        for path in ["/old/0.9.json", "/old"] {
            let found = try check([library.folder.path + path])
            #expect(found.map(\.rule) == [.unsupported])
            let error = #expect(throws: PublishingError.self) {
                try publish([library.folder.path + path])
            }
            #expect(error?.problems == found)
        }
        #expect(try check().isEmpty)
        let path = library.folder.path + "/none.json"
        #expect(try check([path]).map(\.rule) == [.missingFile])
        let error = #expect(throws: PublishingError.self) { try publish([path]) }
        #expect(error?.problems.map(\.file) == [path])
    }

    // MARK: Wrong settings

    @Test(arguments: [
        ("supports: [profiles/none.json]", Rule.missingFile, 3, 12),
        ("supports: [../outside.json]", .unsafePath, 3, 12),
        ("supports: [7]", .wrongType, 3, 12), ("supports: profiles", .wrongType, 3, 11),
        ("supports: [schemas]", .missingFile, 3, 12),
        ("unsupported: maybe", .invalidValue, 3, 14),
    ])
    func aWrongSettingIsNamed(line: String, rule: Rule, row: Int, column: Int) throws {
        try write("{}", to: "schemas/notes.txt")
        try declare(line)
        let found = try check().filter { $0.file == "underway.yaml" }
        #expect(found.map(\.rule) == [rule])
        #expect(found.map(\.position) == [SourcePosition(line: row, column: column)])
        #expect(throws: PublishingError.self) { try library.publish() }
    }

    @Test func aBrokenProfileIsNamedInItsFile() throws {
        try declare("supports: [profiles/1.0.json]")
        try write("{\n  \"format\": 1,\n  \"app\": 3\n}", to: "profiles/1.0.json")
        let found = try check()
        #expect(found.map(\.rule) == [.wrongType])
        #expect(found.map(\.file) == ["profiles/1.0.json"])
        #expect(found.map(\.position) == [SourcePosition(line: 3, column: 10)])
        #expect(throws: PublishingError.self) { try library.publish() }
        try write(
            String(repeating: " ", count: DecoderProfile.bytesMax + 1), to: "profiles/1.0.json")
        #expect(try check().map(\.rule) == [.limitExceeded])
    }

    @Test func twoProfilesOfOneVersionAreNamed() throws {
        try declare("supports: [profiles]")
        let profile = DecoderProfile.current(appVersion: "1.0")
        try write(profile.text, to: "profiles/a.json")
        try write(profile.text, to: "profiles/b.json")
        #expect(try check().isEmpty)
        try write(DecoderProfile(appVersion: "1.0").text, to: "profiles/b.json")
        #expect(try check().map(\.rule) == [.duplicateIdentifier])
        for number in 0...AppSupport.profilesMax {
            try write(
                DecoderProfile(appVersion: "2.\(number)").text, to: "profiles/2.\(number).json")
        }
        #expect(try check().contains { $0.rule == .limitExceeded })
    }
}
