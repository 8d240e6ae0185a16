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
        abstract: "The account of the user of the device's store.",
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

    /// The options of the server and the device.
    struct Options: ParsableArguments {
        @Option(help: "The address of the server, as http://127.0.0.1:8080.")
        var server: String

        @OptionGroup var store: StoreOptions

        @OptionGroup var network: NetworkOptions

        @OptionGroup var outputOptions: OutputOptions

        func validate() throws {
            guard server.hasPrefix("http://") || server.hasPrefix("https://") else {
                throw ValidationError("--server must start with http:// or https://.")
            }
        }

        /// Opens the device's account and runs a body with it.
        ///
        /// - Parameters:
        ///   - makesStore: True to create a store if there is none, for commands that a new device
        ///     may begin with.
        ///   - body: The body.
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

    /// The choice for data that is on the device before a sign-in.
    struct BringOption: ParsableArguments {
        enum Choice: String, ExpressibleByArgument, CaseIterable {
            case everything, nothing
        }

        @Option(
            help:
                "The choice for data that is on this device already: move it to the account, or not."
        )
        var bring: Choice?

        /// Returns the choice, which is required if there is data.
        func bringing(_ store: UserStore) throws -> BroughtData {
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
}
