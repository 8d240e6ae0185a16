import ArgumentParser
import Foundation
import UserData

extension ConflictsCommand {
    struct KeepMine: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keep-mine", abstract: "Resolve the conflict by this device's change.")
        @Argument(help: "The record, as reservations/int/swift.") var record: RecordArgument
        @OptionGroup var store: UserDataOptions

        @OptionGroup var seen: ShownOption
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            try await ConflictsCommand.resolve(record, store, .keepMine, seen)
        }
    }
}
