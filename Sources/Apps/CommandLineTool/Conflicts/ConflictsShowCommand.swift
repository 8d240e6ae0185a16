import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

extension ConflictsCommand {
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a conflict: your version, the server's, and their common base.",
            examples: ["underway conflicts show reservations/int/swift"])
        @Argument(help: "The record, for example reservations/int/swift.") var record:
            RecordArgument
        @OptionGroup var store: UserDataOptions
        @Flag(help: "Print JSON, also for errors.") var json = false

        func run() async throws {
            try await reportingErrors {
                let conflicts = try store.openUserData().conflicts()
                guard let conflict = conflicts.first(where: { $0.key == record.key }) else {
                    throw CommandFailure(
                        .notFound, "There is no conflict about \(UserDataText.key(record.key)).")
                }
                if json { return Console.say(json: conflict.json) }
                let made = UserDataText.time(conflict.mine.time.milliseconds)
                let written = UserDataText.time(conflict.theirs.time.milliseconds)
                Console.say("tag:    \(conflict.tag)")
                let before = conflict.base.map(UserDataText.record) ?? "did not exist"
                let mine = UserDataText.fieldsOrDeleted(conflict.mineValues)
                Console.say("before: \(before)")
                Console.say("mine:   \(mine)  (\(made))")
                Console.say("server: \(UserDataText.record(conflict.theirs))  (\(written))")
            }
        }
    }
}
