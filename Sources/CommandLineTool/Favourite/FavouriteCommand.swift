import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import UserData

struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite",
        abstract: "Mark questions, on the device first; the next sync sends it.",
        subcommands: [List.self, Add.self, Remove.self],
        defaultSubcommand: List.self)

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add", abstract: "Mark a question, or change the note beside it.")
        @Argument(help: "The question's id.") var question: String
        @Option(help: "Its bank: a language as es, or an exam as int/swift.") var bank: String
        @Option(help: "A note, shown beside it.") var note: String?
        @OptionGroup var store: StoreOptions
        @OptionGroup var answer: AnswerOptions

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

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove a mark.")
        @Argument(help: "The question's id.") var question: String
        @OptionGroup var store: StoreOptions
        @OptionGroup var answer: AnswerOptions

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

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the marked questions.")
        @OptionGroup var store: StoreOptions
        @Flag(help: "Answer in JSON.") var json = false

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
