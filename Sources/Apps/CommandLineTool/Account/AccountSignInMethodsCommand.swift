import ArgumentParser
import ContentModel
import Foundation
import SyncClient

extension AccountCommand {
    struct SignInMethods: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in-methods",
            abstract: "List the ways to sign in to the account on another device.",
            examples: ["underway account sign-in-methods --server http://127.0.0.1:8080"])
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                let methods = try await account.signInMethods()
                guard !Console.isJSON else {
                    return Console.say(json: .array(methods.map(\.json)))
                }
                if methods.isEmpty {
                    Console.say("No sign-in methods: only this device can use the account.")
                }
                for method in methods {
                    let kind = method.issuer ?? (method.isVerified ? "verified" : "not verified")
                    Console.say("\(method.id)  \(method.name)  (\(kind))")
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
