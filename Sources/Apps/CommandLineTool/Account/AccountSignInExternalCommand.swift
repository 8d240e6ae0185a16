import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

extension AccountCommand {
    struct SignInExternal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in-external",
            abstract: "Sign in with a token of another issuer, from standard input.",
            discussion: "The server must accept the issuer: underway.yaml declares it.",
            examples: ["underway account sign-in-external --server http://127.0.0.1:8080"])
        @Flag(help: "Link the identity to the current account, unless it belongs to another one.")
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
