import ArgumentParser
import ContentModel
import Foundation
import UserService

extension DatabaseCommand {
    struct Restored: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restored",
            abstract: "Declare that the database was restored from a backup.",
            discussion: """
                Every device then compares its data with the server's, and sends what the backup \
                lacks. Run it once after a restore, before the server starts.
                """)
        @Option(
            help: "The folder of users, as given to `underway serve`.", transform: PathArgument.path
        ) var data: String
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            try await reportingErrors {
                let path = URL(fileURLWithPath: data).appending(path: "users.sqlite").path
                guard FileManager.default.fileExists(atPath: path) else {
                    throw CommandFailure(
                        .files, "There is no database of users in \(data).", place: path)
                }
                let generation = try UserDatabase(path: path).startGeneration(now: Date())
                Console.say(
                    "Generation \(generation): devices will compare what they have.",
                    json: ["generation": .integer(Int(generation))])
            }
        }
    }
}
