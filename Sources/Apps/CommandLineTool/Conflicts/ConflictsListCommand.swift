import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

extension ConflictsCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the conflicts.",
            examples: ["underway conflicts list"])
        @OptionGroup var store: UserDataOptions
        @Flag(help: "Print JSON, also for errors.") var json = false

        func run() async throws {
            try await reportingErrors {
                let conflicts = try store.openUserData().conflicts()
                if json {
                    return Console.say(json: .array(conflicts.map(\.json)))
                }
                if conflicts.isEmpty { Console.say("There are no conflicts.") }
                for conflict in conflicts {
                    for line in ConflictText(conflict, store: store.store).lines {
                        Console.say(line)
                    }
                }
            }
        }
    }
}
