import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct RemoveSignInMethod: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-sign-in-method",
            abstract: "Remove a way to sign in, and end all other sessions.",
            examples: [
                """
                underway account remove-sign-in-method m1 \\
                  --server http://127.0.0.1:8080
                """
            ])
        @Argument(help: "The method's id, which `underway account sign-in-methods` lists first.")
        var method: String
        @Flag(help: "Ask for the account's current password first.") var confirm = false
        @Flag(help: "Remove it even if it is the last one.") var acceptLast = false
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                let current = confirm ? try Password.read("present password: ") : nil
                try await account.removeSignInMethod(
                    method, currentPassword: current, acceptingLast: acceptLast)
                Console.say(
                    "Removed. Other devices have to sign in again.",
                    json: ["removed": .string(method)])
            }
        }
    }
}
