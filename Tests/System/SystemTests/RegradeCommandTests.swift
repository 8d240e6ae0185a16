import Foundation
import TestSupport
import Testing

/// `regrade` as an author types it, from a wrong key to a release that corrects it.
@Suite struct RegradeCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeContent(["es"])
    }

    private func run(_ words: String...) async throws -> Tool.Result {
        try await Tool.run(
            words + [
                "--content", folder.path + "/content", "--release", folder.path + "/release",
            ])
    }

    @Test func aKeyThatWasChangedByHandIsNotedAndShipped() async throws {
        #expect(try await run("publish").status == 0)
        let none = try await run("regrade", "--dry-run")
        #expect(none.output == "Release 1 has 0 corrections.\n", "\(none)")
        try folder.writeBlueprint("es", key: 1)
        let advice = "`underway regrade --add es es-1`"
        #expect(try await run("status").output.contains(advice))
        #expect(try await run("diff").output.contains(advice))
        #expect(try await run("publish").output.contains(advice))
        let added = try await run("regrade", "--add", "es", "es-1")
        #expect(added.status == 0, "\(added)")
        #expect(
            added.output.contains("answers to a released version of es-1 are graded again by \"b\"")
        )
        let diff = try await run("diff")
        #expect(diff.output.contains("corrected es-1: the key \"a\" was wrong"), "\(diff)")
        #expect(!diff.output.contains(advice))
        #expect(try await run("publish").status == 0)
        let shown = try await run("regrade", "--dry-run", "--json")
        #expect(shown.output.contains("\"question\": \"es-1\""), "\(shown)")
        let again = try await run("regrade", "--add", "es", "es-1")
        #expect(again.status == 0 && again.output.contains("Nothing was changed"), "\(again)")
    }

    @Test func aNoteIsCommittedWithItsKey() async throws {
        #expect(try await run("publish").status == 0)
        try folder.makeRepository()
        try folder.writeBlueprint("es", key: 1)
        let added = try await run("regrade", "--add", "es", "es-1")
        #expect(added.status == 0 && added.output.contains("Committed as "), "\(added)")
        let files = try folder.git("show", "--format=%s", "--name-only")
        #expect(
            files == """
                Score answers to es-1 in es again

                languages/es/blueprint.yaml
                languages/es/corrections.yaml

                """)
        let again = try await run("regrade", "--add", "es", "es-1")
        #expect(again.status == 0 && !again.output.contains("Committed as "), "\(again)")
    }

    @Test func mistakesSayWhatToDo() async throws {
        #expect(try await run("publish").status == 0)
        #expect(try await run("regrade").status == 64)
        #expect(try await run("regrade", "--add", "es").status == 64)
        #expect(try await run("regrade", "--dry-run", "--was", "a").status == 64)
        let unchanged = try await run("regrade", "--add", "es", "es-1")
        #expect(unchanged.status == 4 && unchanged.errors.contains("No kept release"))
        #expect(try await run("regrade", "--add", "es", "none").status == 4)
    }
}
