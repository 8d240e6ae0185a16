import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct ResetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset-password",
            abstract: "Set a new password by a code that is sent to the email.")
        @Argument(help: "The email.") var email: String
        @Option(help: "The code; without it one is sent.") var code: String?
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
