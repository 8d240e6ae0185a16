import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage

extension FavouriteCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the marked questions.",
            examples: ["underway favourite list"])
        @OptionGroup var store: UserDataOptions
        @Flag(help: "Print JSON, also for errors.") var json = false

        func run() async throws {
            try await reportingErrors {
                let marked = try store.openUserData().records(Favourite.self)
                if json {
                    return Console.say(
                        json: .array(
                            marked.map {
                                .compact([
                                    "question": .string($0.id), "bank": .string($0.value.bank),
                                    "note": $0.value.note.map { .string($0) },
                                ])
                            }))
                }
                if marked.isEmpty { Console.say("No question is marked.") }
                for favourite in marked {
                    let note = favourite.value.note.map { "  \($0)" } ?? ""
                    Console.say("\(favourite.id)  (\(favourite.value.bank))\(note)")
                }
            }
        }
    }
}
