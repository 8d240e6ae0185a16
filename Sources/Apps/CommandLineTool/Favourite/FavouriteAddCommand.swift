import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

extension FavouriteCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Mark a question, or change its note.",
            examples: ["underway favourite add q17 --bank int/swift --note Again"])
        @Argument(help: "The question's id.") var question: String
        @Option(help: "Its bank: a language (es), or an exam (int/swift).") var bank: String
        @Option(help: "A note, shown beside it.") var note: String?
        @OptionGroup var store: UserDataOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            try await reportingErrors {
                try store.openUserData(making: true).put(
                    Favourite(bank: bank, note: note), id: question, now: Date())
                Console.say(
                    "Marked \(question). \(Favourite.collection.policy.text)",
                    json: ["question": .string(question), "bank": .string(bank)])
            }
        }
    }
}
