import ArgumentParser
import Foundation
import UserData

extension ConflictsCommand {
    struct UseServer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use-server",
            abstract: "Resolve a conflict with the server's version.",
            examples: ["underway conflicts use-server reservations/int/swift"])
        @Argument(help: "The record, for example reservations/int/swift.") var record:
            RecordArgument
        @OptionGroup var store: UserDataOptions

        @OptionGroup var seen: ShownOption
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            try await ConflictsCommand.resolve(record, store, .useServer, seen)
        }
    }
}
