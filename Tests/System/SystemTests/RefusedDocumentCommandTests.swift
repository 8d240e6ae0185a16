import Foundation
import TestSupport
import Testing

/// What `sync` and `study` say of content that this version cannot read.
@Suite struct RefusedDocumentCommandTests {
    @Test func syncAndStudySayWhatTheyCannotRead() async throws {
        let fleet = try Fleet(["de", "es"])
        let store = ["--store", fleet.folder.path + "/phone"]
        try await withServer(fleet.release) { address in
            let sync = ["sync", address, "--content-only", "--force"] + store
            #expect(try await Tool.run(sync).status == 0)
            let es = try fleet.folder.releasedBlueprint("es")
            let de = try fleet.folder.releasedBlueprint("de")
            try fleet.folder.releaseForeign(
                2,
                blueprints: [
                    "es": es.replacing("\"placement\"", with: "\"survey\""),
                    "de": de.replacing("single-choice", with: "drag", maxReplacements: 1),
                ])
            try await installs(sync, store)
        }
    }

    /// The only bank is none that this version can read.
    @Test func aRefusedBankIsNotNamedAsOneThatIsHere() async throws {
        let fleet = try Fleet(["es"])
        let store = ["--store", fleet.folder.path + "/phone"]
        let es = try fleet.folder.releasedBlueprint("es")
        try fleet.folder.releaseForeign(
            2, blueprints: ["es": es.replacing("\"placement\"", with: "\"survey\"")])
        try await withServer(fleet.release) { address in
            let sync = try await Tool.run(["sync", address, "--content-only"] + store)
            #expect(sync.status == 1)
            let spanish = try await Tool.run(["study", "es"] + store)
            #expect(spanish.status == 4)
            #expect(spanish.errors.contains("cannot read the blueprint \"es\" of release 2"))
            let french = try await Tool.run(["study", "fr"] + store)
            #expect(french.status == 4)
            for result in [spanish, french] {
                #expect(!result.errors.contains("has: es"), "\(result.errors)")
                #expect(!result.errors.contains(" es,"), "\(result.errors)")
            }
        }
    }

    private func installs(_ sync: [String], _ store: [String]) async throws {
        var first = try await Tool.run(sync)
        let end = ContinuousClock.now + .seconds(20)
        // The server notices the new release within a moment.
        while first.status == 0, ContinuousClock.now < end { first = try await Tool.run(sync) }
        #expect(first.status == 1)
        #expect(first.output.contains("Installed release 2"))
        #expect(first.output.contains("Not readable here: blueprint \"es\" of release 2"))
        #expect(first.output.contains("Release 1 of it stays."))
        #expect(first.output.contains("Left out: 1 of blueprint \"de\""))
        for _ in 0..<2 {
            let again = try await Tool.run(sync)
            #expect(again.status == 1)
            #expect(!again.output.contains("Up to date"))
            #expect(again.output.contains("Not readable here: blueprint \"es\" of release 2"))
        }
        let json = try await Tool.run(sync + ["--json"])
        #expect(json.status == 1 && json.output.contains("\"outcome\": \"refused\""))
        #expect(json.output.contains("\"shownRelease\": 1"))
        let spanish = try await Tool.run(["study", "es"] + store, input: "")
        #expect(spanish.status == 0 && spanish.output.contains("release 1, downloaded"))
        #expect(spanish.errors.contains("a newer one that this version cannot read"))
        let german = try await Tool.run(["study", "de"] + store, input: "")
        #expect(german.errors.contains("This version cannot ask 1 question of it."))
    }
}
