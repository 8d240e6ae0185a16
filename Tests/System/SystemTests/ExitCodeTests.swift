import Foundation
import Glibc
import TestSupport
import Testing

/// Each exit code of the table in docs/operators.md, provoked as one meets it.
@Suite struct ExitCodeTests {
    private let fleet: Fleet
    private var folders: [String] {
        ["--content", fleet.folder.path + "/content", "--release", fleet.release]
    }

    init() throws { fleet = try Fleet(["es"]) }

    /// The first cells of the table.
    private static func documented() throws -> Set<Int32> {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/operators.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("| exit code | `code`") })
        return Set(
            lines[(start + 2)...].prefix { $0.hasPrefix("| ") }
                .compactMap {
                    Int32($0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces))
                }
        )
    }

    @Test func theTableIsThatOfTheProgramAndEachCodeCanBeProvoked() async throws {
        let (folder, phone) = (fleet.folder, ["--store", fleet.folder.path + "/phone"])
        var seen: Set<Int32> = []
        func expect(_ status: Int32, _ words: [String], input: String = "") async throws {
            let result = try await Tool.run(words, input: input)
            #expect(result.status == status, "\(words): \(result.output) \(result.errors)")
            seen.insert(result.status)
        }
        try await expect(0, ["status"] + folders)
        try await expect(3, ["sync", "http://127.0.0.1:9/x"] + phone)
        try await expect(4, ["rollback", "9"] + folders)
        for words in [["check", "/nowhere"], ["check", folder.path]] {
            try await expect(4, words)
        }
        for command in ["publish", "status", "diff"] {
            try await expect(
                4, [command, "--content", "/nowhere", "--release", fleet.release])
        }
        try await expect(4, ["announce", "information", "--content", "/nowhere"])
        try await expect(4, ["dev", "--content", "/nowhere"])
        try await expect(6, ["analyse", "/nowhere.csv"])
        try await expect(64, ["publsh"])
        try await withLock { try await expect(5, ["publish"] + folders) }
        let server = try await Tool.Server([
            "--release", fleet.release, "--data", folder.path + "/users",
        ])
        defer { try? server.kill() }
        let address = ["--server", "http://127.0.0.1:\(server.port)"]
        try await expect(
            7, ["account", "sign-in", "ada@example.org"] + address + phone, input: "wrong horse\n")
        let keys = folder.path + "/keys"
        try await expect(
            0, ["trust", "init", "--keys", keys, "--authors", "2", "--threshold", "2"] + folders)
        let author = try #require(
            FileManager.default.contentsOfDirectory(atPath: keys).first {
                $0.hasPrefix("targets") && $0.hasSuffix(".pem")
            })
        try folder.remove("keys/" + author)
        try folder.writeBlueprint("es", key: 1)
        try await expect(8, ["publish", "--keys", keys] + folders)
        try folder.remove("release/localizations/es.json")
        try folder.write("{}", to: "release/localizations/es.json")
        try await expect(2, ["publish"] + folders)
        try folder.writeBlueprint("es", key: 7)
        try await expect(1, ["check", folder.path + "/content"])
        // 70 stands for mistakes of the program that nobody knows.
        #expect(try Self.documented() == seen.union([70]))
        let help = try await Tool.run(["--help"]).output.replacing("\n", with: " ")
        for code in try Self.documented() { #expect(help.contains("\(code) "), "\(code)") }
    }

    /// Holds the lock of the release, as another publish does.
    private func withLock(_ body: () async throws -> Void) async throws {
        let descriptor = open(fleet.release + "/.underway/lock", O_RDWR)
        #expect(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        defer { close(descriptor) }
        try await body()
    }
}
