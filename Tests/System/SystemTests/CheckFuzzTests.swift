import Foundation
import TestSupport
import Testing

/// The program on random content folders: it ends by itself, with a documented exit code.
///
/// `UNDERWAY_PUBLISH_FUZZ` sets how many folders, 6 without it; `UNDERWAY_SEED` repeats a run.
@Suite struct CheckFuzzTests {
    @Test func theProgramNeverCrashesOnAContentFolder() async throws {
        let seed = TestRun.seed(of: "CheckFuzzTests")
        for round in 0..<TestRun.count("UNDERWAY_PUBLISH_FUZZ", orElse: UInt64(6)) {
            let folder = try TemporaryFolder()
            try folder.writeContent(["es"])
            var content = RandomContent(using: SeededGenerator(seed: seed + round))
            try content.harm(
                folder,
                documents: [
                    "underway.yaml", "assets.yaml", "languages/es/blueprint.yaml",
                    "exams/int/demo/exam.yaml", "exams/int/demo/questions.yaml",
                ])
            let place = folder.path + "/content"
            let check = try await Tool.run(["check", place])
            let publish = try await Tool.run([
                "publish", "--content", place, "--release", folder.path + "/release",
            ])
            for result in [check, publish] {
                #expect(!result.wasKilled, "seed \(seed + round): \(result.errors)")
                #expect(
                    [0, 1, 6].contains(result.status), "seed \(seed + round): \(result.errors)")
            }
            #expect(check.status == publish.status, "seed \(seed + round)")
        }
    }

    /// Two names that are equal as text crashed both commands.
    @Test func twoNamesThatAreEqualAsTextAreAProblem() async throws {
        let folder = try TemporaryFolder()
        try folder.writeContent(["es"])
        for name in ["\u{E9}", "e\u{301}"] {
            try FileBytes.write("{}", to: folder.path + "/content/assets/\(name).json")
        }
        let check = try await Tool.run(["check", folder.path + "/content"])
        #expect(check.status == 1 && !check.wasKilled)
        #expect(check.output.contains("[name-clash]"))
        let publish = try await Tool.run([
            "publish", "--content", folder.path + "/content", "--release", folder.path + "/release",
        ])
        #expect(publish.status == 1 && !publish.wasKilled)
    }
}
