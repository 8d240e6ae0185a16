import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

extension FavouriteCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove the mark of a question.",
            examples: ["underway favourite remove q17"])
        @Argument(help: "The question's id.") var question: String
        @OptionGroup var store: UserDataOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            try await reportingErrors {
                let store = try store.openUserData()
                guard try store.record(Favourite.self, id: question) != nil else {
                    throw CommandFailure(.notFound, "\(question) is not marked.")
                }
                try store.delete(Favourite.self, id: question, now: Date())
                Console.say(
                    "Removed the mark of \(question).", json: ["removed": .string(question)])
            }
        }
    }
}
