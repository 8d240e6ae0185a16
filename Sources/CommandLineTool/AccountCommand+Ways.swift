import ArgumentParser
import ContentModel
import Foundation
import ServiceAPI
import SyncClient

extension AccountCommand {
    struct Ways: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ways", abstract: "List the ways into the account from another device.")
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                let ways = try await account.signInMethods()
                guard !Console.isJSON else { return Console.say(json: .array(ways.map(\.json))) }
                if ways.isEmpty { Console.say("No way in: only this device can use the account.") }
                for way in ways {
                    let kind = way.issuer ?? (way.isVerified ? "verified" : "not verified")
                    Console.say("\(way.id)  \(way.name)  (\(kind))")
                }
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a way into the account, and end all other sessions.")
        @Argument(help: "The way, as `underway account ways` lists it first.") var way: String
        @Flag(help: "Ask for the account's present password first.") var confirm = false
        @Flag(help: "Yes, remove it even if it is the last one.") var acceptLast = false
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                let current = confirm ? try Password.read("present password: ") : nil
                try await account.removeSignInMethod(
                    way, currentPassword: current, acceptingLast: acceptLast)
                Console.say(
                    "Removed. Other devices have to sign in again.",
                    json: ["removed": .string(way)])
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify",
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

    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset",
            abstract: "Set a new password by a code that is sent to the email.")
        @Argument(help: "The email.") var email: String
        @Option(help: "The code; without it one is sent.") var code: String?
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(makesStore: true) { account, _ in
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

extension SignInMethod {
    fileprivate var json: JSONValue {
        .compact([
            "id": .string(id), "name": .string(name), "issuer": issuer.map { .string($0) },
            "verified": .bool(isVerified),
        ])
    }
}
