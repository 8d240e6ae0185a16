import ArgumentParser
import Foundation
import UserData

extension ConflictsCommand {
    struct KeepMine: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep-mine",
            abstract: "Resolve a conflict with this device's version.",
            examples: ["underway conflicts keep-mine reservations/int/swift"])
        @Argument(help: "The record, for example reservations/int/swift.") var record:
            RecordArgument
        @OptionGroup var store: UserDataOptions

        @OptionGroup var seen: ShownOption
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            try await ConflictsCommand.resolve(record, store, .keepMine, seen)
        }
    }
}
