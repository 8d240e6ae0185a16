import ArgumentParser
import Foundation

/// The command for the server's database of users, for its operator.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db",
        abstract: "Check, migrate, copy and export the server's database of users.",
        examples: ["underway db check --data users"],
        subcommands: [
            Migrate.self, Copy.self, Check.self, Export.self, Restored.self,
        ])
}
