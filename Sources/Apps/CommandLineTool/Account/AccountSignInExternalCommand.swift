import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct SignInExternal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in-external",
            abstract: "Sign in by a token of another issuer, read from standard input.")
        @Flag(help: "Link the identity to the present account, unless it belongs to another one.")
        var link = false
        @OptionGroup var choice: BringOption
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(.nothing) { account, store in
                let bringing = link ? .everything : try choice.bringing(store)
                let token = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
                let user = try await account.signIn(
                    externalToken: token, linking: link, bringing: bringing)
                Console.say("Signed in (\(user)).", json: ["user": .string(user)])
            }
        }
    }
}
