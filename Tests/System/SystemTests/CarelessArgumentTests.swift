import Foundation
import TestSupport
import Testing

/// Arguments that a script gives by mistake: an unset variable, a number that makes no sense.
@Suite struct CarelessArgumentTests {
    private let fleet: Fleet
    private var content: String { fleet.folder.path + "/content" }

    init() throws { fleet = try Fleet(["es"]) }

    @Test(arguments: ["0", "-5"])
    func aPruneThatWouldKeepNothingIsRefused(number: String) async throws {
        try fleet.edit(key: 1)
        let result = try await Tool.run([
            "prune", "--keep=\(number)", "--content", content, "--release", fleet.release,
        ])
        #expect(result.status == 64, "\(result.output) \(result.errors)")
        #expect(result.errors.contains("--keep"))
        #expect(fleet.folder.exists("release/releases/1/manifest.json"))
    }

    /// Every path that a command takes, given empty as by an unset variable.
    @Test(arguments: [
        ["init", ""], ["check", ""], ["bundle", ""], ["bundle", "b", "--release", ""],
        ["publish", "--content", ""], ["publish", "--release", ""], ["status", "--release", ""],
        ["prune", "--content", ""], ["rollback", "1", "--release", ""], ["diff", "--content", ""],
        ["announce", "note", "--content", ""], ["serve", "--release", ""],
        ["serve", "--data", ""], ["serve", "--data", "d", "--keys", ""],
        ["serve", "--data", "d", "--mailbox", ""], ["serve", "--data", "d", "--declared", ""],
        ["dev", "--content", ""], ["dev", "--release", ""], ["demo", "--folder", ""],
        ["demo", "--content", ""], ["db", "restored", "--data", ""],
        ["import", "", "--into", "e"], ["import", "f", "--into", ""],
        ["import", "f", "--into", "e", "--history", ""], ["export", "", "-o", "a.csv"],
        ["export", "e", "-o", "", "--format", "csv"],
        ["export", "e", "-o", "-", "--format", "csv"],
        ["analyse", ""], ["analyse", "a", "--exam", ""], ["analyse", "a", "--reports", ""],
        ["analyse", "a", "--html", ""], ["sync", "http://127.0.0.1:9/x", "--store", ""],
        ["study", "es", "--bundle", ""], ["sync", "http://127.0.0.1:9/x", "--declared", ""],
        ["account", "export", "--server", "http://127.0.0.1:9", "--output", ""],
    ])
    func anEmptyPathIsRefused(words: [String]) async throws {
        try fleet.folder.write("mine", to: "underway.yaml")
        let result = try await Tool.run(
            words, inShell: "cd '\(fleet.folder.path)' && exec timeout 20 \"$@\"")
        #expect(result.status == 64, "\(words): \(result.output) \(result.errors)")
        #expect(result.errors.contains("Name a"), "\(words): \(result.errors)")
        #expect(try fleet.folder.text("underway.yaml") == "mine")
    }
}
