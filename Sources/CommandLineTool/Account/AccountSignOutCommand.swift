import ArgumentParser
import ContentModel
import Foundation
import OfflineStorage
import Publishing
import ServiceAPI
import SyncClient

extension AccountCommand {
    struct SignOut: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "Sign out on this device.",
            discussion: "Unsent data stays for the next sign-in, unless --erase is given.")
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
}
