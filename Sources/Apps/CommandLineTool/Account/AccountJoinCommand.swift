import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct Join: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "join",
            abstract: "Move all data of another account to this one, and close the other.",
            discussion: "The command asks for the other account's password.",
            examples: ["underway account join ada@example.org --server http://127.0.0.1:8080"])
        @Argument(help: "The other account's email.") var email: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, store in
                try await account.join(email: email, password: try Password.read())
                Console.say(
                    "Joined. The next sync brings what the other account had.",
                    json: ["user": .string(store.user)])
            }
        }
    }
}
