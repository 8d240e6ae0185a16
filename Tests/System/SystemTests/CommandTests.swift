import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

/// The program as a newcomer types it: output, errors and exit codes.
@Suite struct CommandTests {
    private let folder: TemporaryFolder
    private var content: String { folder.path + "/content" }
    private var folders: [String] { ["--content", content, "--release", folder.path + "/release"] }

    init() throws { folder = try TemporaryFolder() }

    @Test func theStarterFolderPassesAndCanBePublishedServedAndStudied() async throws {
        let started = try await Tool.run(["init", content])
        #expect(started.status == 0 && started.output.hasSuffix("  underway study en\n"))
        let check = try await Tool.run(["check", content, "--strict"])
        #expect(check.output == "\(content): 0 errors, 0 warnings\n")
        #expect(try await Tool.run(["check", "--content", content]).output == check.output)
        #expect(check.status == 0)
        let publish = try await Tool.run(["publish"] + folders)
        #expect(publish.status == 0)
        #expect(publish.output.contains("Published release 1: 3 files changed"))
        #expect(
            try await Tool.run([
                "bundle", folder.path + "/bundle", "--release", folder.path + "/release",
            ])
            .status == 0)
        let study = try await Tool.run(
            [
                "study", "en", "--plain", "--json", "--store", folder.path + "/store", "--bundle",
                folder.path + "/bundle",
            ],
            input: "x\n\n\n\n")
        #expect(study.status == 0)
        #expect(study.errors.contains("Type numbers from 1 to 3"))
        #expect(study.output.contains("\"questions\": 3"))
        #expect(study.output.contains("\"unanswered\": 3"))
    }

    @Test func aStarterIsNeverWrittenOverSomething() async throws {
        try folder.write("mine", to: "content/notes.txt")
        let result = try await Tool.run(["init", content])
        #expect(result.status == 6)
        #expect(try folder.text("content/notes.txt") == "mine")
    }

    @Test func errorsOfTheContentAreListedAndStopAPublish() async throws {
        try folder.writeContent(["es"])
        try folder.writeBlueprint("es", key: 7)
        let check = try await Tool.run(["check", content])
        #expect(check.status == 1)
        #expect(
            check.output.hasPrefix(
                "languages/es/blueprint.yaml:12:15: error: the key names option 7, but there are 3"
                    + " options [key-out-of-range]\n    The first option has index 0"))
        let publish = try await Tool.run(["publish"] + folders)
        #expect(publish.status == 1)
        #expect(publish.errors.contains("nothing was published"))
        let json = try JSONParser.parse(
            Array(try await Tool.run(["check", content, "--json"]).output.utf8))
        #expect(json.member("errors")?.value.value == 1)
        let sarif = try await Tool.run(["check", content, "--format", "sarif"])
        #expect(
            try JSONParser.parse(Array(sarif.output.utf8)).member("version")?.value.value == "2.1.0"
        )
    }

    @Test func warningsFailOnlyAStrictCheck() async throws {
        try folder.writeContent(["es"])
        try folder.write("<svg/>", to: "content/exams/int/demo/media/two.svg")
        #expect(try await Tool.run(["check", content]).status == 0)
        #expect(try await Tool.run(["check", content, "--strict"]).status == 1)
    }

    @Test func statusDiffRollbackAndPruneTellTheStory() async throws {
        try folder.writeContent(["es"])
        #expect(
            try await Tool.run(["status"] + folders).output.hasPrefix("Nothing was published yet."))
        #expect(try await Tool.run(["publish"] + folders).status == 0)
        #expect(
            try await Tool.run(["status"] + folders).output
                == "Release 1 is current.\nA publish would change nothing.\n")
        #expect(try await Tool.run(["diff"] + folders).output == "No difference.\n")
        try folder.writeBlueprint("es", key: 1)
        let diff = try await Tool.run(["diff"] + folders).output
        #expect(
            diff == """
                changed  blueprints/es.json
                  changed es-1
                    key:
                      - first
                      + other
                  es es-1: the key changed from "a" to "b". Answers given before keep their grade; `underway regrade --add es es-1` grades them again, or say nothing.

                """)
        #expect(try await Tool.run(["publish"] + folders).status == 0)
        let rollback = try await Tool.run(["rollback", "1"] + folders)
        #expect(rollback.status == 0)
        #expect(rollback.output.contains("Rolled back to 1 as release 3"))
        let prune = try await Tool.run(["prune", "--keep", "1"] + folders)
        #expect(prune.output == "Removed 2 releases and 1 object.\n")
        #expect(try await Tool.run(["rollback", "1"] + folders).status == 4)
        #expect(try await Tool.run(["diff", "1", "3"] + folders).status == 4)
    }

    @Test func aReleaseFolderFromAnOldBackupIsSaid() async throws {
        try folder.writeContent(["es"])
        let (release, backup) = (folder.path + "/release", folder.path + "/backup")
        #expect(try await Tool.run(["publish"] + folders).status == 0)
        try FileManager.default.copyItem(atPath: release, toPath: backup)
        for key in [1, 0] {
            try folder.writeBlueprint("es", key: key)
            #expect(try await Tool.run(["publish"] + folders).status == 0)
        }
        try folder.remove("release")
        try FileManager.default.moveItem(atPath: backup, toPath: release)
        let words = "has forgotten that release 3 was published"
        let status = try await Tool.run(["status"] + folders).output
        #expect(status.contains("Release 1 is current.") && status.contains(words), "\(status)")
        #expect(status.contains("`underway publish` is due."))
        let publish = try await Tool.run(["publish"] + folders).output
        #expect(publish.contains("Published release 4") && publish.contains(words), "\(publish)")
    }

    @Test func everyCommandAnswersInJSON() async throws {
        try folder.writeContent(["es"])
        let commands = [
            ["check", content, "--json"], ["publish", "--json"] + folders,
            ["status", "--json"] + folders, ["diff", "--json"] + folders,
            ["rollback", "1", "--json"] + folders, ["prune", "--json"] + folders,
            ["bundle", folder.path + "/b", "--release", folder.path + "/release", "--json"],
        ]
        for command in commands {
            let result = try await Tool.run(command)
            #expect(result.status == 0, "\(command[0]): \(result.errors)")
            #expect(throws: Never.self) { try JSONParser.parse(Array(result.output.utf8)) }
        }
    }

    @Test func editsByHandAreRefusedAdoptedAndDiscarded() async throws {
        try folder.writeContent(["es"])
        #expect(try await Tool.run(["publish"] + folders).status == 0)
        for flag in ["--adopt", "--overwrite"] {
            let served = try folder.text("release/localizations/es.json")
            try folder.remove("release/localizations/es.json")
            try folder.write("{\"start\":\"\(flag)\"}", to: "release/localizations/es.json")
            let refused = try await Tool.run(["publish"] + folders)
            #expect(refused.status == 2)
            #expect(refused.errors.contains("localizations/es.json"))
            #expect(try await Tool.run(["publish", flag] + folders).status == 0)
            let expected = flag == "--adopt" ? "{\"start\":\"--adopt\"}" : served
            #expect(try folder.text("release/localizations/es.json") == expected)
        }
        #expect(try await Tool.run(["publish", "--adopt", "--overwrite"] + folders).status == 64)
    }

    private static let wrongUses: [([String], Int32)] = [
        (["check", "/nowhere"], 4), (["publish", "--content", "/nowhere"], 4),
        (["serve", "--release", "/nowhere"], 4), (["serve", "--port", "70000"], 64),
        (["serve", "--trusted-proxy", "nonsense"], 64),
        (["serve", "--trusted-proxy", "127.0.0.1", "--behind-proxy"], 64),
        (["serve", "--connections-per-address", "0"], 64),
        (["serve", "--mailbox", "/tmp/none"], 64), (["serve", "--keys", "/tmp/none"], 64),
        (["serve", "--declared", "/tmp/none"], 64),
        (["sync", "ftp://x"], 64), (["study", "xx", "--store"], 64), (["rollback", "x"], 64),
        (["bundle", "/tmp/none", "--release", "/nowhere"], 4), (["publish", "--only", "x"], 64),
        (["prune", "--keep", "1", "--release", "/nowhere"], 4),
        (["frobnicate"], 64), (["diff", "1"], 64),
    ]

    @Test(arguments: wrongUses)
    func wrongUseHasItsExitCodeAndSaysWhatToDo(arguments: [String], status: Int32) async throws {
        let result = try await Tool.run(arguments)
        #expect(result.status == status, "\(result.errors)")
        #expect(!result.errors.isEmpty)
    }

    @Test func aServerThatIsToldToEndEndsWell() async throws {
        try folder.writeContent(["es"])
        #expect(try await Tool.run(["publish"] + folders).status == 0)
        let result = try await Tool.run(
            ["serve", "--release", folder.path + "/release", "--port", "0"],
            endedOnceItSays: "Serving http://127.0.0.1:")
        #expect(result.status == 0)
        #expect(!result.wasKilled)
    }

    @Test func aDeviceWithoutContentOrNetworkSaysSo() async throws {
        let store = ["--store", folder.path + "/store"]
        let study = try await Tool.run(["study", "es"] + store)
        #expect(study.status == 4)
        #expect(study.errors.contains("There is no device's store in \(folder.path)/store"))
        let sync = try await Tool.run(["sync", "http://127.0.0.1:9/x"] + store)
        #expect(sync.status == 3 && sync.errors.contains("http://127.0.0.1:9/x"), "\(sync.errors)")
        let empty = try await Tool.run(["study", "es"] + store)
        #expect(empty.status == 4)
        #expect(empty.errors.contains("There is no content in \(folder.path)/store yet."))
        #expect(empty.errors.contains("`underway sync URL --store \(folder.path)/store`"))
    }

    @Test func anAddressThatIsNotOfAReleaseIsSaidSo() async throws {
        let fleet = try Fleet(["es"])
        try await withServer(fleet.release) { url in
            let store = ["--store", fleet.folder.path + "/store"]
            let host = String(url.dropLast("/api/content/v2".count))
            let result = try await Tool.run(["sync", host] + store)
            #expect(result.status == 3, "\(result.output)")
            #expect(
                result.errors.contains(
                    "\(host)/manifest.json answered with status 404. Is that the address of a release?"
                ), "\(result.errors)")
            #expect(result.errors.contains("ends in /api/content/v2"), "\(result.errors)")
        }
    }

    /// The address is of a documentation network (RFC 5737); nothing is sent to it.
    @Test(arguments: [
        ["sync", "http://192.0.2.1/x"],
        ["account", "sign-in", "ada@example.org", "--server", "http://192.0.2.1"],
    ])
    func anInsecureAddressNamesItsOption(words: [String]) async throws {
        let result = try await Tool.run(
            words + ["--store", folder.path + "/store"], input: "correct horse\n")
        #expect(result.status == 3 || result.status == 7, "\(result.output)")
        #expect(result.errors.contains("is not secure"), "\(result.errors)")
        #expect(result.errors.contains("--insecure-http"), "\(result.errors)")
    }

    @Test func aBannedNewestReleaseIsSaidAndCanBeTriedAgain() async throws {
        let fleet = try Fleet(["es"])
        try await withServer(fleet.release) { url in
            let arguments = [
                "sync", url, "--force", "--content-only", "--store", fleet.folder.path + "/store",
            ]
            #expect(try await Tool.run(arguments).status == 0)
            try fleet.folder.writeBlueprint("es", key: 1, stem: "Two?")
            try fleet.publish()
            #expect(try await Tool.run(arguments).output.contains("Installed release 2"))
            let store = try fleet.store()
            for _ in 0..<2 {
                #expect(try store.beginStart(now: Date()) == nil)
                try store.willShowFirstScreen()
            }
            let reason = try #require(try store.beginStart(now: Date()))
            for _ in 0..<2 {
                let result = try await Tool.run(arguments)
                #expect(result.status == 1 && !result.output.contains("Up to date"))
                #expect(result.output.contains("is banned on this device: \(reason)"))
                #expect(result.output.contains("--lift-bans"))
            }
            let json = try await Tool.run(arguments + ["--json"])
            #expect(json.output.contains("\"banned\""))
            let again = try await Tool.run(arguments + ["--lift-bans"])
            #expect(again.status == 0 && again.output.contains("Installed release 2"))
        }
    }

    @Test func theHelpNamesTheExitCodes() async throws {
        #expect(try await Tool.run(["--help"]).output.contains("Exit codes: 0 done"))
        #expect(try await Tool.run(["--version"]).output == "0.1.0\n")
    }
}
