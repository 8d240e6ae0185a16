import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in",
            abstract: "Sign in with email and password.",
            discussion: "The command asks for the password.",
            examples: ["underway account sign-in ada@example.org --server http://127.0.0.1:8080"])
        @Argument(help: "The email.") var email: String
        @OptionGroup var choice: BringOption
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(.nothing) { account, store in
                let bringing = try choice.bringing(store)
                let user = try await account.signIn(
                    email: email, password: try Password.read(), bringing: bringing)
                for other in try store.otherUsers() {
                    if let note = other.obstacleNote { Console.note(note) }
                }
                Console.say(
                    "Signed in (\(user)). The next sync brings what is on the server.",
                    json: ["user": .string(user)])
            }
        }
    }
}
