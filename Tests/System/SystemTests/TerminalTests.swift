import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import TestSupport
import Testing

/// What a terminal and a script see: one JSON document with `--json`, suggestions, `q`, nothing made by reading.
@Suite struct TerminalTests {
    private let fleet: Fleet
    private var folder: TemporaryFolder { fleet.folder }
    private var content: String { folder.path + "/content" }
    private var folders: [String] { ["--content", content, "--release", fleet.release] }
    private var store: [String] { ["--store", folder.path + "/phone"] }

    init() throws { fleet = try Fleet(["es"]) }

    private func parsed(_ result: Tool.Result, _ words: [String]) throws -> DocumentNode {
        do {
            return try JSONParser.parse(Array(result.output.utf8))
        } catch {
            Issue.record("\(words): \(result.output) \(result.errors)")
            throw error
        }
    }

    // MARK: JSON

    /// Walks the program's own description, so that a new command is not forgotten.
    @Test func everyCommandTakesJSON() async throws {
        let dump = try await Tool.run(["--experimental-dump-help"])
        let tree = try JSONDecoder().decode(Description.self, from: Data(dump.output.utf8))
        let leaves = tree.command.leaves.filter { !["help", "demo"].contains($0.commandName) }
        #expect(leaves.count > 30)
        for leaf in leaves {
            let names = (leaf.arguments ?? []).flatMap { $0.names ?? [] }.map(\.name)
            #expect(names.contains("json"), "\(leaf.commandName)")
        }
    }

    @Test func aResultIsOneDocumentOnStandardOutput() async throws {
        let bundle = folder.path + "/bundle"
        let commands: [(words: [String], input: String)] = [
            (["init", folder.path + "/new"], ""), (["check", content], ""),
            (["publish"] + folders, ""), (["status"] + folders, ""), (["diff"] + folders, ""),
            (["rollback", "1"] + folders, ""), (["prune"] + folders, ""),
            (["bundle", bundle, "--release", fleet.release], ""),
            (["announce", "information", "--content", content], ""),
            (["study", "es", "--bundle", bundle] + store, "nonsense\n1\nq\n"),
            (["study", "es", "--verify-schedules"] + store, ""),
            (["favourite", "add", "es-1", "--bank", "es"] + store, ""),
            (["favourite", "list"] + store, ""), (["favourite", "remove", "es-1"] + store, ""),
            (["reserve", "add", "int/demo", "2026-12-24"] + store, ""),
            (["reserve"] + store, ""), (["reserve", "remove", "int/demo"] + store, ""),
            (["outbox"] + store, ""), (["conflicts"] + store, ""), (["account"] + store, ""),
            (["account", "others"] + store, ""),
        ]
        for (words, input) in commands {
            let result = try await Tool.run(words + ["--json"], input: input)
            #expect(result.status == 0, "\(words): \(result.errors)")
            _ = try parsed(result, words)
        }
    }

    @Test func accountsAnswerInJSONToo() async throws {
        let server = try await Tool.Server([
            "--release", fleet.release, "--data", folder.path + "/users",
        ])
        defer { try? server.kill() }
        let address = ["--server", "http://127.0.0.1:\(server.port)"]
        let sync = ["sync", "http://127.0.0.1:\(server.port)/api/content/v2"] + store
        let account = address + store
        let commands: [([String], String)] = [
            (["reserve", "add", "int/demo", "2026-12-24"] + store, ""), (sync, ""),
            (["account", "upgrade", "ada@example.org"] + account, "correct horse\n"),
            (["account", "devices"] + account, ""), (["account", "sign-in-methods"] + account, ""),
            (["account", "export"] + account, ""),
            (["account", "export", "--output", folder.path + "/all.json"] + account, ""),
            (["account", "sign-out"] + account, ""),
            (["account", "sign-in", "ada@example.org"] + account, "correct horse\n"),
            (["account", "delete", "--yes"] + account, ""),
            (["db", "restored", "--data", folder.path + "/users"], ""),
        ]
        for (words, input) in commands {
            let result = try await Tool.run(words + ["--json"], input: input)
            #expect(result.status == 0, "\(words): \(result.output) \(result.errors)")
            _ = try parsed(result, words)
        }
    }

