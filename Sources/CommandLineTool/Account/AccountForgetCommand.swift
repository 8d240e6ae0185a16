import ArgumentParser
import ContentModel
import Foundation
import ServiceAPI
import SyncClient

extension AccountCommand {
    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Forget a device that is no longer used.",
            discussion:
                "Its data stays. A forgotten device that syncs again continues as a new one.")
        @Argument(help: "The device, as `underway account devices` names it.") var device: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                try await account.removeDevice(device)
                Console.say("Forgotten.", json: ["forgotten": .string(device)])
            }
        }
    }
}
