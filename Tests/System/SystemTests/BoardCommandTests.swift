import Foundation
import TestSupport
import Testing

/// `board` as an operator and as learners type it, beside a server that runs.
@Suite struct BoardCommandTests {
    private let devices: CommandDevices

    init() async throws { devices = try await CommandDevices() }

    private func operate(_ words: String...) async throws -> Tool.Result {
        try await Tool.run(["board"] + words + ["--data", devices.fleet.folder.path + "/users"])
    }

    private func look(_ words: [String], on device: String) async throws -> Tool.Result {
        try await devices.run(["board"] + words + ["--server", devices.address], on: device)
    }

    @Test func aBoardIsDeclaredFilledAndSeen() async throws {
        defer { try? devices.server.kill() }
        #expect(try await operate("list").output.contains("There is no board"))
        let defined = try await operate(
            "define", "spanish", "--bank", "es", "--zone", "Europe/Madrid", "--period", "week",
            "--period", "all", "--counts", "best")
        #expect(defined.status == 0, "\(defined.errors)")
        #expect(
            try await operate("list").output
                == "spanish  es, Europe/Madrid: week, all; the best session\n")
        try await devices.sync("phone")
        let studied = try await devices.run(
            ["study", "es", "--plain"], on: "phone", input: "1\n1\n1\n")
        #expect(studied.status == 0, "\(studied.errors)")
        try await devices.sync("phone")
        let named = try await look(["profile", "--name", "Ada"], on: "phone")
        #expect(named.output.contains("name: Ada\non boards: yes"), "\(named.errors)")
        let refreshed = try await operate("refresh")
        #expect(refreshed.status == 0, "\(refreshed.errors)")
        let shown = try await operate("show", "spanish", "week")
        #expect(shown.output.contains("Ada") && shown.output.contains("1 place"), "\(shown)")
        let seen = try await look(["see", "spanish", "all"], on: "phone")
        #expect(seen.output.contains("Ada  ← you"), "\(seen)")
        #expect(try await look(["see"], on: "phone").output == "spanish  es: week, all\n")
        try devices.server.kill()
        let offline = try await look(["see", "spanish", "all"], on: "phone")
        #expect(offline.status == 0 && offline.output.contains("Ada  ← you"), "\(offline)")
        #expect(offline.output.contains("You are offline. Last seen just now."), "\(offline)")
        let never = try await look(["see", "spanish", "week"], on: "phone")
        #expect(never.status == 3, "\(never)")
    }

    @Test func aMistakeSaysWhatToDo() async throws {
        defer { try? devices.server.kill() }
        for (words, text) in [
            (["define", "Spanish", "--bank", "es"], "lowercase"),
            (["define", "a", "--bank", "es", "--zone", "Mars"], "Europe/Berlin"),
            (["define", "a", "--bank", "es", "--period", "year"], "day, week, month or all"),
            (["define", "a", "--bank", "es", "--questions-min", "0"], "1 to 10000"),
        ] {
            let result = try await Tool.run(
                ["board"] + words + ["--data", devices.fleet.folder.path + "/users"])
            #expect(result.status == 64 && result.errors.contains(text), "\(words): \(result)")
        }
        for words in [["show", "none", "day"], ["remove", "none"], ["hide-name", "AAAAAAAAAA"]] {
            let result = try await Tool.run(
                ["board"] + words + ["--data", devices.fleet.folder.path + "/users"])
            #expect(result.status == 4, "\(words): \(result)")
        }
        let recounted = try await operate("recount")
        #expect(recounted.status == 0 && recounted.output.contains("were summed"))
    }
}
