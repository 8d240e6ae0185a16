import ArgumentParser
import Foundation

/// The command for the server's database of users, for its operator.
struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db",
        abstract: "Maintain the server's database of users.",
        subcommands: [
            Migrate.self, Copy.self, Check.self, Export.self, Restored.self,
        ])
}
