import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import Publishing
import ServiceAPI
import SyncClient

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "The account of whoever uses the device's store.",
        discussion: """
            Passwords are read from the terminal or, when there is none, from standard input; they \
            are never arguments, which other programs can see.
            """,
        subcommands: [
            Show.self, Upgrade.self, SignIn.self, External.self, SignOut.self, Export.self,
            Devices.self, Forget.self, Others.self, StartOver.self, Delete.self, Ways.self,
            Remove.self, Verify.self, Reset.self,
        ],
        defaultSubcommand: Show.self)

    /// The server and the device.
    struct Options: ParsableArguments {
        @Option(help: "The address of the server, as http://127.0.0.1:8080.")
        var server: String

        @OptionGroup var store: StoreOptions

        @OptionGroup var network: NetworkOptions

        @OptionGroup var answer: AnswerOptions

        func validate() throws {
            guard server.hasPrefix("http://") || server.hasPrefix("https://") else {
                throw ValidationError("--server must start with http:// or https://.")
            }
        }

        /// Speaks for the device's user.
        ///
        /// - Parameters:
        ///   - makesStore: True for what a device without a store may begin with.
        ///   - body: What is asked.
        /// - Throws: `CommandFailure`.
        func withAccount(
            makesStore: Bool = false, _ body: (Account, UserStore) async throws -> Void
        ) async throws {
            try await reportingErrors {
                let transport = network.openTransport()
                defer { transport.close() }
                let userData = try store.openUserData(making: makesStore)
                try await body(
                    try store.account(userData, transport, server: try URL(address: server)),
                    userData)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Say whose data is shown.")
        @OptionGroup var store: StoreOptions
        @OptionGroup var answer: AnswerOptions

        func run() async throws {
            try await reportingErrors {
                let userData = try store.openUserData()
                let user = userData.user == UserStore.localUser ? nil : userData.user
                let status = try userData.status()
                Console.say(
                    "\(user ?? "no account yet")\n\(status.text)",
                    json: .compact([
                        "user": user.map { .string($0) }, "status": status.json,
                    ]))
            }
        }
    }

    struct Upgrade: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "upgrade", abstract: "Give the account an email and a password.")
        @Argument(help: "The email.") var email: String
        @Flag(help: "Ask for the account's present password first.") var confirm = false
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(makesStore: true) { account, _ in
                let current = confirm ? try Password.read("present password: ") : nil
                try await account.upgrade(
                    email: email, password: try Password.read(), currentPassword: current)
                Console.say(
                    "Other devices can sign in as \(email) now.", json: ["email": .string(email)])
            }
        }
    }

    /// What becomes of the data that is on the device already.
    struct BringOption: ParsableArguments {
        enum Choice: String, ExpressibleByArgument, CaseIterable {
            case everything, nothing
        }

        @Option(help: "Whether what was done on this device before goes over to the account.")
        var bring: Choice?

        /// The choice, which must be made where there is something to bring.
        func bringing(_ store: UserStore) throws -> Bringing {
            switch bring {
            case .everything: return .everything
            case .nothing: return .nothing
            case nil:
                guard try store.hasData() else { return .nothing }
                throw CommandFailure(
                    .usage,
                    "There is data on this device that the account may not have."
                        + " Add --bring everything to take it along, or --bring nothing to leave"
                        + " it here, apart (underway account others).")
            }
        }
    }

    struct SignIn: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-in", abstract: "Sign in by email and password.")
        @Argument(help: "The email.") var email: String
        @OptionGroup var choice: BringOption
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(makesStore: true) { account, store in
                let bringing = try choice.bringing(store)
                let user = try await account.signIn(
                    email: email, password: try Password.read(), bringing: bringing)
                Console.say(
                    "Signed in (\(user)). The next sync brings what is on the server.",
                    json: ["user": .string(user)])
            }
        }
    }

    struct External: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "external",
            abstract: "Sign in by a token of another issuer, read from standard input.")
        @Flag(help: "Give the identity to the present account, unless it has one.")
        var link = false
        @OptionGroup var choice: BringOption
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount(makesStore: true) { account, store in
                let bringing = link ? .everything : try choice.bringing(store)
                let token = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
                let user = try await account.signIn(
                    externalToken: token, linking: link, bringing: bringing)
                Console.say("Signed in (\(user)).", json: ["user": .string(user)])
            }
        }
    }

    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "Sign out on this device.",
            discussion: "What was not sent stays for the next sign-in, unless --erase is given.")
        @Flag(help: "Remove the user's data from the device.") var erase = false
        @Flag(help: "Remove it even though some was not sent.") var loseUnsent = false
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                try await account.signOut(erasing: erase, lossIsAccepted: loseUnsent)
                Console.say("Signed out.", json: ["signedOut": true, "erased": .bool(erase)])
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write everything that the server keeps of the user, as JSON.")
        @Option(help: "The file; standard output without it.", transform: PathArgument.output)
        var output: String?
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                let data = try await account.export()
                guard let output else {
                    Console.write(data)
                    return
                }
                do {
                    try OutputFile.write([UInt8](data), to: output)
                } catch {
                    throw CommandFailure(.files, "\(output) cannot be written.", place: output)
                }
                Console.say(
                    "Wrote \(Console.bytes(data.count)) to \(output).",
                    json: ["file": .string(output), "bytes": .integer(data.count)])
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Delete the account on the server and the data on this device.")
        @Flag(help: "Yes, delete everything; there is no way back.") var yes = false
        @OptionGroup var options: Options

        func validate() throws {
            guard yes else {
                throw ValidationError("This deletes everything for good. Add --yes to do it.")
            }
        }

        func run() async throws {
            try await options.withAccount { account, _ in
                try await account.delete()
                Console.say("Deleted.", json: ["deleted": true])
            }
        }
    }
}
