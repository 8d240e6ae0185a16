import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import SyncClient

struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account",
        abstract: "Show and change the account of the device's user.",
        discussion: """
            Without a subcommand, the command shows the account. Passwords are read from the terminal or, without \
            one, from standard input. They are never arguments, because other programs can read those.
            """,
        examples: ["underway account"],
        subcommands: [
            Show.self, Upgrade.self, SignIn.self, SignInExternal.self, SignOut.self,
            SignInMethods.self, RemoveSignInMethod.self, VerifyEmail.self, ResetPassword.self,
            Devices.self, RemoveDevice.self, Export.self, Join.self, Others.self, StartOver.self,
            Delete.self,
        ],
        defaultSubcommand: Show.self)

    /// The condition of a device that a command can run on.
    enum Need {
        /// The user is signed in.
        case account
        /// The device has a store.
        case store
        /// Neither: a new device may begin with the command, which creates the store.
        case nothing
    }

    /// The options of the server and the device.
    struct Options: ParsableArguments {
        @Option(
            help: "The address of the server, for example http://127.0.0.1:8080, or of its release."
        )
        var server: String

        @OptionGroup var store: UserDataOptions

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
        ///   - need: What the device must have for the body.
        ///   - body: The body.
        /// - Throws: `CommandFailure`; `notFound` when the device lacks it.
        func withAccount(
            _ need: Need = .account, _ body: (Account, UserStore) async throws -> Void
        ) async throws {
            try await reportingErrors {
                let transport = network.openTransport()
                defer { transport.close() }
                let userData = try store.openUserData(making: need == .nothing)
                guard need != .account || userData.isSignedIn else {
                    throw CommandFailure.nobodyIsSignedIn
                }
                let address = try URL(address: server)
                try await body(
                    try store.account(
                        userData, transport, server: DeviceSync.server(of: address) ?? address),
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
                "Move the data that is already on this device to the account, or not."
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
                    "This device has data that the account may lack."
                        + " Add --bring everything to move it to the account, or --bring nothing to leave"
                        + " it on this device (`underway account others` lists it).")
            }
        }
    }
}

extension UserStore {
    /// True when the current user has an account.
    var isSignedIn: Bool { user != UserStore.localUser }
}

extension CommandFailure {
    /// The failure of a command that needs an account.
    static let nobodyIsSignedIn = CommandFailure(
        .notFound,
        "Nobody is signed in on this device. Run `underway account sign-in`, or sync user data once to"
            + " create an account.")
}
