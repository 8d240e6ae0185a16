import ContentModel
import Publishing
import TestSupport
import Testing

/// The clips of placement tests, which are audio of the language: what one unit plays, another may remove.
@Suite struct PlacementClipTests {
    private let library: Library
    private let audio = "content/languages/en/audio/"

    init() throws {
        library = try Library()
        try library.folder.write(
            """
            kind: placement
            id: en
            title: English
            version: "1"
            levels: { 1: A1 }
            questions:
              - id: en-1
                type: single-choice
                difficulty: 1
                stem: Which day do you hear?
                audio: { file: friday.m4a, title: A weekday }
                options:
                  - { id: a, text: Friday }
                  - { id: b, text: Monday }
                correct: [0]
            """, to: "content/languages/en/blueprint.yaml")
        try library.folder.write("friday", to: audio + "friday.m4a")
        try library.folder.write("monday", to: audio + "monday.m4a")
        try library.publish()
    }

    private func refusal(_ steps: Set<PublishStep>) -> [String] {
        let publisher = Publisher(
            folder: library.content, releaseDirectory: library.release, steps: steps)
        let error = #expect(throws: PublishingError.self) {
            _ = try publisher.publish(nowSeconds: 2_000_000_000, generatedAt: "now")
        }
        return (error?.problems ?? []).map { "\($0.rule.rawValue) \($0.file)" }
    }

    @Test(arguments: [Set(PublishStep.allCases), [.audio], [.audio, .blueprints]])
    func aClipThatIsPlayedCannotGo(steps: Set<PublishStep>) throws {
        let before = try library.manifest.release
        try library.folder.remove(audio + "friday.m4a")
        #expect(refusal(steps) == ["missing-media languages/en/blueprint.yaml"])
        #expect(try library.manifest.release == before)
        try library.folder.write("another", to: audio + "friday.m4a")
        #expect(try library.publish().changed == ["audio/en/friday.m4a"])
        try library.expectWhole()
    }

    @Test func aClipThatNobodyPlaysMayGo() throws {
        try library.folder.remove(audio + "monday.m4a")
        #expect(try library.publish().removed == ["audio/en/monday.m4a"])
    }

    @Test func theDeskReadsTheSameProblemAtTheQuestion() throws {
        try library.folder.remove(audio + "friday.m4a")
        let folder = try BankFolder(library.content)
        let bank = try #require(folder.banks.first { $0.name == "en" })
        let content = try folder.read(bank)
        #expect(content.questions.map { $0.problems.map(\.rule) } == [[.missingMedia]])
        #expect(content.clipNames == ["monday.m4a"] && content.mediaNames == nil)
    }
}
