import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

extension ConflictsCommand {
    /// The command that dismisses the notices about a record.
    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "dismiss",
            abstract: "Dismiss the notices about a record.",
            examples: ["underway conflicts dismiss favourites/q1"])
        @Argument(help: "The record, for example favourites/q1.") var record: RecordArgument
        @OptionGroup var store: UserDataOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            try await reportingErrors {
                let store = try store.openUserData()
                let notices = try store.notices().filter { $0.key == record.key }
                guard !notices.isEmpty else {
                    throw CommandFailure(
                        .notFound, "There is no notice about \(UserDataText.key(record.key)).")
                }
                for notice in notices { try store.dismiss(notice.id, now: Date()) }
                Console.say(
                    "Dismissed.", json: ["dismissed": .string(UserDataText.key(record.key))])
            }
        }
    }
}
