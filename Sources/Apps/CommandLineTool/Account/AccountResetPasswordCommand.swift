import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct ResetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset-password",
            abstract: "Set a new password with a code from your email.",
            discussion: "Without --code, the server sends a code to the email.",
            examples: [
                """
                underway account reset-password ada@example.org \\
                  --server http://127.0.0.1:8080
                """
            ])
        @Argument(help: "The email.") var email: String
        @Option(help: "The code from the email; without it, the server sends one.") var code:
            String?
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(.nothing) { account, _ in
                guard let code else {
                    try await account.requestPasswordReset(email: email)
                    Console.say(
                        "If the email belongs to an account, a code is on its way. Run this again"
                            + " with --code.", json: ["asked": true])
                    return
                }
                try await account.resetPassword(
                    email: email, code: code, newPassword: try Password.read("new password: "))
                Console.say(
                    "The password is set. All devices have to sign in again.",
                    json: ["passwordSet": true])
            }
        }
    }
}
