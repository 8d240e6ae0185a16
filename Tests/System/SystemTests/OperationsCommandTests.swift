import Foundation
import TestSupport
import Testing

/// `role`, `audit`, `uptake` and `history` as an operator types them, beside a server that runs.
@Suite struct OperationsCommandTests {
    private let devices: CommandDevices

    init() async throws { devices = try await CommandDevices() }

    private func operate(_ words: [String]) async throws -> Tool.Result {
        try await Tool.run(words + ["--data", devices.fleet.folder.path + "/users"])
    }

    /// Gives a device an account, by something to sync, and returns its id.
    private func join(_ device: String) async throws -> String {
        try await devices.reserve("int/swift", "2026-12-24", on: device)
        try await devices.sync(device)
        let shown = try await devices.run(["account", "show", "--json"], on: device)
        let json = try JSONSerialization.jsonObject(with: Data(shown.output.utf8))
        return try #require((json as? [String: Any])?["user"] as? String, "\(shown)")
    }

    @Test func rolesAreGivenListedTakenAndWrittenDown() async throws {
        defer { try? devices.server.kill() }
        #expect(try await operate(["role", "list"]).output.contains("No account has a role."))
        let user = try await join("phone")
        let given = try await operate(["role", "grant", user, "publisher"])
        #expect(given.output == "\(user) has the role publisher now.\n", "\(given)")
        let again = try await operate(["role", "grant", user, "publisher"])
        #expect(again.status == 0 && again.output.contains("already; nothing changed"), "\(again)")
        #expect(try await operate(["role", "list"]).output.hasPrefix("publisher  \(user)  since "))
        let taken = try await operate(["role", "revoke", user, "publisher"])
        #expect(taken.output == "\(user) has the role publisher no more.\n", "\(taken)")
        let never = try await operate(["role", "revoke", user, "author"])
        #expect(never.output.contains("did not have the role author; nothing changed"), "\(never)")
        let nobody = try await operate(["role", "grant", "ada@example.org", "author"])
        #expect(nobody.status == 4 && nobody.errors.contains("no account with this email or id"))
        // An email that nobody proved to own may be a stranger's.
        let upgraded = try await devices.run(
            ["account", "upgrade", "ada@example.org", "--server", devices.address], on: "phone",
            input: "a long enough password\n")
        #expect(upgraded.status == 0, "\(upgraded)")
        let unproven = try await operate(["role", "grant", "ada@example.org", "author"])
        #expect(unproven.status == 7 && unproven.errors.contains("stranger"), "\(unproven)")
        #expect(try await operate(["role", "list"]).output.contains("No account has a role."))
        let unknown = try await operate(["role", "grant", user, "boss"])
        #expect(unknown.status == 64 && unknown.errors.contains("administrator"), "\(unknown)")
        let log = try await operate(["audit"]).output.split(separator: "\n")
        let lines = log.filter { $0.contains("  role.") }
        #expect(lines.count == 2, "\(log)")
        #expect(lines[0].hasSuffix("  role.granted  \(user)  publisher"), "\(lines)")
        #expect(lines[1].hasSuffix("  role.revoked  \(user)  publisher"), "\(lines)")
        #expect(lines.allSatisfy { $0.contains("  operator:") })
    }

    @Test func whatAnOperatorDoesIsInTheLog() async throws {
        defer { try? devices.server.kill() }
        let times = ["--start", "2026-12-01T18:00:00Z", "--end", "2026-12-01T20:00:00Z"]
        let user = try await join("phone")
        let file = devices.fleet.folder.path + "/user.json"
        for words in [
            ["board", "define", "b", "--bank", "es"], ["board", "remove", "b"],
            ["event", "define", "e", "--bank", "es"] + times, ["event", "remove", "e"],
            ["db", "export", user, "--output", file],
        ] {
            let result = try await operate(words)
            #expect(result.status == 0, "\(words): \(result)")
        }
        // What fails or changes nothing is not.
        for words in [
            ["board", "remove", "b"], ["event", "remove", "e"], ["board", "hide-name", "none"],
            ["board", "list"], ["db", "export", user, "--output", file],
        ] { _ = try await operate(words) }
        let log = try await operate(["audit", "--json"]).output
        let json = try JSONSerialization.jsonObject(with: Data(log.utf8))
        let entries = try #require(json as? [[String: Any]])
            .filter { ($0["actor"] as? String)?.hasPrefix("operator:") == true }
            .map { "\($0["action"] ?? "") \($0["subject"] ?? "")" }
        #expect(
            entries == [
                "board.defined b", "board.removed b", "event.defined e", "event.removed e",
                "account.exported \(user)",
            ])
        #expect(try await operate(["audit", "--last", "0"]).status == 64)
        #expect(try await operate(["audit", "--before", "0"]).status == 64)
        #expect(try await operate(["audit", "--before", "1"]).output == "There is no entry.\n")
    }

    @Test func anExamThatIsNotReleasedHasNoEventAndNoBoard() async throws {
        defer { try? devices.server.kill() }
        let times = ["--start", "2026-12-01T18:00:00Z", "--end", "2026-12-01T20:00:00Z"]
        let release = ["--release", devices.fleet.release]
        for words in [["event", "define", "e"] + times, ["board", "define", "b"]] {
            let unknown = try await operate(words + ["--bank", "sp"] + release)
            #expect(unknown.status == 4, "\(unknown)")
            #expect(unknown.errors.contains("has no exam sp. It has: es, "), "\(unknown)")
            let known = try await operate(words + ["--bank", "es"] + release)
            #expect(known.status == 0 && known.output.contains("is declared"), "\(known)")
        }
        let nowhere = try await operate(
            ["board", "define", "c", "--bank", "es", "--release", devices.fleet.folder.path])
        #expect(nowhere.status == 4 && nowhere.errors.contains("publish"), "\(nowhere)")
        #expect(nowhere.errors.contains("There is no release with exams in"), "\(nowhere)")
    }

    @Test func devicesCountOnceTheySynced() async throws {
        defer { try? devices.server.kill() }
        let before = try await operate(["uptake"])
        #expect(before.output == "No device has told yet what it has.\n")
        _ = try await join("phone")
        _ = try await join("tablet")
        let counted = try await operate(["uptake"])
        #expect(counted.output.hasSuffix(": 2 devices\n"), "\(counted)")
    }

    @Test func theHistorySaysWhoPublishedWhat() async throws {
        defer { try? devices.server.kill() }
        let folder = try TemporaryFolder()
        let (content, release) = (folder.path + "/content", folder.path + "/release")
        let made = try await Tool.run(["init", content])
        #expect(made.status == 0, "\(made)")
        let paths = ["--content", content, "--release", release]
        for words in [["publish"], ["publish"], ["rollback", "1"]] {
            let result = try await Tool.run(words + paths)
            #expect(result.status == 0, "\(words): \(result)")
        }
        let shown = try await Tool.run(["history", "--release", release])
        let lines = shown.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("1  ") == true && lines.first?.contains("@") == true)
        #expect(shown.status == 0 && !(lines.first?.hasSuffix("rollback") ?? true), "\(shown)")
        let none = try await Tool.run(["history", "--release", folder.path + "/none"])
        #expect(none.status == 4 && none.errors.contains("There is no folder"), "\(none)")
    }
}
