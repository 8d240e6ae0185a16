import ContentModel
import Foundation
import TestSupport
import Testing

/// Profiles of shipped versions, as an author gives them to the program.
@Suite struct SupportCommandTests {
    private let folder: TemporaryFolder
    private var content: String { folder.path + "/content" }
    private var folders: [String] { ["--content", content, "--release", folder.path + "/release"] }

    init() throws {
        folder = try TemporaryFolder()
        try folder.writeContent(["es"])
        try folder.write(
            """
            - id: q9
              type: ordering
              domain: net
              difficulty: 1
              stem: "In which order?"
              options: [{ id: a, text: second }, { id: b, text: first }]
              correct: [1, 0]

            """, to: "content/exams/int/demo/questions-more.yaml")
        var profile = DecoderProfile.current(appVersion: "1.0")
        profile.names["questionTypes"]?.remove("ordering")
        try folder.write(profile.text, to: "profiles/1.0.json")
        try folder.write(
            DecoderProfile.current(appVersion: "2.0").text, to: "profiles/2.0.json")
    }

    @Test func checkAndPublishRefuseWhatAVersionCannotRead() async throws {
        let profiles = ["1.0", "2.0"].map { folder.path + "/profiles/\($0).json" }
        let expected =
            "exams/int/demo/questions-more.yaml:2:9: error: the question \"q9\" is left out by app 1.0:"
        let check = try await Tool.run(["check", content, "--supports"] + profiles)
        #expect(check.status == 1 && check.output.hasPrefix(expected))
        #expect(check.output.hasSuffix("\(content): 1 error, 0 warnings\n"))
        let repeated = try await Tool.run(
            ["check", content] + profiles.flatMap { ["--supports", $0] })
        #expect(repeated.output == check.output)
        let publish = try await Tool.run(["publish"] + folders + ["--supports", profiles[0]])
        #expect(publish.status == 1 && publish.output.contains(expected))
        #expect(!folder.exists("release/manifest.json"))
        let newest = try await Tool.run(["publish"] + folders + ["--supports", profiles[1]])
        #expect(newest.status == 0)
    }

    @Test func aWarningIsShownEachTime() async throws {
        try folder.write(
            "name: Test\nsupports: [profiles]\nunsupported: warn\n", to: "content/underway.yaml")
        for name in ["1.0", "2.0"] {
            try folder.write(
                try folder.text("profiles/\(name).json"), to: "content/profiles/\(name).json")
        }
        let check = try await Tool.run(["check", content])
        #expect(check.status == 0 && check.output.contains("[partly-supported]"))
        #expect(try await Tool.run(["check", content, "--strict"]).status == 1)
        for _ in 0..<2 {
            let publish = try await Tool.run(["publish"] + folders)
            #expect(publish.status == 0 && publish.output.contains("[partly-supported]"))
        }
        let json = try JSONParser.parse(
            Array(try await Tool.run(["publish", "--json"] + folders).output.utf8))
        let warnings = json.member("warnings")?.value
        #expect(warnings?.member("warnings")?.value.value == 1)
    }

    @Test func aProfileThatIsNoneIsNamed() async throws {
        try folder.write("{ \"format\": 9 }", to: "later.json")
        let path = folder.path + "/later.json"
        for arguments in [["check", content], ["publish"] + folders] {
            let result = try await Tool.run(arguments + ["--supports", path])
            let text = result.output + result.errors
            #expect(result.status == 1)
            #expect(text.contains("\(path):1:13: error: the format of the profile is 9"))
            #expect(text.contains("Update Underway."))
        }
    }
}
