import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct Upgrade: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "upgrade",
            abstract: "Set an email and a password for the account.",
            discussion: "The command asks for the password.",
            examples: ["underway account upgrade ada@example.org --server http://127.0.0.1:8080"])
        @Argument(help: "The email.") var email: String
        @Flag(help: "Ask for the account's current password first.") var confirm = false
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(.nothing) { account, _ in
                let current = confirm ? try Password.read("present password: ") : nil
                try await account.upgrade(
                    email: email, password: try Password.read(), currentPassword: current)
                Console.say(
                    "Other devices can sign in as \(email) now.", json: ["email": .string(email)])
            }
        }
    }
}
