import Foundation
import TestSupport
import Testing

/// `event` as an operator and as learners type it, beside a server that runs.
@Suite struct EventCommandTests {
    private let devices: CommandDevices

    init() async throws { devices = try await CommandDevices() }

    private func operate(_ words: [String]) async throws -> Tool.Result {
        try await Tool.run(["event"] + words + ["--data", devices.fleet.folder.path + "/users"])
    }

    private func take(_ words: [String], on device: String) async throws -> Tool.Result {
        try await devices.run(["event"] + words + ["--server", devices.address], on: device)
    }

    private func define(
        _ name: String, from start: Double, to end: Double
    ) async throws -> Tool.Result {
        try await operate([
            "define", name, "--bank", "es", "--title", "Große Runde",
            "--start", (Date() + start).formatted(.iso8601),
            "--end", (Date() + end).formatted(.iso8601),
        ])
    }

    /// Gives a device an account, by something to sync.
    private func join(_ device: String) async throws {
        try await devices.reserve("int/swift", "2026-12-24", on: device)
        try await devices.sync(device)
    }

    @Test func anEventIsDeclaredPlayedWatchedAndOver() async throws {
        defer { try? devices.server.kill() }
        #expect(try await operate(["list"]).output.contains("There is no event"))
        let defined = try await define("finals", from: -60, to: 25)
        #expect(defined.status == 0, "\(defined.errors)")
        #expect(try await operate(["list"]).output.contains("finals  Große Runde, es: "))
        try await join("phone")
        try await join("tablet")
        let counted = try await take(["submit", "finals", "30", "--id", "a"], on: "phone")
        #expect(counted.output.contains("Counted: 30 points."), "\(counted)")
        let again = try await take(["submit", "finals", "99", "--id", "a"], on: "phone")
        #expect(again.output.contains("was counted before. It counts once."), "\(again)")
        _ = try await take(["submit", "finals", "40"], on: "tablet")
        var seen = try await take(["see", "finals"], on: "phone")
        while seen.output.contains("cannot read newer places yet") {
            seen = try await take(["see", "finals"], on: "phone")
        }
        #expect(seen.output.contains("     2  30  (no name)  ← you"), "\(seen)")
        // Ends by itself with the final places.
        let watched = try await take(["watch", "finals"], on: "tablet")
        #expect(watched.status == 0 && watched.output.hasSuffix("final\n"), "\(watched)")
        let late = try await take(["submit", "finals", "1"], on: "phone")
        #expect(late.status == 7 && late.errors.contains("is over"), "\(late)")
        let shown = try await operate(["show", "finals"])
        #expect(shown.output.contains("ended, 2 places") && shown.output.contains("final"))
        let removed = try await operate(["remove", "finals"])
        #expect(removed.status == 0)
        #expect(try await take(["see", "finals"], on: "phone").status == 4)
    }

    @Test func aMistakeSaysWhatToDo() async throws {
        defer { try? devices.server.kill() }
        for (words, text) in [
            (["define", "Finals"], "lowercase"),
            (["define", "a", "--points-max", "0"], "1 to 10000"),
            (["define", "a", "--title", ""], "visible characters"),
        ] {
            let times = ["--start", "2026-12-01T18:00:00Z", "--end", "2026-12-01T20:00:00+01:00"]
            let result = try await operate(words + ["--bank", "es"] + times)
            #expect(result.status != 0 && result.errors.contains(text), "\(result)")
        }
        let backwards = try await define("a", from: 10, to: -10)
        #expect(backwards.errors.contains("ends after its start"), "\(backwards)")
        let long = try await define("a", from: 0, to: 13 * 86_400)
        #expect(long.errors.contains("12 days"), "\(long)")
        let zoneless = try await operate([
            "define", "a", "--bank", "es", "--start", "2026-12-01 18:00", "--end", "tomorrow",
        ])
        let noDay = try await operate([
            "define", "a", "--bank", "es", "--start", "2027-02-30T18:00:00Z", "--end",
            "2027-03-03T18:00:00Z",
        ])
        #expect(noDay.status == 64 && noDay.errors.contains("2027-02-30"), "\(noDay)")
        #expect(zoneless.status == 64 && zoneless.errors.contains("2026-12-01T18:00:00Z"))
        #expect(try await operate(["show", "none"]).status == 4)
        #expect(try await operate(["remove", "none"]).status == 4)
        try await join("phone")
        #expect(try await take(["watch", "none"], on: "phone").status == 4)
        let early = try await define("early", from: 3_600, to: 7_200)
        #expect(early.status == 0)
        let refused = try await take(["submit", "early", "1"], on: "phone")
        #expect(refused.status == 7 && refused.errors.contains("has not begun"), "\(refused)")
        let many = try await take(["submit", "early", "101"], on: "phone")
        #expect(many.status != 0 && many.errors.contains("0 to 100"), "\(many)")
    }
}
