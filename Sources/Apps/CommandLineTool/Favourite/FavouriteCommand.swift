import ArgumentParser
import Foundation

struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite",
        abstract: "List, add and remove marks on questions.",
        discussion: """
            The next sync sends the changes. Without a subcommand, the command lists the marks.
            """,
        examples: ["underway favourite"],
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self)
}
