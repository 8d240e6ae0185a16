import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct Ways: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ways",
            abstract: "List the sign-in methods with which another device can sign in.")
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                let ways = try await account.signInMethods()
                guard !Console.isJSON else { return Console.say(json: .array(ways.map(\.json))) }
                if ways.isEmpty {
                    Console.say("No sign-in methods: only this device can use the account.")
                }
                for way in ways {
                    let kind = way.issuer ?? (way.isVerified ? "verified" : "not verified")
                    Console.say("\(way.id)  \(way.name)  (\(kind))")
                }
            }
        }
    }
}

extension SignInMethod {
    fileprivate var json: JSONValue {
        .compact([
            "id": .string(id), "name": .string(name), "issuer": issuer.map { .string($0) },
            "verified": .bool(isVerified),
        ])
    }
}
