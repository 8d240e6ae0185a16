import ArgumentParser
import ContentModel
import Foundation
import ServiceAPI
import SyncClient

extension AccountCommand {
    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget", abstract: "Forget a device that is not used any more.",
            discussion:
                "What it sent stays. A device that returns all the same goes on as a new one.")
        @Argument(help: "The device, as `underway account devices` names it.") var device: String
        @OptionGroup var options: Options

        func run() async throws {
            try await options.withAccount { account, _ in
                try await account.forgetDevice(device)
                Console.say("Forgotten.", json: ["forgotten": .string(device)])
            }
        }
    }
}