    @Test func whatRunsOnWritesALineOfJSON() async throws {
        let result = try await Tool.run(
            ["serve", "--release", fleet.release, "--port", "0", "--quiet", "--json"],
            endedOnceItSays: "Serving http://127.0.0.1:")
        #expect(result.status == 0)
        let address = try parsed(result, ["serve"]).member("serving")?.value.value
        #expect("\(String(describing: address))".contains("/api/content/v2/manifest.json"))
    }

    @Test func anErrorIsOneDocumentToo() async throws {
        try folder.writeBlueprint("es", key: 7)
        let commands: [([String], String)] = [
            (["pubish"], "usage"), (["account", "shw"], "usage"), (["check", "--jsn"], "usage"),
            (["check", content], "contentErrors"), (["publish"] + folders, "contentErrors"),
            (["rollback", "9"] + folders, "notFound"), (["study", "es"] + store, "notFound"),
            (["outbox"] + store, "notFound"), (["account"] + store, "notFound"),
            (["check", "/nowhere"], "notFound"), (["serve", "--release", "/nowhere"], "notFound"),
            (["serve", "--keys", "x"], "usage"), (["init", content], "files"),
            (["sync", "http://127.0.0.1:9/x"] + store, "network"),
            (["db", "restored", "--data", "/nowhere"], "files"),
            (["export", content + "/exams/int/none", "-o", folder.path + "/x.csv"], "notFound"),
        ]
        for (words, code) in commands {
            let result = try await Tool.run(words + ["--json"])
            let error = try #require(try parsed(result, words).member("error")?.value)
            #expect(error.member("code")?.value.value == .string(code), "\(words)")
            #expect(
                error.member("exitCode")?.value.value == .integer(Int(result.status)), "\(words)")
            #expect(error.member("message") != nil && result.errors.isEmpty, "\(result.errors)")
        }
        // What was found stands beside the error, and each problem has its place.
        let check = try await Tool.run(["check", content, "--json"])
        #expect(try parsed(check, []).member("problems") != nil)
        let publish = try await Tool.run(["publish", "--json"] + folders)
        #expect(publish.output.contains("\"place\": \"languages/es/blueprint.yaml:12:15\""))
        let sync = try await Tool.run(
            ["sync", "http://127.0.0.1:9/x", "--json", "--force"] + store)
        #expect(try parsed(sync, []).member("outcome")?.value.value == "failed")
    }

    /// What people get to read names no class, no call and no temporary file.
    @Test func messagesSpeakOfWhatWasTyped() async throws {
        try folder.write("x", to: "afile")
        let file = folder.path + "/afile"
        let serve = ["serve", "--release", fleet.release, "--port", "0"]
        let cases: [([String], Int32, String)] = [
            (["sync", "http://127.0.0.1:9/x", "--store", file], 6, "is a file, not a folder"),
            (["favourite", "add", "q", "--bank", "es", "--store", file], 6, "is a file"),
            (["study", "es", "--bundle", "/nowhere"] + store, 4, "There is no bundle in /nowhere"),
            (["study", "es", "--store", ""], 64, "--store <store>': Name a file or folder"),
            (serve + ["--host", "192.0.2.1"], 3, "--host is no address of this machine"),
            (serve + ["--data", file], 6, "(of --data) is a file"),
            (serve + ["--data", folder.path + "/u", "--keys", file], 6, "(of --keys) is a file"),
            (
                ["export", content + "/exams/int/demo", "-o", "/nowhere/x.csv"], 6,
                "/nowhere/x.csv cannot be written"
            ),
        ]
        for (words, status, text) in cases {
            let result = try await Tool.run(words)
            #expect(result.status == status, "\(words): \(result.errors)")
            #expect(result.errors.contains(text), "\(words): \(result.errors)")
            for word in ["Error Domain", "errno", ".underway-x", "SQLite"] {
                #expect(!result.errors.contains(word), "\(result.errors)")
            }
        }
        #expect(!folder.exists("phone"))
    }

    @Test(arguments: [
        (["--version"], "version"), (["--help"], "help"), (["publish", "--help"], "help"),
        (["help"], "help"), (["help", "account", "show"], "help"),
    ])
    func helpAndVersionAreOneDocumentToo(words: [String], member: String) async throws {
        for words in [words + ["--json"], ["--json"] + words] where words[1] != "help" {
            let result = try await Tool.run(words)
            #expect(result.status == 0 && result.errors.isEmpty, "\(words): \(result.errors)")
            #expect(try parsed(result, words).member(member) != nil, "\(words): \(result.output)")
        }
    }

    // MARK: Suggestions

    @Test(arguments: [
        (["pubish"], "`underway publish`"), (["stauts"], "`underway status`"),
        (["account", "signin"], "`underway account sign-in`"),
        (["conflicts", "kep-mine", "a/b"], "`underway conflicts keep-mine`"),
        (["reserve", "ad"], "`underway reserve add`"),
        (["db", "restore"], "`underway db restored`"), (["help", "publsh"], "`underway publish`"),
        (["help", "account", "shw"], "`underway account show`"),
    ])
    func aMistypedCommandIsAnsweredWithTheOneThatWasMeant(
        words: [String], meant: String
    ) async throws {
        let result = try await Tool.run(words)
        #expect(result.status == 64)
        #expect(result.errors.contains("Did you mean \(meant)?"), "\(result.errors)")
    }

    @Test func whatIsNearNothingGetsNoSuggestion() async throws {
        let result = try await Tool.run(["frobnicate"])
        #expect(!result.errors.contains("Did you mean"))
        #expect(result.errors.contains("`underway --help` lists all"))
    }

    // MARK: Stores

    @Test func whatOnlyReadsMakesNoStore() async throws {
        let address = ["--server", "http://127.0.0.1:9"]
        for words in [
            ["study", "es"], ["study", "es", "--verify-schedules"], ["outbox"], ["conflicts"],
            ["favourite"], ["favourite", "remove", "x"], ["reserve"], ["account"],
            ["account", "others"], ["account", "sign-in-methods"] + address,
            ["account", "devices"] + address,
        ] {
            let result = try await Tool.run(words + store)
            #expect(result.status == 4, "\(words): \(result.errors)")
            #expect(result.errors.contains("no device's store in \(folder.path)/phone"))
            #expect(!folder.exists("phone"), "\(words)")
        }
    }

    @Test func studyOfWhatIsNotThereNamesWhatIs() async throws {
        let bundle = folder.path + "/bundle"
        #expect(try await Tool.run(["bundle", bundle, "--release", fleet.release]).status == 0)
        let result = try await Tool.run(["study", "xx", "--bundle", bundle] + store)
        #expect(result.status == 4)
        #expect(result.errors.contains("There is no \"xx\" on this device. It has: es, int/demo."))
    }

    @Test func qLeavesAndSaysWhatIsSaved() async throws {
        let bundle = folder.path + "/bundle"
        #expect(try await Tool.run(["bundle", bundle, "--release", fleet.release]).status == 0)
        let study = ["study", "es", "--bundle", bundle] + store
        let left = try await Tool.run(study, input: "1\n q\n")
        #expect(left.status == 0)
        #expect(left.output.contains("or q to leave"))
        #expect(left.output.contains("Left: 1 answer is saved"), "\(left.output)")
        #expect(!left.output.contains("Result:"))
        let opened = try UserStore(folder: folder.url.appending(path: "phone"))
        #expect(try opened.openSession(of: .placement(language: "es"), mode: .placement) != nil)
        #expect(try opened.status().waitingCount == 1)
        let again = try await Tool.run(study, input: "Q\n")
        #expect(again.output.contains("Going on with the session"))
    }

    // MARK: Syncs

    @Test func aHostWithoutUserDataSaysThatChangesWait() async throws {
        #expect(
            try await Tool.run(["reserve", "add", "int/demo", "2026-12-24"] + store).status == 0)
        let server = try await Tool.Server(["--release", fleet.release])
        defer { try? server.kill() }
        let base = "http://127.0.0.1:\(server.port)"
        for (path, flags) in [("/api/content/v2", ["--force"]), ("/api/content/v2/", ["--force"])] {
            let result = try await Tool.run(["sync", base + path] + flags + store)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("1 change waits on this device"), "\(result.output)")
        }
        let json = try await Tool.run(
            ["sync", base + "/api/content/v2", "--force", "--json"] + store)
        #expect(json.output.contains("\"isUnserved\": true"), "\(json.output)")
    }

    /// A limit on the size of files is how a full disk looks to a program.
    @Test func aFullDiskOfADeviceIsSaidWithoutTheWordsOfADatabase() async throws {
        #expect(
            try await Tool.run(["reserve", "add", "int/demo", "2026-12-24"] + store).status == 0)
        for kilobytes in [1, 4, 8] {
            let note = String(repeating: "x", count: 900)
            let result = try await Tool.run(
                ["favourite", "add", "es-1", "--bank", "es", "--note", note] + store,
                fileKilobytesMax: kilobytes)
            #expect(
                result.status == 6, "\(kilobytes): \(result.status) \(result.errors.prefix(300))")
            #expect(!result.errors.contains("SQL"), "\(result.errors.prefix(300))")
            #expect(result.errors.hasPrefix("underway: "))
        }
        #expect(try await Tool.run(["reserve"] + store).output.contains("2026-12-24"))
    }

    @Test func resultsThatCannotBeWrittenAreNoSuccess() async throws {
        let result = try await Tool.run(["status", "--json"] + folders, fileKilobytesMax: 0)
        #expect(result.status == 6 && !result.wasKilled)
    }

    // MARK: Servers

    @Test func aWrongFileOfTheServerIsNamedWithItsRemedy() async throws {
        let serve = [
            "--release", fleet.release, "--data", folder.path + "/users", "--keys",
            folder.path + "/keys",
        ]
        let server = try await Tool.Server(serve)
        _ = try await server.end()
        let cases = [
            ("token-key", "", "it has 0 bytes, not 32. Put it back from your backup"),
            ("token-key", "short", "it has 5 bytes, not 32"),
            ("instance-mark", "", "Move it away: the server then treats its database as restored"),
            ("instance-mark", "{", "Move it away"),
        ]
        for (name, text, remedy) in cases {
            let file = folder.url.appending(path: "keys/\(name)")
            let before = try Data(contentsOf: file)
            try Data(text.utf8).write(to: file)
            let result = try await Tool.run(["serve", "--port", "0"] + serve)
            #expect(result.status == 6)
            #expect(result.errors.contains(file.path), "\(result.errors)")
            #expect(result.errors.contains(remedy), "\(result.errors)")
            #expect(try Data(contentsOf: file) == Data(text.utf8))
            try before.write(to: file)
        }
        try Data("not a database".utf8).write(to: folder.url.appending(path: "users/users.sqlite"))
        let damaged = try await Tool.run(["serve", "--port", "0"] + serve)
        #expect(damaged.status == 6 && !damaged.errors.contains("SQLite error"))
        #expect(damaged.errors.contains("put the last backup in its place"), "\(damaged.errors)")
    }
}

/// The part of the program's description of itself that the test reads.
private struct Description: Decodable {
    struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }
            var names: [Name]?
        }
        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?

        var leaves: [Command] {
            guard let subcommands, !subcommands.isEmpty else { return [self] }
            return subcommands.flatMap(\.leaves)
        }
    }
    var command: Command
}
