import ArgumentParser
import Logging

/// Runs the program with its arguments, and ends the process.
package func runCommandLine() async { await Tool.main() }

/// The program of authors (publish), operators (serve) and learners (study).
struct Tool: AsyncParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "underway",
        abstract: "Publish an app's content apart from the app, and keep devices up to date.",
        discussion: "Exit codes: 0 done; "
            + CommandFailure.Code.allCases.map { "\($0.exitCode.rawValue) \($0.meaning)" }
            .joined(separator: "; ") + ".",
        version: version,
        groupedSubcommands: CommandOverview.groups.map { group in
            CommandGroup(name: group.title, subcommands: group.lines.flatMap(\.commands))
        })

    /// Parses, runs and ends; every error is reported by `CommandEnding`.
    static func main() async {
        // Commands report what the SDK logs.
        LoggingSystem.bootstrap { label -> any LogHandler in
            if label.hasPrefix("underway.") { return SwiftLogNoOpLogHandler() }
            return StreamLogHandler.standardError(label: label)
        }
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try parseAsRoot(HelpArguments.parsable(arguments))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            CommandEnding.fail(error, arguments: arguments)
        }
        CommandEnding.succeed()
    }
}
