import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct VerifyEmail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify-email",
            abstract: "Verify the account's email with a code.",
            discussion: "Without --code, the server sends a code to the email.",
            examples: [
                "underway account verify-email --server http://127.0.0.1:8080",
                """
                underway account verify-email --code 123456 \\
                  --server http://127.0.0.1:8080
                """,
            ])
        @Option(help: "The code from the email; without it, the server sends one.") var code:
            String?
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                guard let code else {
                    try await account.requestVerification()
                    Console.say(
                        "A code is on its way. Run this again with --code.",
                        json: ["codeSent": true])
                    return
                }
                try await account.verifyEmail(code: code)
                Console.say("Verified.", json: ["verified": true])
            }
        }
    }
}
