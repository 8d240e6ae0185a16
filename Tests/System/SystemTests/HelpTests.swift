import ArgumentParser
import Foundation
import Testing

@testable import CommandLineTool

/// The help: an overview of one screen, and examples that can be typed.
@Suite struct HelpTests {
    /// A command with the words that call it, as `["account", "show"]`.
    private struct Command {
        let path: [String]
        let type: any ParsableCommand.Type

        /// The command, and those below it.
        var tree: [Command] {
            [self]
                + type.configuration.subcommands.flatMap {
                    Command(path: path + [$0._commandName], type: $0).tree
                }
        }
    }

    private static var commands: [Command] {
        Array(Command(path: [], type: CommandLineTool.Tool.self).tree.dropFirst())
    }

    // MARK: Overview

    @Test(arguments: [[], ["--help"], ["-h"], ["help"]])
    func theOverviewFitsOnAScreen(words: [String]) async throws {
        let result = try await Tool.run(words)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
        #expect(lines.count <= 40, "\(lines.count)")
        for line in lines { #expect(line.count <= 80, "\(line)") }
        for title in ["Author", "Device", "Server", "Maintenance"] {
            #expect(lines.contains { $0 == title }, "\(title)")
        }
    }

    @Test func theOverviewNamesEachCommandOnce() async throws {
        let lines = try await Tool.run(["--help"]).output.split(separator: "\n")
        let named = lines.filter { $0.hasPrefix("  ") }.flatMap { line in
            let names = line.dropFirst(2)
            return names.prefix(upTo: names.firstRange(of: "  ")?.lowerBound ?? names.endIndex)
                .components(separatedBy: ", ")
        }
        let configured = CommandLineTool.Tool.configuration.subcommands.map { $0._commandName }
        #expect(named.sorted() == configured.sorted())
        #expect(Set(named).count == named.count && named.count > 30)
    }

    @Test func theHelpOfACommandIsNotTheOverview() async throws {
        for words in [["publish", "--help"], ["help", "publish"]] {
            let help = try await Tool.run(words).output
            #expect(help.contains("USAGE: underway publish") && help.contains("--rollout"))
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionsKnowEveryCommand(shell: String) async throws {
        let script = try await Tool.run(["--generate-completion-script", shell]).output
        for command in Self.commands {
            for name in command.path { #expect(script.contains(name), "\(shell): \(name)") }
        }
    }

    // MARK: Examples

    @Test func everyCommandHasAnExampleThatParses() throws {
        #expect(Self.commands.count > 80)
        for command in Self.commands {
            let prefix = "underway " + command.path.joined(separator: " ")
            let examples = Self.examples(of: command.type)
            #expect(1...2 ~= examples.count, "\(prefix)")
            for example in examples {
                #expect((example + " ").hasPrefix(prefix + " "), "\(prefix): \(example)")
                let words = example.split(separator: " ").map(String.init)
                #expect(throws: Never.self, "\(example)") {
                    _ = try CommandLineTool.Tool.parseAsRoot(Array(words.dropFirst()))
                }
            }
        }
    }

    /// The parser would break a longer line, which then cannot be copied.
    @Test func anExampleFitsOnALine() {
        for command in Self.commands {
            let discussion = command.type.configuration.discussion
            let start = discussion.firstRange(of: "EXAMPLE: ")?.lowerBound ?? discussion.endIndex
            for line in discussion[start...].split(separator: "\n") {
                #expect(line.count <= 80, "\(line)")
            }
        }
    }

    /// The calls that the discussion shows, each as one line.
    private static func examples(of type: any ParsableCommand.Type) -> [String] {
        type.configuration.discussion.components(separatedBy: "EXAMPLE: ").dropFirst()
            .map { $0.replacing("\\\n", with: "").trimmingCharacters(in: .whitespacesAndNewlines) }
    }
}
