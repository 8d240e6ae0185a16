import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage

extension AccountCommand {
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the account, and the state of its data on this device.",
            examples: ["underway account show"])
        @OptionGroup var store: UserDataOptions
        @OptionGroup var outputOptions: OutputOptions

        func run() async throws {
            try await reportingErrors {
                let userData = try store.openUserData()
                let user = userData.isSignedIn ? userData.user : nil
                let status = try userData.status()
                Console.say(
                    "\(user.map { "account \($0)" } ?? "nobody is signed in")\n\(status.text)",
                    json: .compact([
                        "user": user.map { .string($0) }, "status": status.json,
                    ]))
            }
        }
    }
}
