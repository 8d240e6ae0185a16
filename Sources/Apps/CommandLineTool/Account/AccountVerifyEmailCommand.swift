import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct VerifyEmail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify-email",
            abstract: "Verify the account's email by a code that is sent to it.")
        @Option(help: "The code; without it one is sent.") var code: String?
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
