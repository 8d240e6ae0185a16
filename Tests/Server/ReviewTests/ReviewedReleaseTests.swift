import ContentModel
import Publishing
import Review
import TestSupport
import Testing

/// The banks of a release directory, as the review of keys reads them.
@Suite struct ReviewedReleaseTests {
    private let folder: TemporaryFolder
    private static let file = "content/exams/int/made/questions.yaml"

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Made\n", to: "content/underway.yaml")
        try folder.write(
            "title: Made\nversion: \"1.0.0\"\n", to: "content/exams/int/made/exam.yaml")
    }

    /// Publishes two questions, and returns the version of each.
    private func publish(_ stem: String, tags: String) throws -> [String] {
        try folder.write(
            """
            - id: q1
              type: single-choice
              difficulty: 1
              stem: \(stem)
              tags: [\(tags)]
              options: [{ id: a, text: Float }, { id: b, text: Double }]
              correct: [0]
            - id: q2
              type: single-choice
              difficulty: 2
              stem: Which is a reference type?
              tags: [\(tags)]
              options: [{ id: a, text: class }, { id: b, text: struct }]
              correct: [0]

            """, to: Self.file)
        _ = try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        ).publish(nowSeconds: 1_700_000_000, generatedAt: "2023-11-14T22:13:20Z")
        return try Blueprint(released: folder.read("release/exams/int/made.json")).questions
            .map(\.contentVersion)
    }

    @Test func aProcessThatStartsKnowsWhichVersionsAskedTheSame() throws {
        let first = try publish("Of which type?", tags: "one")
        let second = try publish("Of what type?", tags: "two")
        let third = try publish("Of what type?", tags: "three")
        let release = try ReviewedRelease(directory: folder.path + "/release")
        let bank = try #require(release.banks.first)
        #expect(release.number == 3 && bank.versions == ["q1": third[0], "q2": third[1]])
        #expect(bank.asksTheSame("q1", second[0]) && !bank.asksTheSame("q1", first[0]))
        #expect(bank.asksTheSame("q2", second[1]) && bank.asksTheSame("q2", first[1]))

        // A kept release that is damaged only takes evidence away.
        try folder.write("{", to: "release/releases/2/manifest.json")
        let damaged = try ReviewedRelease(directory: folder.path + "/release")
        #expect(damaged.banks.first?.versions == bank.versions)
        #expect(damaged.banks.first?.asksTheSame("q2", first[1]) == true)
        #expect(damaged.banks.first?.asksTheSame("q2", second[1]) == false)
    }
}
