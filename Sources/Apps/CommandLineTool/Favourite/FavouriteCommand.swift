import ArgumentParser
import Foundation

struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite",
        abstract: "Mark questions on the device; the next sync sends the marks.",
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self)
}
